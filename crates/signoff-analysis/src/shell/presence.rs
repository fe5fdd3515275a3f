//! Files of which the text itself says whether they were there before: those that it has replaced, and those that a test
//! has found missing. Deleting the first loses nothing, and writing the second overwrites nothing.

use compact_str::CompactString;

use super::{
    machine::Shell,
    syntax::tree::{Command, Compound, ParameterOperation, Pipeline, Word, WordPart},
};
use crate::{
    path_effects::Write,
    place::{Extent, Nature, Place},
    value::Arg,
    value::Value,
};

/// More files than this are not followed: they count as having been there.
const MAX_FILES: usize = 64;

/// What the text knows about files that stood somewhere before it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Presence {
    /// Files whose content the text has surely replaced by its own.
    replaced: Vec<String>,
    /// Files that are surely missing.
    missing: Vec<String>,
    /// Places that something was moved to, and surely back again.
    returned: Vec<String>,
}

impl Presence {
    /// What holds in both of two ways through the text.
    pub(super) fn in_both(&mut self, other: &Self) {
        self.replaced.retain(|path| other.replaced.contains(path));
        self.missing.retain(|path| other.missing.contains(path));
        self.returned.retain(|path| other.returned.contains(path));
    }
}

impl<'a> Shell<'a> {
    /// How a place is written, if the text knows that nothing stands there; remembers what is gone when it is replaced.
    pub(super) fn writing(&mut self, place: &Place, how: Write) -> Write {
        if place.extent != Extent::Exact {
            return how;
        }
        let presence = &self.state.presence;
        match how {
            Write::Replace | Write::Empty if presence.missing.contains(&place.path) => Write::New,
            Write::Replace => {
                if presence.replaced.len() < MAX_FILES && !presence.replaced.contains(&place.path) {
                    self.state.presence.replaced.push(place.path.clone());
                }
                how
            }
            Write::New | Write::Append | Write::Edit | Write::Empty => how,
        }
    }

    /// The text has put a file of its own where the argument leads.
    pub fn replaces(&mut self, arg: &Arg) {
        let place = self.place(&arg.value);
        self.writing(&place, Write::Replace);
    }

    /// Something is moved: what stands anywhere may be what stood somewhere else before.
    pub(super) fn forget_presence(&mut self) {
        self.moves = true;
        self.state.presence.replaced.clear();
        self.state.presence.missing.clear();
        self.forget_made();
    }

    /// What was moved to a place has left it for where it came from, or stands there again.
    pub(super) fn has_returned(&mut self, path: &str, returned: bool) {
        let presence = &self.state.presence;
        if presence.returned.iter().any(|known| known == path) == returned {
            return;
        }
        if !returned {
            self.state.presence.returned.retain(|known| known != path);
        } else if presence.returned.len() < MAX_FILES {
            self.state.presence.returned.push(path.to_owned());
        }
    }

    /// Whether what was moved to a place has surely left it again for where it came from.
    pub(super) fn is_returned(&self, path: &str) -> bool {
        self.state.presence.returned.iter().any(|known| known == path)
    }

    /// Whether the text has surely put its own content there, since something was moved the last time.
    pub(super) fn has_replaced(&self, path: &str) -> bool {
        self.state.presence.replaced.iter().any(|replaced| replaced == path)
    }

    /// Whether what stands there is what the text itself has written, in the place of an ordinary file.
    pub fn is_own_file(&self, place: &Place) -> bool {
        !self.moves
            && place.extent == Extent::Exact
            && place.nature == Nature::Ordinary
            && self.state.presence.replaced.contains(&place.path)
    }

    /// Does `body` knowing that the pipeline before it has ended so: `[ -f x ] || body`, `[ ! -f x ] && body`.
    pub(super) fn knowing<T>(
        &mut self,
        test: Option<&'a Pipeline<'a>>,
        succeeded: bool,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let Some(path) = test.and_then(|test| self.missing_after(test, succeeded)) else { return body(self) };
        let outer = self.state.presence.missing.clone();
        if outer.len() < MAX_FILES {
            self.state.presence.missing.push(path);
        }
        let result = body(self);
        self.state.presence.missing.retain(|path| outer.contains(path));
        result
    }

    /// The file that is missing if a test has ended so.
    fn missing_after(&self, test: &'a Pipeline<'a>, succeeded: bool) -> Option<String> {
        let words: &'a [Word<'a>] = match test.commands {
            [Command::Simple(simple)] if simple.redirects.is_empty() && simple.assignments.is_empty() => {
                let (program, rest) = simple.words.split_first()?;
                match self.plain(program)?.as_str() {
                    name @ ("test" | "[") if self.state.functions.contains_key(name) => return None,
                    "test" => rest,
                    "[" => rest.split_last()?.1,
                    _ => return None,
                }
            }
            [Command::Compound(compound)] => match &compound.kind {
                Compound::Test(words) => words,
                _ => return None,
            },
            _ => return None,
        };
        let (negated, operator, path) = match words {
            [bang, operator, path] if self.plain(bang)? == "!" => (true, operator, path),
            [operator, path] => (false, operator, path),
            _ => return None,
        };
        let found = succeeded != (negated != test.negated);
        if found
            || !self.state.settings.elsewhere.is_empty()
            || !matches!(self.plain(operator)?.as_str(), "-f" | "-e" | "-s")
        {
            return None;
        }
        let place = self.resolved(&Value::text(self.plain(path)?));
        (place.extent == Extent::Exact).then_some(place.path.clone())
    }

    /// The text of a word in which nothing runs and no name stands for several files.
    fn plain(&self, word: &'a Word<'a>) -> Option<CompactString> {
        let mut text = CompactString::default();
        self.add_plain(word.parts, &mut text).then_some(text)
    }

    fn add_plain(&self, parts: &'a [WordPart<'a>], text: &mut CompactString) -> bool {
        parts.iter().all(|part| match part {
            WordPart::Literal(part) if text.is_empty() && matches!(*part, "[" | "]" | "]]") => {
                text.push_str(part);
                true
            }
            WordPart::Literal(part) if part.contains(['*', '?', '[', '{']) => false,
            WordPart::Literal(part) | WordPart::SingleQuoted(part) => {
                text.push_str(part);
                true
            }
            WordPart::DoubleQuoted(parts) => self.add_plain(parts, text),
            WordPart::Parameter(parameter) if matches!(parameter.operation, ParameterOperation::Value) => {
                match self.variable(parameter.name).and_then(|value| value.known()) {
                    Some(value) if parameter.index.is_none() && !parameter.indirect => {
                        text.push_str(value);
                        true
                    }
                    _ => false,
                }
            }
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn a_file_that_is_missing_is_made() {
        check(
            Verdict::Allow,
            &[
                "[ -f .env ] || cp .env.example .env",
                "test -f .env || cp .env.example .env",
                "[ ! -f .env ] && cp .env.example .env",
                "[[ ! -e .env ]] && cp .env.example .env",
                "if [ ! -f .env ]; then cp .env.example .env; fi",
                "if ! [ -e .env ]; then cp .env.example .env; fi",
                "if [ -f .env ]; then echo there; else cp .env.example .env; fi",
                "F=.env; [ -f \"$F\" ] || cp .env.example \"$F\"",
                "[ -s .env ] || echo KEY= > .env",
            ],
        );
    }

    #[test]
    fn a_file_that_may_be_there_is_overwritten() {
        check(
            Verdict::Ask,
            &[
                "[ -f .env ] && cp .env.example .env",
                "[ -d .env ] || cp .env.example .env",
                "[ -f .env.local ] || cp .env.example .env",
                "cd sub; [ -f .env ] || cp .env.example .env",
                "true && [ -f .env ] || cp .env.example .env",
                "x || [ ! -f .env ] && cp .env.example .env",
                "[ -f .env ] || make && cp .env.example .env",
                "if [ -f .env ]; then cp .env.example .env; fi",
                "if [ ! -f x ] || y; then cp .env.example .env; fi",
                "if [ ! -f .env ]; then a; else cp .env.example .env; fi",
                "[ -f .env ] || make; cp .env.example .env",
                "[ -f ~/.bashrc ] || cp x ~/.bashrc",
                "[ -f \"$(make name)\" ] || cp .env.example .env",
                "test() { false; }; test -f .env || cp .env.example .env",
            ],
        );
    }

    #[test]
    fn a_file_of_the_text_itself_may_go() {
        check(
            Verdict::Allow,
            &[
                "echo hi > foo.txt; cat foo.txt; rm foo.txt",
                "echo 'console.log(1)' > t.js && node t.js && rm t.js",
                "curl -sL https://example.com/x.csv -o x.txt; wc -l x.txt; rm -f x.txt",
                "curl -sLO https://example.com/x.txt && wc -l x.txt && rm x.txt",
                "echo 'int main() { return 0; }' > t.c && gcc t.c -o t && ./t && rm t.c t",
                "cp a.txt b.txt; rm b.txt",
                "for i in 1 2; do echo $i > f.txt; ./tool f.txt; rm f.txt; done",
            ],
        );
    }

    #[test]
    fn a_file_of_somebody_else_asks() {
        check(
            Verdict::Ask,
            &[
                "echo x >> foo.txt; rm foo.txt",
                "x && echo hi > foo.txt; rm foo.txt",
                "x || echo hi > foo.txt; rm foo.txt",
                "(cd sub && echo hi > foo.txt); rm foo.txt",
                "echo hi > foo.txt; mv notes.md foo.txt; rm foo.txt",
                "echo hi > foo.txt; (mv notes.md foo.txt); rm foo.txt",
                "echo hi > foo.txt; rm foo.txt bar.txt",
                "if x; then echo a > foo.txt; fi; rm foo.txt",
                "for x in $L; do echo a > foo.txt; done; rm foo.txt",
                "echo hi > src/main.rs; rm src/main.rs",
                "echo a > app.db; rm app.db",
                "touch foo && rm foo",
                "wget https://example.com/x.txt && rm x.txt",
                "set -C; echo hi > foo.txt; rm foo.txt",
                "set -o noclobber; echo hi > foo.txt; rm foo.txt",
                "cp -u a.txt b.txt; rm b.txt",
                "cp --update=none a.txt b.txt; rm b.txt",
                "curl --no-clobber -o x.txt https://example.com/x; rm x.txt",
                "curl -z x.txt -o x.txt https://example.com/x; rm x.txt",
                "curl -C - -o x.txt https://example.com/x; rm x.txt",
                "wget -nc -O x.txt https://example.com/x; rm x.txt",
            ],
        );
    }
}
