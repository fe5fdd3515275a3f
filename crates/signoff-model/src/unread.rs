use std::{borrow::Cow, fmt};

/// Declares [`Unread`]: each variant with the names that it holds, its stable name on the wire, and what it is called in
/// English, where `{}` stands for a name.
macro_rules! unread {
    ($($(#[$about:meta])* $variant:ident $(($($name:ident),+))? => $kind:literal, $english:literal;)+) => {
        /// What could not be read, as a person would name it.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Unread {
            $($(#[$about])* $variant $(($(unread!(@held $name)),+))?,)+
        }

        impl Unread {
            /// The stable name of the kind, used on the wire.
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $kind,)+
                }
            }

            /// What it is called in English; `{}` stands for a name.
            pub const fn english(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $english,)+
                }
            }

            /// The names in it, in the order of the English words.
            pub fn names(&self) -> Vec<&str> {
                match self {
                    $(Self::$variant $(($($name),+))? => vec![$($($name.as_str()),+)?],)+
                }
            }

            /// The same names, to be written in another way.
            pub fn names_mut(&mut self) -> Vec<&mut String> {
                match self {
                    $(Self::$variant $(($($name),+))? => vec![$($($name),+)?],)+
                }
            }

            /// One of each kind, with `name` for every name.
            pub fn of_each_kind(name: &str) -> Vec<Self> {
                vec![$(Self::$variant $(($(unread!(@filled $name name)),+))?,)+]
            }
        }
    };
    (@held $name:ident) => { String };
    (@filled $name:ident $value:ident) => { $value.to_owned() };
}

unread! {
    /// A part of the operation, as it is written there.
    Part(shown) => "part", "{}";
    /// Something that is too long or takes too much work: what is left of it.
    Rest => "rest", "the rest of it";
    /// The work that may be spent on one operation is spent.
    Budget => "budget", "the budget is spent";
    /// More ways through the text than are followed.
    Branches => "branches", "values that depend on too many branches";
    /// A function that calls itself with ever new arguments.
    Recursion(function) => "recursion", "the function {}, which calls itself";

    /// A word or sign that the grammar does not allow where it stands.
    Misplaced => "misplaced", "a word or sign that cannot stand there";
    /// A quote without its end.
    OpenQuote => "open-quote", "a quote that does not end";
    /// A bracket without its end.
    OpenBracket => "open-bracket", "a bracket that does not end";
    /// A compound command without its end.
    OpenCompound => "open-compound", "a compound command that does not end";
    /// A heredoc without its end.
    OpenHereDocument => "open-heredoc", "a heredoc that does not end";
    /// An expansion that no shell takes.
    BadExpansion => "bad-expansion", "an expansion that the shell refuses";
    /// A text with too many levels.
    TooDeep => "too-deep", "it is nested too deeply";
    /// A text that is too long.
    TooLong => "too-long", "it is too long";
    /// A text that takes too much work to parse.
    TooMuchWork => "too-much-work", "it takes too much work";

    /// A program whose name is not known.
    ProgramName => "program-name", "the name of the program is not known";
    /// A program file.
    Program(path) => "program", "the program {}";
    /// A program under another name.
    Copy(program) => "copy", "a copy of {}";
    /// A script file.
    Script(path) => "script", "the script {}";
    /// The scripts of a directory.
    Scripts(directory) => "scripts", "every script in {}";
    /// A module of a language.
    Module(name) => "module", "the module {}";
    /// A file of something that was fetched.
    Fetched(path, from) => "fetched", "{} out of {}";
    /// The answer of another machine.
    Sent(address) => "sent", "what {} sends";
    /// What a pipe or a file hands over.
    Inflow => "inflow", "what flows in";
    /// What stands in a file, line by line or word by word.
    NamedBy(file) => "named-by", "whatever {} names";
    /// What a program gets from outside the text.
    GivenTo(program) => "given-to", "whatever {} is given";
    /// What a decoder gives.
    Decoded => "decoded", "what was decoded";

    /// Code of some language.
    Code => "code", "code";
    /// Code with too many levels.
    DeepCode(language) => "deep-code", "deeply nested {}";
    /// Code that is too long.
    LongCode(language) => "long-code", "a long {} script";
    /// Code that stands in a variable.
    VariableCode => "variable-code", "eval of a variable";
    /// Code that stands in an address.
    DataImport => "data-import", "import of a data address";
    /// Code that is handed on as a value.
    ScriptBlock => "script-block", "a script block";
    /// A builtin that the shell loads from a library.
    LibraryBuiltin => "library-builtin", "a builtin from a library";
    /// What an alias of git stands for.
    GitAlias(meaning) => "git-alias", "git alias {}";
    /// PostScript that may reach files.
    PostScript => "postscript", "PostScript without its safety";
    /// Lines that sed makes and runs.
    SedLines => "sed-lines", "the lines that sed executes";
    /// An expression that runs a command.
    MillerCommand => "miller-command", "a miller expression that runs a command";

    /// What an editor is told from outside the text.
    EditorInput => "editor-input", "the commands that the editor gets";
    /// What an editor runs as code.
    EditorCode(word) => "editor-code", "code inside the editor: {}";
    /// What an editor pipes into a shell.
    EditorOutput => "editor-output", "what the editor hands to a shell";
    /// A command that an editor makes out of parts.
    EditorCommand => "editor-command", "a command that the editor puts together";
    /// What ed is told from outside the text.
    EdInput => "ed-input", "the commands that ed gets";
    /// Commands of ed that a patch holds.
    EdPatch => "ed-patch", "an ed script inside a patch";
    /// Emacs Lisp.
    EmacsExpression => "emacs-expression", "an expression of emacs";
    /// Commands of the editor kak.
    KakCommands => "kak-commands", "commands of kak";

    /// The arguments of a tool.
    Arguments(tool) => "arguments", "arguments of {}";
    /// Commands in the arguments of a tool beyond those that are read.
    FurtherCommands => "further-commands", "further commands among the arguments";
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(self.english(), str::to_owned))
    }
}

impl Unread {
    /// What flows in, if this is how it is called in English where it stands for a path.
    pub fn flowing(text: &str) -> Option<Self> {
        let named = |one: Self| {
            let (before, after) = one.english().split_once("{}")?;
            text.strip_prefix(before)?.strip_suffix(after).map(str::to_owned)
        };
        if text == Self::Inflow.english() {
            return Some(Self::Inflow);
        }
        let file = named(Self::NamedBy(String::new())).map(Self::NamedBy);
        file.or_else(|| named(Self::GivenTo(String::new())).map(Self::GivenTo))
    }

    /// The words of some language about it, with its names put in as `shown` shows them.
    pub fn told(&self, words: &str, shown: impl Fn(&str) -> String) -> String {
        let mut parts = words.split("{}");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (name, part) in self.names().into_iter().zip(parts) {
            text.push_str(&shown(name));
            text.push_str(part);
        }
        text
    }
}

/// A text that is not a phrase of ours is a part of the operation.
impl From<String> for Unread {
    fn from(shown: String) -> Self {
        Self::Part(shown)
    }
}

/// A text that is not a phrase of ours is a part of the operation.
impl From<Cow<'_, str>> for Unread {
    fn from(shown: Cow<'_, str>) -> Self {
        Self::Part(shown.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Unread;

    #[test]
    fn what_flows_in_is_found_again_by_its_words() {
        for unread in [Unread::Inflow, Unread::NamedBy("list.txt".to_owned()), Unread::GivenTo("xargs".to_owned())] {
            assert_eq!(Unread::flowing(&unread.to_string()), Some(unread));
        }
        assert_eq!(Unread::flowing("$DIR"), None);
    }

    #[test]
    fn kinds_are_apart_and_their_words_hold_their_names() {
        let all = Unread::of_each_kind("X");
        let kinds: HashSet<_> = all.iter().map(Unread::kind).collect();
        assert_eq!(kinds.len(), all.len());
        for unread in &all {
            assert_eq!(unread.english().matches("{}").count(), unread.names().len(), "{unread:?}");
            assert_eq!(unread.to_string(), unread.english().replace("{}", "X"));
        }
    }
}
