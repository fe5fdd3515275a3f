//! Builds of the project's own sources: what they leave outside of the project is the project's own as well.

use super::{
    super::{Call, Shell, Written, options::strip},
    compile::compiles,
};
use crate::{
    place::{Extent, Nature},
    value::{Arg, Value},
    words::Words,
};

/// Builders that are no compilers.
static BUILDERS: Words<128> = Words::new(
    "babel bun cargo cmake deno dotnet esbuild go gmake make meson ncc parcel pkg rollup swc tsc tsup uv vite \
     virtualenv webpack python python3",
);

/// The options that name what a builder makes.
const OUTPUTS: &[&str] = &[
    "-o",
    "-of",
    "-d",
    "-B",
    "--out",
    "--out-dir",
    "--out-file",
    "--outfile",
    "--outdir",
    "--outDir",
    "--outFile",
    "--output",
    "--output-path",
    "--dist-dir",
    "--dir",
    "--file",
    "--target-dir",
];

/// Whether a program makes something of sources.
pub(in crate::shell) fn builds(name: &str) -> bool {
    compiles(name) || BUILDERS.holds(name)
}

impl Shell<'_> {
    /// Remembers what a build of the project's own sources makes.
    pub(in crate::shell) fn note_built(&mut self, call: &Call) {
        let made = self.outputs(call);
        if made.is_empty() || !self.builds_own(call, &made) {
            return;
        }
        for arg in made {
            let place = self.place(&arg.value);
            let known = matches!(self.state.written.get(&place.path), Some(Written::Compiled(..)));
            if !known {
                self.remember_built(&arg);
            }
        }
    }

    /// Whether everything that a build takes lies in the project, as far as the command line names it.
    fn builds_own(&self, call: &Call, made: &[Arg]) -> bool {
        let is_own = |value: &Value| {
            let place = self.place(value);
            place.extent != Extent::Anywhere
                && (!matches!(place.nature, Nature::Temporary | Nature::Stream) || self.is_built(&place.path))
        };
        let is_made = |arg: &Arg| made.iter().any(|made| arg.value.shown().ends_with(&*made.value.shown()));
        let takes = call.args.iter().filter(|arg| !arg.is_option() && !is_made(arg));
        is_own(&Value::text(".")) && !call.has("-") && takes.into_iter().all(|arg| is_own(&arg.value))
    }

    fn outputs(&self, call: &Call) -> Vec<Arg> {
        let verb = call.args.iter().filter(|arg| !arg.is_option()).find_map(Arg::known);
        let environment = match (call.name.as_str(), verb) {
            ("python" | "python3", Some("venv" | "virtualenv")) => true,
            ("uv", Some("venv")) | ("virtualenv", _) => true,
            ("python" | "python3" | "uv", _) => return Vec::new(),
            _ => false,
        };
        if environment {
            let last = call.args.iter().rfind(|arg| !arg.is_option());
            return last.filter(|last| !last.is("venv")).cloned().into_iter().collect();
        }
        let mut all = Vec::new();
        let mut args = call.args.iter();
        while let Some(arg) = args.next() {
            let text = arg.value.prefix();
            let attached = |skipped: usize| Arg { value: strip(&arg.value, skipped), span: arg.span };
            // All of them are options, but for the variables of a makefile.
            if !text.starts_with(['-', 'D', 'p']) {
                continue;
            }
            match text.split_once('=') {
                Some((name, _)) if OUTPUTS.contains(&name) || name == "DESTDIR" || name == "prefix" => {
                    all.push(attached(name.len() + 1));
                }
                _ if OUTPUTS.contains(&text) => all.extend(args.next().cloned()),
                // `-oname`, `-Bdir`
                _ if text.len() > 2 && (text.starts_with("-o") || text.starts_with("-B")) && !text.contains('=') => {
                    all.push(attached(2));
                }
                _ => {}
            }
        }
        if call.name == "cargo"
            && let Some(directory) = self.variable("CARGO_TARGET_DIR")
        {
            all.push(Arg { value: directory.clone(), span: call.span });
        }
        all
    }
}
