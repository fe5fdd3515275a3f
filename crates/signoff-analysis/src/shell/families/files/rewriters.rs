//! Programs that rewrite the files they are given, told by a table: one file that is named is nothing much, whatever a
//! search finds is a bulk change. Formatters of sources are not meant; what they write can be written again.

use super::UNQUARANTINE;
use crate::{
    path_effects::Write,
    shell::{Call, Judge, Shell, families::tool},
    value::{Arg, Feed},
    words::{Words, is_listed},
};

/// A program that rewrites files. Lists are texts, separated by spaces.
struct Rewriter {
    names: &'static str,
    /// Options of which one must be there; without any, it always rewrites.
    when: &'static str,
    /// Options with which it only looks, or writes elsewhere.
    unless: &'static str,
    /// Options that take the next argument as their value.
    values: &'static str,
}

const TABLE: &[Rewriter] = &[
    Rewriter { names: "strip sstrip", when: "", unless: "", values: "-K -N -R -F -I -O" },
    Rewriter {
        names: "patchelf",
        when: "",
        unless: "--print-interpreter --print-rpath --print-needed --print-soname --print-os-abi",
        values: "--set-interpreter --set-rpath --add-rpath --add-needed --remove-needed --replace-needed --set-soname",
    },
    Rewriter { names: "chrpath", when: "-r -d -c --replace --delete --convert", unless: "-l --list", values: "-r" },
    Rewriter { names: "upx", when: "", unless: "-t -l --test --list", values: "" },
    Rewriter {
        names: "install_name_tool",
        when: "",
        unless: "",
        values: "-id -rpath -add_rpath -delete_rpath -change",
    },
    Rewriter { names: "recode", when: "", unless: "-l --list", values: "" },
    Rewriter { names: "id3v2 mid3v2", when: "", unless: "-l -L --list", values: "-a -A -t -c -g -y -T" },
    Rewriter {
        names: "eyeD3",
        when: "--remove-all --remove-v1 --remove-v2 --to-v2.4 --remove-images",
        unless: "",
        values: "-a -A -t",
    },
    Rewriter { names: "mp4tags tiffset", when: "", unless: "", values: "-r -A -a -s -c -t" },
    Rewriter { names: "AtomicParsley", when: "--overWrite -W", unless: "", values: "--title --artist" },
    Rewriter { names: "mat2", when: "--inplace", unless: "--show -s", values: "" },
    Rewriter {
        names: "nbstripout",
        when: "",
        unless: "--dry-run -t --textconv --install --uninstall --status --is-installed",
        values: "--extra-keys",
    },
    Rewriter { names: "2to3 futurize modernize", when: "-w --write", unless: "", values: "-f -x -o" },
    Rewriter { names: "setfattr", when: "", unless: "", values: "-n -v -x --name --value --remove" },
    Rewriter { names: "xattr", when: "-c -d -w -rc -cr -dr -rd", unless: "-l -p", values: "" },
];

/// The names of the table, for the many programs that are not in it.
static NAMES: Words<64> = Words::new(
    "strip sstrip patchelf chrpath upx install_name_tool recode id3v2 mid3v2 eyeD3 mp4tags tiffset AtomicParsley mat2 \
    nbstripout 2to3 futurize modernize setfattr xattr",
);

pub(super) fn find(name: &str) -> Option<Judge> {
    NAMES.holds(name).then_some(judge as Judge)
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(row) = TABLE.iter().find(|row| is_listed(row.names, &call.name)) else { return call.output() };
    let given = |list: &str| call.args.iter().any(|arg| arg.known().is_some_and(|text| is_listed(list, text)));
    if call.asks_for_help() || given(row.unless) || !row.when.is_empty() && !given(row.when) {
        return call.output();
    }
    if call.name == "xattr" && call.has("com.apple.quarantine") {
        tool::speak(shell, call, &UNQUARANTINE, 0);
        return call.output();
    }
    let output = call.args.iter().rposition(|arg| matches!(arg.known(), Some("-o" | "--output")));
    if let Some(file) = output.and_then(|at| tool::attached_or_next(call, at)) {
        shell.write(&file, Write::Replace);
        return call.output();
    }
    let is_file = |arg: &&Arg| {
        arg.value.has_glob() || arg.value.has_unknown() || arg.known().is_some_and(|text| text.contains(['/', '.']))
    };
    let operands = tool::operands(call, row.values);
    for file in operands.iter().filter_map(|at| call.args.get(*at)).filter(is_file) {
        shell.write(file, Write::Edit);
    }
    call.output()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use super::{NAMES, TABLE};
    use crate::testing::check;

    #[test]
    fn every_row_is_reached_by_its_names() {
        for name in TABLE.iter().flat_map(|row| row.names.split_whitespace()) {
            assert!(NAMES.holds(name), "{name}");
        }
    }

    #[test]
    fn what_is_found_and_rewritten_is_a_bulk_change() {
        check(
            Verdict::Ask,
            &[
                "find bin -type f -exec strip {} +",
                "find . -type f -perm -111 | xargs strip",
                "find lib -type f -exec patchelf --set-rpath /x {} ';'",
                "find . -type f -exec recode latin1..utf8 {} +",
                "find music -name '*.mp3' -exec id3v2 -D {} +",
                "mat2 --inplace photos/*.jpg",
                "find notebooks -name '*.ipynb' -exec nbstripout {} +",
                "find . -type f -exec xattr -c {} +",
                "xattr -dr com.apple.quarantine App.app && open App.app",
                "xattr -rd com.apple.quarantine App.app",
                "find . -type f -exec chmod 644 {} +",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "strip --strip-debug ./build/server",
                "strip -o out.bin in.bin",
                "patchelf --print-rpath app",
                "id3v2 -l a.mp3",
                "mat2 --show a.jpg",
                "nbstripout notebook.ipynb",
                "xattr -l a.txt",
                "xattr -p com.apple.quarantine a.txt",
                "find . -name '*.go' -exec gofmt -w {} +",
                "find . -name '*.py' -exec black {} +",
                "find . -type d -exec chmod 755 {} +",
                "find . -name '*.sh' -exec chmod +x {} +",
                "find build -type f -exec chmod 644 {} +",
            ],
        );
    }
}
