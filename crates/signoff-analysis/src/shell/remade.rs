//! Directories that are deleted so that the installer behind them makes them anew: `rm -rf deps && mix deps.get`.
//!
//! A name such as `deps` or `vendor` says little by itself. What is deleted under such a name waits for the program that
//! fills it; if none comes, the deletion is judged like any other.

use signoff_model::{EffectKind, Reversible, Scope, Span};

use super::{Call, Shell, families::tool};
use crate::{
    path_effects::{self, Depth},
    place::{Extent, Nature, Place},
    words::is_listed,
};

/// A deletion that waits.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    place: Place,
    depth: Depth,
    span: Span,
}

/// What a program makes anew.
struct Maker {
    programs: &'static str,
    /// The words with which it does so; none if it always does.
    words: &'static str,
    /// The names of what it makes, or how they end.
    makes: &'static str,
}

const MAKERS: &[Maker] = &[
    Maker { programs: "mix", words: "deps.get deps.compile deps.update setup", makes: "deps" },
    Maker { programs: "composer", words: "install update i u", makes: "vendor" },
    Maker { programs: "bundle bundler", words: "install update", makes: "vendor" },
    Maker { programs: "go cargo", words: "vendor", makes: "vendor" },
    Maker { programs: "rebar3", words: "get-deps compile", makes: "deps" },
    Maker { programs: "shards forge", words: "install update", makes: "lib" },
    Maker { programs: "helm", words: "dependency dep", makes: "charts" },
    Maker { programs: "nuget", words: "restore install", makes: "packages" },
    Maker {
        programs: "latexmk pdflatex xelatex lualatex latex tectonic",
        words: "",
        makes: ".log .toc .out .bbl .blg .lof .lot .nav .snm .vrb .idx .ind .ilg .bcf .run.xml",
    },
];

/// More deletions than this do not wait.
const MOST: usize = 64;

impl Maker {
    fn makes(&self, name: &str) -> bool {
        self.makes.split(' ').any(|made| if made.starts_with('.') { name.ends_with(made) } else { name == made })
    }

    /// Whether it makes files beside those that it is given, wherever they lie, and not a directory where it stands.
    fn makes_files(&self) -> bool {
        self.makes.starts_with('.')
    }

    fn is(&self, call: &Call) -> bool {
        is_listed(self.programs, &call.name)
            && (self.words.is_empty()
                || call.args.iter().take(3).any(|arg| arg.known().is_some_and(|text| is_listed(self.words, text))))
    }
}

impl Shell<'_> {
    /// Lets deletions wait from now on, up to [`Shell::check_awaited`].
    pub(super) fn let_wait(&mut self) {
        self.awaited = Some(Vec::new());
    }

    /// Whether a deletion waits for somebody who makes anew what is deleted.
    pub(super) fn awaits_maker(&mut self, place: &Place, depth: Depth, span: Span) -> bool {
        let Some(awaited) = self.awaited.as_mut() else { return false };
        let waits = place.extent == Extent::Exact
            && place.scope == Scope::Project
            && matches!(place.nature, Nature::Ordinary | Nature::Source | Nature::Data)
            && awaited.len() < MOST
            && MAKERS.iter().any(|maker| maker.makes(place.file_name()));
        if waits {
            awaited.push(Awaited { place: place.clone(), depth, span });
        }
        waits
    }

    /// A program runs: what it makes is there again.
    pub(super) fn note_maker(&mut self, call: &Call) {
        if self.awaited.as_ref().is_none_or(Vec::is_empty) || tool::only_looks(call) {
            return;
        }
        let cwd = self.cwd().map(str::to_owned);
        let makes = |one: &mut Awaited| {
            let (above, name) = one.place.path.rsplit_once('/').unwrap_or(("", &one.place.path));
            let is_made = |maker: &Maker| maker.makes(name) && (maker.makes_files() || cwd.as_deref() == Some(above));
            MAKERS.iter().any(|maker| is_made(maker) && maker.is(call))
        };
        for one in self.awaited.iter_mut().flat_map(|awaited| awaited.extract_if(.., makes)).collect::<Vec<_>>() {
            self.findings.note(EffectKind::Delete, one.place.target(), one.place.scope, Reversible::Yes, one.span);
        }
    }

    /// Does `body` without letting anything wait that it deletes, where what is found is weighed right behind it.
    pub(super) fn at_once<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let waiting = self.awaited.take();
        let result = body(self);
        self.awaited = waiting;
        result
    }

    /// Judges what still waits at the end.
    pub(super) fn check_awaited(&mut self) {
        for one in self.awaited.take().into_iter().flatten() {
            path_effects::delete(&mut self.findings, &one.place, one.depth, one.span);
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_the_installer_behind_it_makes_anew_is_not_lost() {
        check(
            Verdict::Allow,
            &[
                "rm -rf _build deps && mix deps.get",
                "rm -rf deps _build; mix do deps.get, compile",
                "rm -rf vendor && composer install --no-scripts",
                "rm -rf vendor && go mod vendor",
                "rm -rf vendor/ && bundle install --path vendor",
                "rm -rf build CMakeFiles CMakeCache.txt && cmake -B build",
                "for ext in aux log toc out bbl blg fls fdb_latexmk synctex.gz; do rm -f paper/main.$ext; done; latexmk -pdf -cd paper/main.tex",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "rm -rf deps",
                "rm -rf vendor",
                "mix deps.get && rm -rf deps",
                "rm -rf vendor && composer --version",
                "rm -rf deps && composer install",
                "rm -rf vendor && composer install --dry-run",
                "rm -rf vendor && cd /tmp && composer install",
                "rm -rf vendor && cd sub && composer install",
                "rm -rf vendor src && composer install",
                "rm -rf ../other/deps && mix deps.get",
                "rm -f paper/main.toc && make lint",
                "rm -f paper/main.tex && latexmk -pdf paper/main.tex",
                "(rm -rf deps)",
                "bash -c 'rm -rf deps'",
            ],
        );
    }
}
