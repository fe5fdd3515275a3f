//! One cmdlet: its parameters, its operands, and what its name says.

use signoff_model::Span;

use super::words::Word;
use crate::{
    code::thing,
    value::{Arg, Feed, Piece, Value},
};

/// One cmdlet with its words.
pub(super) struct Cmdlet<'w> {
    pub(super) name: String,
    pub(super) words: &'w [Word],
    pub(super) stdin: Feed,
    /// What the groups among its words put out.
    pub(super) groups: Feed,
    pub(super) span: Span,
}

impl Cmdlet<'_> {
    pub(super) fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| {
            parameter(word)
                .is_some_and(|found| found == name || name.len() > 3 && found.len() >= 3 && name.starts_with(&found))
        })
    }

    pub(super) fn value(&self, name: &str) -> Option<Arg> {
        let at = self.words.iter().position(|word| {
            parameter(word).is_some_and(|found| found == name || found.len() >= 3 && name.starts_with(&found))
        })?;
        match self.words.get(at + 1)? {
            Word::Text(value, _) => Some(Arg { value: value.clone(), span: self.span }),
            Word::Group(_) | Word::Block(_) => {
                Some(Arg { value: self.groups.clone().into_value("(…)"), span: self.span })
            }
        }
    }

    /// The operands: words without a parameter before them, and the values of these parameters.
    pub(super) fn operands(&self, names: &[&str]) -> Vec<Arg> {
        const SWITCHES: &[&str] = &[
            "recurse",
            "force",
            "r",
            "f",
            "rf",
            "fr",
            "confirm",
            "verbose",
            "passthru",
            "append",
            "whatif",
            "usebasicparsing",
            "rec",
            "fo",
            "nonewline",
            "wait",
            "hidden",
            "directory",
            "file",
            "name",
            "noclobber",
            "raw",
            "tail",
            "nonewwindow",
        ];
        let mut all = Vec::new();
        let mut skip = false;
        for word in self.words {
            if let Some(name) = parameter(word) {
                skip = !SWITCHES.contains(&name.as_str())
                    && !names.iter().any(|wanted| *wanted == name || name.len() >= 2 && wanted.starts_with(&name))
                    && !name.contains(':');
                continue;
            }
            let skipped = std::mem::take(&mut skip);
            if skipped {
                continue;
            }
            match word {
                Word::Text(value, quoted) => {
                    let value = if *quoted || !value.shown().contains(['*', '?']) {
                        value.clone()
                    } else {
                        thing::pattern(value)
                    };
                    let value = if value.has_glob() { value } else { thing::pattern(&value) };
                    let value = slashes(&value);
                    all.push(Arg { value, span: self.span });
                }
                Word::Group(_) if !names.is_empty() => {
                    all.push(Arg { value: self.groups.clone().into_value("(…)"), span: self.span });
                }
                Word::Group(_) | Word::Block(_) => {}
            }
        }
        all
    }

    pub(super) fn all(&self) -> Vec<Arg> {
        let groups = self.groups.clone().into_value("(…)");
        self.words
            .iter()
            .map(|word| match word {
                Word::Text(value, _) => Arg { value: value.clone(), span: self.span },
                Word::Group(_) => Arg { value: groups.clone(), span: self.span },
                Word::Block(code) => Arg::text(format!("{{{code}}}"), self.span),
            })
            .collect()
    }

    pub(super) fn shown(&self, written: &str) -> String {
        self.words.first().map_or_else(
            || written.to_owned(),
            |word| match word {
                Word::Text(value, _) => format!("{written} {}", value.shown()),
                _ => written.to_owned(),
            },
        )
    }
}

/// A path with the slashes of other systems.
pub(super) fn with_slashes(arg: &Arg) -> Arg {
    Arg { value: slashes(&arg.value), span: arg.span }
}

/// Paths are written with either slash; a drive letter keeps its own.
fn slashes(value: &Value) -> Value {
    let mut all = Value::default();
    for piece in value.pieces() {
        all.push(match piece {
            Piece::Text(text) if !text.contains(':') => Piece::text(text.replace('\\', "/")),
            Piece::Glob(text) => Piece::glob(text.replace('\\', "/")),
            piece => piece.clone(),
        });
    }
    all
}

fn parameter(word: &Word) -> Option<String> {
    match word {
        Word::Text(value, false) => {
            let name = value.prefix().strip_prefix('-')?;
            name.starts_with(|letter: char| letter.is_alphabetic())
                .then(|| name.split(':').next().unwrap_or(name).to_ascii_lowercase())
        }
        _ => None,
    }
}

pub(super) fn is_cmdlet(name: &str) -> bool {
    name.split_once('-').is_some_and(|(verb, noun)| {
        !noun.is_empty()
            && matches!(
                verb,
                "get"
                    | "set"
                    | "new"
                    | "remove"
                    | "add"
                    | "clear"
                    | "start"
                    | "stop"
                    | "restart"
                    | "test"
                    | "write"
                    | "read"
                    | "out"
                    | "import"
                    | "export"
                    | "convertto"
                    | "convertfrom"
                    | "convert"
                    | "select"
                    | "sort"
                    | "where"
                    | "foreach"
                    | "format"
                    | "measure"
                    | "compare"
                    | "join"
                    | "split"
                    | "resolve"
                    | "invoke"
                    | "update"
                    | "install"
                    | "uninstall"
                    | "enable"
                    | "disable"
                    | "register"
                    | "unregister"
                    | "wait"
                    | "show"
                    | "find"
                    | "save"
                    | "copy"
                    | "move"
                    | "rename"
                    | "group"
                    | "tee"
                    | "expand"
                    | "compress"
                    | "push"
                    | "pop"
                    | "use"
                    | "trace"
                    | "debug"
            )
    })
}

/// Whether a cmdlet changes the machine.
pub(super) fn changes_system(name: &str) -> bool {
    let Some((verb, noun)) = name.split_once('-') else { return false };
    match noun {
        "computer" => matches!(verb, "restart" | "stop" | "rename" | "remove" | "add" | "reset"),
        "service" => matches!(verb, "stop" | "restart" | "set" | "new" | "remove" | "start" | "suspend"),
        "executionpolicy"
        | "acl"
        | "mppreference"
        | "netfirewallprofile"
        | "netfirewallrule"
        | "localuser"
        | "localgroup"
        | "localgroupmember"
        | "scheduledtask"
        | "itemproperty"
        | "windowsfeature"
        | "windowsoptionalfeature"
        | "smbshare"
        | "netadapter"
        | "dnsclientserveraddress"
        | "date"
        | "timezone"
        | "psrepository"
        | "eventlog"
        | "bitlocker"
        | "vm"
        | "adaccount"
        | "aduser"
        | "adgroup"
        | "adcomputer"
        | "mailbox"
        | "process"
        | "package"
        | "module"
        | "appxpackage"
        | "azresourcegroup"
        | "azvm" => {
            let additive = matches!(noun, "module" | "package") && matches!(verb, "import" | "get" | "new");
            !additive
                && matches!(
                    verb,
                    "set"
                        | "new"
                        | "remove"
                        | "disable"
                        | "enable"
                        | "add"
                        | "clear"
                        | "register"
                        | "unregister"
                        | "install"
                        | "uninstall"
                        | "stop"
                        | "limit"
                        | "suspend"
                        | "rename"
                )
        }
        _ => verb == "remove" && (noun.starts_with("az") || noun.starts_with("ad")),
    }
}
