//! Writes shell texts out of a row of choices, and knows which commands stand in them. The choices are bytes, so that a
//! property test can draw and shrink them; a row that has ended chooses the plainest of everything.

use signoff_model::Dialect;

/// A text and the names of the simple commands in it, each of them once.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) names: Vec<String>,
}

/// Writes a text.
pub(crate) fn write(choices: &[u8], dialect: Dialect) -> Written {
    let mut writer = Writer {
        choices,
        dialect,
        names: Vec::new(),
        tags: 0,
        depth: 0,
        size: 0,
        here: Vec::new(),
        one_line: false,
        quoted: false,
    };
    let mut text = writer.list();
    text.push_str(&writer.line_end());
    Written { text, names: writer.names }
}

struct Writer<'a> {
    choices: &'a [u8],
    dialect: Dialect,
    names: Vec<String>,
    /// How many delimiters and functions have names so far.
    tags: usize,
    depth: usize,
    size: usize,
    /// The lines of the heredocs whose bodies come after the next line end.
    here: Vec<String>,
    /// Whether the text must stay on its line, because a heredoc outside waits for its end.
    one_line: bool,
    /// Whether back-quotes are around: then the text is written once more, with backslashes.
    quoted: bool,
}

impl Writer<'_> {
    fn pick(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(*first) % count
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        choices[self.pick(choices.len())].to_owned()
    }

    fn may_go_on(&self) -> bool {
        self.depth < 5 && self.size < 60 && !self.choices.is_empty()
    }

    fn deeper(&mut self, inside: impl FnOnce(&mut Self) -> String) -> String {
        self.depth += 1;
        self.size += 1;
        let text = inside(self);
        self.depth -= 1;
        text
    }

    fn tag(&mut self) -> usize {
        self.tags += 1;
        self.tags
    }

    fn name(&mut self) -> String {
        let name = format!("c{}", self.names.len());
        self.names.push(name.clone());
        name
    }

    /// The end of a line with the heredoc bodies behind it.
    fn line_end(&mut self) -> String {
        let mut text =
            if self.pick(6) == 1 && !self.quoted { " # it's a \"comment $(".to_owned() } else { String::new() };
        text.push('\n');
        for body in self.here.drain(..) {
            text.push_str(&body);
        }
        text
    }

    /// What stands between commands, or before a closing word.
    fn separator(&mut self) -> String {
        if self.one_line {
            return "; ".to_owned();
        }
        if self.here.is_empty() && self.pick(2) == 0 { "; ".to_owned() } else { self.line_end() }
    }

    fn list(&mut self) -> String {
        let mut text = self.and_or();
        for _ in 0..self.pick(3) {
            if !self.may_go_on() {
                break;
            }
            match self.pick(6) {
                5 if self.dialect == Dialect::Zsh => text.push_str(&self.one_of(&[" &| ", " &! "])),
                4 | 5 => text.push_str(" & "),
                _ => text.push_str(&self.separator()),
            }
            text.push_str(&self.and_or());
        }
        text
    }

    /// A list that stands between words such as `then` and `fi`.
    fn inner(&mut self) -> String {
        self.deeper(|writer| {
            let list = writer.list();
            format!("{list}{}", writer.separator())
        })
    }

    /// A list in brackets of its own. Its heredocs end inside.
    fn enclosed(&mut self) -> String {
        let waiting = !self.here.is_empty();
        let here = std::mem::take(&mut self.here);
        let one_line = self.one_line;
        self.one_line |= waiting;
        let text = self.deeper(|writer| {
            let mut list = writer.list();
            if !writer.here.is_empty() {
                list.push_str(&writer.line_end());
            }
            list
        });
        self.here = here;
        self.one_line = one_line;
        text
    }

    fn and_or(&mut self) -> String {
        let mut text = self.pipeline();
        while self.may_go_on() && self.pick(4) == 1 {
            text.push_str(&self.one_of(&[" && ", " || ", "&&", "||"]));
            if !self.one_line && self.pick(4) == 1 {
                text.push_str(&self.line_end());
            }
            text.push_str(&self.pipeline());
        }
        text
    }

    fn pipeline(&mut self) -> String {
        let mut text = match self.pick(12) {
            1 => "! ".to_owned(),
            2 if self.dialect != Dialect::Sh && self.depth == 0 => "time ".to_owned(),
            _ => String::new(),
        };
        text.push_str(&self.command());
        while self.may_go_on() && self.pick(4) == 1 {
            text.push_str(if self.dialect != Dialect::Sh && self.pick(5) == 1 { " |& " } else { " | " });
            text.push_str(&self.command());
        }
        text
    }

    fn command(&mut self) -> String {
        if !self.may_go_on() || self.pick(2) == 0 {
            return self.simple();
        }
        self.deeper(|writer| {
            let short = writer.dialect == Dialect::Zsh && writer.pick(3) == 1;
            let mut text = if short { writer.zsh_compound() } else { writer.compound() };
            if writer.pick(6) == 1 {
                text.push_str(&writer.redirect());
            }
            text
        })
    }

    fn compound(&mut self) -> String {
        let choices = if self.dialect == Dialect::Sh { 9 } else { 14 };
        match self.pick(choices) {
            0 => format!("{{ {}}}", self.inner()),
            1 => format!("( {})", self.enclosed_with_end()),
            2 => {
                let mut text = format!("if {}then {}", self.inner(), self.inner());
                if self.pick(3) == 1 {
                    text.push_str(&format!("elif {}then {}", self.inner(), self.inner()));
                }
                if self.pick(2) == 1 {
                    text.push_str(&format!("else {}", self.inner()));
                }
                text.push_str("fi");
                text
            }
            3 => format!("while {}do {}done", self.inner(), self.inner()),
            4 => format!("until {}do {}done", self.inner(), self.inner()),
            5 => format!("for x in {}{}do {}done", self.words(), self.separator(), self.inner()),
            6 => format!("for x do {}done", self.inner()),
            7 => self.case(),
            8 => format!("f{}() {{ {}}}", self.tag(), self.inner()),
            9 => format!("for ((i = {}; i < 2; i++)); do {}done", self.number(), self.inner()),
            10 => self.test(),
            11 => format!("((x > {}))", self.number()),
            12 => format!("select x in {}; do {}done", self.words(), self.inner()),
            _ => format!("function f{} {{ {}}}", self.tag(), self.inner()),
        }
    }

    fn enclosed_with_end(&mut self) -> String {
        let list = self.enclosed();
        if list.ends_with('\n') { list } else { format!("{list} ") }
    }

    fn case(&mut self) -> String {
        let mut text = format!("case {} in ", self.word());
        for _ in 0..=self.pick(2) {
            let open = self.one_of(&["", "("]);
            let pattern = self.one_of(&["a", "a|b", "*", "[ab]*", "'a b'|\"c\"", "?"]);
            let end = if self.dialect == Dialect::Sh { ";;".to_owned() } else { self.one_of(&[";;", ";;", ";&"]) };
            text.push_str(&format!("{open}{pattern}) {}{end} ", self.inner_line()));
        }
        text.push_str("esac");
        text
    }

    /// A list before `;;`, which takes no `;` of its own.
    fn inner_line(&mut self) -> String {
        self.deeper(|writer| {
            let list = writer.list();
            if writer.here.is_empty() || writer.one_line {
                format!("{list} ")
            } else {
                format!("{list}{}", writer.line_end())
            }
        })
    }

    fn test(&mut self) -> String {
        // A word that begins with a bracket would be a group.
        let word = format!("a{}", self.word());
        match self.pick(4) {
            0 => format!("[[ -f {word} ]]"),
            1 => format!("[[ {word} == a* && ( a{} < b || ! -n c ) ]]", self.word()),
            2 => format!("[[ {word} =~ ^(a|b)$ ]]"),
            _ => format!("[[ {word} ]]"),
        }
    }

    fn zsh_compound(&mut self) -> String {
        match self.pick(12) {
            0 => format!("{{ {}}} always {{ {}}}", self.inner(), self.inner()),
            1 => format!("for x ({}) {{ {}}}", self.words(), self.inner()),
            2 => format!("for x ({}) {}", self.words(), self.simple()),
            3 => format!("repeat 2 {}", self.simple()),
            4 => format!("repeat {}; do {}done", self.word(), self.inner()),
            5 => format!("() {{ {}}}", self.inner()),
            6 => format!("if [[ -n {} ]] {{ {}}} else {{ {}}}", self.word(), self.inner(), self.inner()),
            7 => format!("foreach x ({}); {}end", self.words(), self.inner()),
            8 => format!("while (({})) {{ {}}}", self.number(), self.inner()),
            9 => format!("for x y in {}; do {}done", self.words(), self.inner()),
            10 => format!("function {{ {}}}", self.inner()),
            _ => format!("if ({}) {}", self.enclosed(), self.simple()),
        }
    }

    fn words(&mut self) -> String {
        let mut text = self.word();
        for _ in 0..self.pick(3) {
            text.push(' ');
            text.push_str(&self.word());
        }
        text
    }

    fn simple(&mut self) -> String {
        let mut text = String::new();
        if self.pick(8) == 1 {
            let operator = if self.dialect == Dialect::Sh { "=".to_owned() } else { self.one_of(&["=", "=", "+="]) };
            let value = if self.dialect != Dialect::Sh && self.pick(4) == 1 {
                format!("({})", self.words())
            } else {
                self.word()
            };
            text.push_str(&format!("v{operator}{value} "));
        }
        if self.pick(10) == 1 {
            text.push_str(self.redirect().trim_start());
            text.push(' ');
        }
        text.push_str(&self.name());
        for _ in 0..self.pick(4) {
            text.push_str(&self.one_of(&[" ", " ", "  ", " \\\n ", "\t"]));
            text.push_str(&self.word());
        }
        if self.pick(5) == 1 {
            text.push_str(&self.redirect());
        }
        text
    }

    fn redirect(&mut self) -> String {
        let choices = match self.dialect {
            Dialect::Sh => 6,
            Dialect::Bash => 9,
            Dialect::Zsh => 10,
        };
        match self.pick(choices) {
            0 => format!(" >{}", self.file()),
            1 => format!(" 2>> {}", self.file()),
            2 => format!(" <{}", self.file()),
            3 => " 2>&1".to_owned(),
            4 | 5 if self.one_line => " >|o".to_owned(),
            4 => self.here_document(),
            5 => format!(" <> {}", self.file()),
            6 => format!(" <<< {}", self.word()),
            7 => format!(" &>{}", self.file()),
            8 if self.dialect == Dialect::Bash => " {fd}>&-".to_owned(),
            _ => self.one_of(&[" >! o", " >>! o", " >&| o", " >>| o"]),
        }
    }

    /// A file to which something is redirected. A pattern there is an error in bash when it names several.
    fn file(&mut self) -> String {
        match self.pick(3) {
            1 if self.may_go_on() => self.substitution(),
            2 => "\"$x\"".to_owned(),
            _ => "o".to_owned(),
        }
    }

    fn here_document(&mut self) -> String {
        let delimiter = format!("E{}", self.tag());
        let (quote, dash, indent) = match self.pick(4) {
            1 => ("'", "", ""),
            2 => ("", "-", "\t"),
            3 => ("\"", "-", "\t\t"),
            _ => ("", "", ""),
        };
        let mut body = String::new();
        for _ in 0..=self.pick(3) {
            let line = if quote.is_empty() && self.may_go_on() && self.pick(2) == 1 {
                // What runs in a body stays on its line, because the lines of the body are looked at first.
                let one_line = std::mem::replace(&mut self.one_line, true);
                let here = std::mem::take(&mut self.here);
                let line = format!("don't \"say\" {}", self.substitution());
                self.here = here;
                self.one_line = one_line;
                line.replace("\\\n", "")
            } else {
                self.one_of(&["it's $x", "plain", "# no \"comment", "a \\$(b) c", ""])
            };
            body.push_str(&format!("{indent}{line}\n"));
        }
        self.here.push(format!("{body}{indent}{delimiter}\n"));
        format!(" <<{dash}{quote}{delimiter}{quote}")
    }

    fn number(&mut self) -> String {
        if self.may_go_on() && self.pick(3) == 1 {
            self.substitution()
        } else {
            self.one_of(&["1", "x + 1", "(2 * 3)", "$x"])
        }
    }

    fn substitution(&mut self) -> String {
        match self.pick(4) {
            1 => self.back_quotes(),
            _ => self.parenthesised("$("),
        }
    }

    /// A substitution. Two opening brackets in a row are arithmetic if they close so, and always to a plain sh.
    fn parenthesised(&mut self, open: &str) -> String {
        let inside = self.enclosed();
        let blank = if inside.starts_with('(') { " " } else { "" };
        format!("{open}{blank}{inside})")
    }

    fn back_quotes(&mut self) -> String {
        let one_line = std::mem::replace(&mut self.one_line, true);
        let quoted = std::mem::replace(&mut self.quoted, true);
        let text = self.enclosed();
        self.quoted = quoted;
        self.one_line = one_line;
        let mut inside = String::new();
        for character in text.chars() {
            if matches!(character, '\\' | '`' | '$') {
                inside.push('\\');
            }
            inside.push(character);
        }
        format!("`{inside}`")
    }

    fn word(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.pick(2) {
            text.push_str(&self.piece());
        }
        text
    }

    fn piece(&mut self) -> String {
        if !self.may_go_on() {
            return "a".to_owned();
        }
        let choices = if self.dialect == Dialect::Sh { 10 } else { 14 };
        self.deeper(|writer| match writer.pick(choices) {
            0 => writer.one_of(&["a", "-f", "./b/c", "{a,b}", "x=y", "~", "a:b", "%", "1", "a#b"]),
            1 => writer
                .one_of(&["'it is'", "'a\"b'", "''", "'$(no)'", "'\\'", "'`'"])
                .replace('`', if writer.quoted { "" } else { "`" }),
            2 => writer.double_quoted(),
            3 => writer.one_of(&["\\'", "\\\"", "\\$", "\\;", "\\ b", "\\\\", "\\&"]),
            4 => writer.one_of(&["$x", "${x}", "$1", "$?", "$#", "$@", "${#x}"]),
            5 | 6 => writer.substitution(),
            7 => writer.parameter(),
            8 => format!("$(({}))", writer.number()),
            9 => writer.one_of(&["*", "?", "[ab]", "*.c"]),
            10 => writer.one_of(&["$'a\\'b'", "$'\\x61'", "$\"a\""]),
            11 => format!("<({})", writer.enclosed()),
            12 if writer.dialect == Dialect::Zsh => writer.zsh_piece(),
            12 => writer.one_of(&["@(a|b)", "+(a)", "*(a|'b c')", "?(a)b"]),
            _ => format!(">({})", writer.enclosed()),
        })
    }

    fn zsh_piece(&mut self) -> String {
        match self.pick(6) {
            0 => self.one_of(&["*(.)", "*(.om[1])", "**/*(/N)", "a(b|c)*", "<1-9>", "<->", "*.c~b.c", "^a"]),
            1 => self.one_of(&["${(f)x}", "${(j:,:)x}", "${(@)x}", "${x:h}", "${=x}", "$+x", "${x:#a*}", "${(s. .)x}"]),
            2 => format!("${{(f)\"{}\"}}", self.parenthesised("$(")),
            3 => format!("${{{}:t}}", self.parenthesised("$(")),
            4 => format!("${{${{x}}:-{}}}", self.parenthesised("$(")),
            _ => "$x[1]".to_owned(),
        }
    }

    fn double_quoted(&mut self) -> String {
        // Inside back-quotes inside double quotes a backslash is taken away twice, which few shells agree about.
        let mut text = "\"".to_owned();
        for _ in 0..=self.pick(2) {
            let piece = match self.pick(6) {
                1 if self.may_go_on() => self.parenthesised("$("),
                2 if self.may_go_on() => format!("${{x:-{}}}", self.parenthesised("$(")),
                3 => "$x".to_owned(),
                4 => "\\\"".to_owned(),
                5 => "it's".to_owned(),
                _ => "a b".to_owned(),
            };
            text.push_str(&piece);
        }
        text.push('"');
        text
    }

    fn parameter(&mut self) -> String {
        let inside = match self.pick(3) {
            1 if self.may_go_on() => self.substitution(),
            2 => self.one_of(&["'a b'", "\"$y\"", "a*", "$y"]),
            _ => "a".to_owned(),
        };
        let operators: &[&str] = if self.dialect == Dialect::Sh {
            &[":-", "-", ":=", "+", "#", "%%"]
        } else {
            &[":-", "+", "##", "%", "/a/", "//"]
        };
        let operator = self.one_of(operators);
        format!("${{x{operator}{inside}}}")
    }
}
