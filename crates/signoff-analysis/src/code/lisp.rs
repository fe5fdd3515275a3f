//! Lisps: the calls that run programs and delete files, by the first word of each list.

use signoff_model::{Dialect, Span, Unread};

use crate::{
    path_effects::Depth,
    shell::{Language, Shell},
    value::{Arg, Feed, Value},
    words::is_listed,
};

/// How deep lists are read, and how many words.
const DEEPEST: usize = 48;
const MOST: usize = 4096;

/// Functions that run what their texts say, without the name of their module.
const RUNS: &str = "system system* sh shell shell-command shell-command-to-string run-shell-command run-program run-process \
    execute exec process process* sys-system shell-out popen open-pipe open-input-pipe spawn run-command call-process \
    check-output check_output check_call getoutput";
/// Functions that delete a file, and those that delete a tree.
const DELETES: &str = "delete-file delete-if-exists remove-file unlink sys-unlink";
const DELETES_TREE: &str = "delete-directory delete-directory/files delete-tree delete-dir rmtree delete-recursive remove-directory \
    remove-directory* delete-recursively";

/// A word, a text or a list of a program.
#[derive(Debug)]
enum Node {
    Text(String),
    Symbol(String),
    List(Vec<Node>),
}

/// Reads a program; tells whether it is one, and held a call that is known. A text that begins in another way may still
/// be one, or a program in a language that is nearly the same: then only what is plain counts, and the rest is left to
/// whoever reads that.
pub(super) fn run(shell: &mut Shell<'_>, text: &str, span: Span) -> bool {
    if !text.contains('(') {
        return false;
    }
    let is_lisp = text.trim_start().starts_with('(');
    // To some of them a carriage return ends a comment and to others it does not.
    if is_lisp && text.contains(';') && text.contains('\r') {
        shell.opaque(Unread::Code, span);
    }
    let mut reader = Reader { letters: text.chars().peekable(), left: MOST, deep: false, unsure: false };
    let nodes = reader.nodes(0);
    if is_lisp && (reader.deep || reader.left == 0) {
        shell.opaque(Unread::Rest, span);
    }
    if reader.unsure && names_a_deed(text) {
        shell.opaque(Unread::Code, span);
    }
    let mut walk = Walk { shell, span, is_lisp, known: false };
    nodes.iter().for_each(|node| walk.node(node));
    walk.known && is_lisp
}

/// Whether one of the functions stands somewhere in a text, be it in a comment.
fn names_a_deed(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '*');
    let mut words = text.split(|letter: char| !is_part(letter));
    words.any(|word| !word.is_empty() && [RUNS, DELETES, DELETES_TREE].iter().any(|names| is_listed(names, word)))
}

struct Reader<'t> {
    letters: std::iter::Peekable<std::str::Chars<'t>>,
    left: usize,
    /// A list stood deeper than is read.
    deep: bool,
    /// Something stood there that not all of them read in the same way, so that what follows may be a comment or code.
    unsure: bool,
}

impl Reader<'_> {
    /// The nodes up to the end of the list.
    fn nodes(&mut self, depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        while self.left > 0 {
            self.left -= 1;
            let Some(letter) = self.letters.next() else { break };
            match letter {
                ')' | ']' | '}' => break,
                '(' | '[' | '{' if depth < DEEPEST => nodes.push(Node::List(self.nodes(depth + 1))),
                '(' | '[' | '{' => self.deep = true,
                '"' => nodes.push(Node::Text(self.text())),
                // A letter as such, which opens nothing: `\"`, `#\;`, `?;`.
                '\\' => drop(self.letters.next()),
                '?' if self.letters.peek() == Some(&';') => drop(self.letters.next()),
                '#' => self.sharp(),
                // Between bars stands one symbol, or they are symbols themselves.
                '|' => self.unsure = true,
                ';' => while self.letters.next_if(|letter| *letter != '\n').is_some() {},
                letter if letter.is_whitespace() || matches!(letter, '\'' | '`' | ',' | '@') => {}
                letter => {
                    let mut symbol = String::from(letter);
                    let part = |letter: &char| !letter.is_whitespace() && !"()[]{}\";\\|".contains(*letter);
                    while let Some(letter) = self.letters.next_if(part) {
                        symbol.push(letter);
                    }
                    if symbol.ends_with('?') && self.letters.peek() == Some(&';') {
                        self.letters.next();
                    }
                    nodes.push(Node::Symbol(symbol));
                }
            }
        }
        nodes
    }

    /// What follows a sharp sign: a comment with an end of its own, one over a single form, or a prefix.
    fn sharp(&mut self) {
        match self.letters.peek() {
            Some('|') => self.comment(),
            // The form behind it does not count; it is read as if it did.
            Some(';') => drop(self.letters.next()),
            // A line to some of them, and to others everything up to the same signs turned round.
            Some('!') => self.unsure = true,
            _ => {}
        }
    }

    /// A comment between `#|` and `|#`, in which others may stand.
    fn comment(&mut self) {
        let mut depth = 0_usize;
        let mut before = '#';
        for letter in self.letters.by_ref() {
            match (before, letter) {
                ('#', '|') => depth += 1,
                ('|', '#') if depth <= 1 => return,
                ('|', '#') => depth -= 1,
                _ => {
                    before = letter;
                    continue;
                }
            }
            // The same sign does not count for the next one.
            before = ' ';
        }
        self.unsure = true;
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        while let Some(letter) = self.letters.next() {
            match letter {
                '"' => return text,
                '\\' => match self.letters.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('\n') => {}
                    // By number, by name or with a key held: not followed.
                    Some(letter) if letter.is_alphanumeric() || letter == '^' => self.unsure = true,
                    other => text.extend(other),
                },
                letter => text.push(letter),
            }
        }
        text
    }
}

struct Walk<'s, 'f> {
    shell: &'s mut Shell<'f>,
    span: Span,
    is_lisp: bool,
    known: bool,
}

impl Walk<'_, '_> {
    fn node(&mut self, node: &Node) {
        let Node::List(parts) = node else { return };
        if let Some((Node::Symbol(head), rest)) = parts.split_first() {
            self.call(head, rest);
        }
        parts.iter().for_each(|part| self.node(part));
    }

    fn call(&mut self, head: &str, rest: &[Node]) {
        // `delete-directory/files` is a name of its own; elsewhere a module stands before the slash.
        let name = match is_listed(DELETES_TREE, head) {
            true => head,
            false => head.rsplit(['/', ':', '.']).next().unwrap_or(head),
        };
        let tree = is_listed(DELETES_TREE, name);
        let of_system = head.starts_with("os.") || head.starts_with("os/") || head.starts_with("fs/");
        let removes = is_listed(DELETES, name) || of_system && matches!(name, "remove" | "rm" | "rmdir" | "delete");
        if !is_listed(RUNS, name) && !tree && !removes {
            return;
        }
        let mut words = Vec::new();
        gather(rest, &mut words);
        if words.is_empty() || !self.is_lisp && !words.iter().any(|word| matches!(word, Node::Text(_))) {
            return;
        }
        self.known = true;
        let words: Vec<Arg> = words.iter().map(|word| self.word(word)).collect();
        if tree || removes {
            let depth = if tree { Depth::Recursive } else { Depth::Single };
            words.iter().for_each(|word| self.shell.delete(word, depth));
            return;
        }
        match words.as_slice() {
            [first, ..] if words.len() == 1 || first.value.prefix().contains(' ') => {
                self.shell.run_code(Language::Shell(Dialect::Sh), first, Feed::none());
            }
            words => {
                self.shell.run(words, Feed::none(), self.span);
            }
        }
    }

    /// A text as a word; a name stands for something that is not known.
    fn word(&self, node: &Node) -> Arg {
        match node {
            Node::Text(text) => Arg::text(text.clone(), self.span),
            Node::Symbol(name) => Arg { value: Value::unknown(name.clone(), Vec::new()), span: self.span },
            Node::List(_) => Arg { value: Value::unknown("(…)", Vec::new()), span: self.span },
        }
    }
}

/// The texts and names among arguments, those in lists of literals as well.
fn gather<'n>(nodes: &'n [Node], found: &mut Vec<&'n Node>) {
    for node in nodes {
        match node {
            Node::Text(_) => found.push(node),
            // Keywords and truths are settings.
            Node::Symbol(name)
                if name.starts_with([':', '&']) || matches!(name.as_str(), "t" | "nil" | "true" | "false") => {}
            Node::Symbol(_) => found.push(node),
            Node::List(parts) => match parts.split_first() {
                Some((Node::Symbol(head), rest)) if matches!(head.as_str(), "list" | "vector" | "cons" | "quote") => {
                    gather(rest, found);
                }
                Some((Node::Text(_), _)) => gather(parts, found),
                Some(_) => found.push(node),
                None => {}
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn what_stands_behind_a_comment_is_read() {
        check(
            Block,
            &[
                r#"guile -c '#| x |# (system "rm -rf ~")'"#,
                r#"guile -c '#| ; " |# (system "rm -rf ~")'"#,
                r#"guile -c '#| a #| b |# c |# (system "rm -rf ~")'"#,
                r#"guile -c '#;a (system "rm -rf ~")'"#,
                r#"guile -c '(list #;(a) (system "rm -rf ~"))'"#,
                "guile -c '; x\n(system \"rm -rf ~\")'",
                r#"guile -c 'a (system "rm -rf ~")'"#,
                r#"guile -c '"a" (system "rm -rf ~")'"#,
                r#"racket -e '#| a |# (system "rm -rf ~")'"#,
                r#"sbcl --eval '#| x |# (run-program "/bin/rm" (list "-rf" "/etc"))'"#,
                r#"clojure -e '#_ a (sh "rm" "-rf" "/etc")'"#,
                r#"guile -c '(system "ls\nrm -rf ~")'"#,
                r#"guile -c '(display 1) #| x |# (system "rm -rf ~")'"#,
            ],
        );
    }

    #[test]
    fn what_they_do_not_read_alike_is_asked_about() {
        check(
            Ask,
            &[
                r##"guile -c '#! " !# (system "rm -rf src")'"##,
                r#"guile -c '#| (system "rm -rf src")'"#,
                r#"guile -c '(list (quote |"|) (system "rm -rf src") "")'"#,
                r#"guile -c '(system "\x72;m -rf src")'"#,
                r#"guile -c '(system "\162m -rf src")'"#,
            ],
        );
        check(
            Allow,
            &[
                r#"guile -c '#| (system "rm -rf ~") |# (display 1)'"#,
                r#"guile -c '(display "a|b")'"#,
                r#"guile -c '(display "a\n")'"#,
                r#"sbcl --eval '(format t "a~%")'"#,
                r#"racket -e '(displayln (string-append "a" "b"))'"#,
                r#"julia -e '(1:3) |> sum |> println'"#,
                r#"guile -c '(system "ls -l")'"#,
                r#"elixir -e 'IO.puts("a" <> "b")'"#,
            ],
        );
    }
}
