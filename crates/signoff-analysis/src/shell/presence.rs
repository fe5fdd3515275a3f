//! Files of which the text itself says whether they were there before: those that it has replaced, and those that a test
//! has found missing. Deleting the first loses nothing, and writing the second overwrites nothing.

use super::{
    machine::{Locus, Shell},
    shared::Shared,
    syntax::tree::{Command, Compound, ParameterOperation, Pipeline, Word, WordPart},
};
use crate::{
    path_effects::Write,
    place::{Extent, Nature, Place, is_within},
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
    /// What the text has surely made itself: making it fails where there is one already, and everything since has run
    /// only because it did not.
    made: Vec<(Made, String)>,
}

/// A kind of thing that can be made only where there is none of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// A directory, by its absolute path.
    Directory,
    /// A branch.
    Branch,
    /// A cluster on this machine, by the program that makes it and its name.
    Cluster,
}

impl Presence {
    /// What holds in both of two ways through the text.
    pub(super) fn in_both(&mut self, other: &Self) {
        self.replaced.retain(|path| other.replaced.contains(path));
        self.missing.retain(|path| other.missing.contains(path));
        self.made.retain(|made| other.made.contains(made));
    }
}

impl Shell<'_> {
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

    /// The text makes something, and would fail if it were there already. What counts is what follows behind `&&`.
    pub fn note_made(&mut self, kind: Made, name: &str) {
        if *self.locus() == Locus::Here && self.state.presence.made.len() < MAX_FILES {
            self.state.presence.made.push((kind, name.to_owned()));
        }
    }

    /// The same for a directory.
    pub fn note_made_directory(&mut self, arg: &Arg) {
        let place = self.place(&arg.value);
        if place.extent == Extent::Exact && self.state.settings.elsewhere.is_empty() {
            self.note_made(Made::Directory, &place.path);
        }
    }

    /// Whether the text has made this itself.
    pub fn has_made(&self, kind: Made, name: &str) -> bool {
        self.state.presence.made.iter().any(|(made, had)| *made == kind && had == name)
    }

    /// Whether a place lies in a directory that the text has made itself, so that nothing else can lie there: unless
    /// something was moved, or a link leads out of it.
    pub(super) fn is_in_made(&self, place: &Place) -> bool {
        let within = |(kind, path): &(Made, String)| *kind == Made::Directory && is_within(&place.path, path);
        !self.state.presence.made.is_empty()
            && !self.moves
            && !self.links
            && place.nature != Nature::Signoff
            && self.state.settings.elsewhere.is_empty()
            && self.state.presence.made.iter().any(within)
    }

    /// What is of this kind holds more now than what it was made with.
    pub fn forget_made(&mut self, kind: Made) {
        if self.state.presence.made.iter().any(|(made, _)| *made == kind) {
            self.state.presence.made.retain(|(made, _)| *made != kind);
        }
    }

    /// What was made since may not have been: the text goes on whether or not that worked.
    pub(super) fn doubt_made(&mut self, before: usize) {
        if self.state.presence.made.len() > before {
            self.state.presence.made.truncate(before);
        }
    }

    /// How many things the text has made so far.
    pub(super) fn count_made(&self) -> usize {
        self.state.presence.made.len()
    }

    /// Something is moved: what stands anywhere may be what stood somewhere else before.
    pub(super) fn forget_presence(&mut self) {
        self.moves = true;
        self.state.presence = Shared::default();
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
        test: Option<&Pipeline>,
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
    fn missing_after(&self, test: &Pipeline, succeeded: bool) -> Option<String> {
        let words: &[Word] = match test.commands.as_slice() {
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
    fn plain(&self, word: &Word) -> Option<String> {
        let mut text = String::new();
        self.add_plain(&word.parts, &mut text).then_some(text)
    }

    fn add_plain(&self, parts: &[WordPart], text: &mut String) -> bool {
        parts.iter().all(|part| match part {
            WordPart::Literal(part) if text.is_empty() && matches!(part.as_str(), "[" | "]" | "]]") => {
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
                match self.variable(&parameter.name).and_then(|value| value.known()) {
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
            ],
        );
    }

    #[test]
    fn what_the_same_chain_has_made_may_go_again() {
        check(
            Verdict::Allow,
            &[
                "kind create cluster --name t-$$ && kubectl --context kind-t-$$ get nodes && kind delete cluster --name t-$$",
                "k3d cluster create t6 --wait && kubectl get nodes && k3d cluster delete t6",
                "mkdir scratch6 && cp a.json scratch6/ && rm -rf scratch6",
                "mkdir scratch6 && cd scratch6 && touch a && cd .. && rm -rf scratch6",
                "mkdir -m 700 out6 && make DESTDIR=out6 && rm -r out6/usr && rm -rf out6",
                "git clone -q --depth 1 https://github.com/acme/demo demo6 && (cd demo6 && npm test) && rm -rf demo6",
                "git clone https://github.com/acme/demo.git && rm -rf demo",
                "git switch -c t6 && make test && git switch - && git branch -D t6",
                "git checkout -b t6 && make && git checkout main && git branch -D t6",
                "git branch t6 && git branch -D t6",
                "set -e; mkdir scratch6; cp a.json scratch6/; rm -rf scratch6",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "mkdir scratch6; rm -rf scratch6",
                "mkdir -p scratch6 && rm -rf scratch6",
                "mkdir scratch6 || rm -rf scratch6",
                "! mkdir scratch6 && rm -rf scratch6",
                "mkdir scratch6 && false || rm -rf scratch6",
                "mkdir scratch6 && cp a.json scratch6/; rm -rf scratch6",
                "mkdir scratch6 && mv data scratch6/ && rm -rf scratch6",
                "mkdir scratch6 && rm -rf scratch7",
                "mkdir scratch6 && rm -rf scratch6/../src",
                "mkdir scratch6 && ln -s ../src scratch6/s && rm -rf scratch6/s/",
                "mkdir scratch6 & rm -rf scratch6",
                "(mkdir scratch6) ; rm -rf scratch6",
                "mkdir scratch6 | cat && rm -rf scratch6",
                "if mkdir scratch6; then echo made; fi; rm -rf scratch6",
                "git switch -c t6 && git commit -am wip && git switch - && git branch -D t6",
                "git switch -c t6 && git branch -D t7",
                "git switch -c t6; git switch -; git branch -D t6",
                "git switch -C t6 && git switch - && git branch -D t6",
                "kind create cluster --name a && kind delete cluster --name b",
                "kind create cluster --name t-$RANDOM && kind delete cluster --name t-$RANDOM",
                "kind create cluster --name a; kind delete cluster --name a",
                "kind create cluster && minikube delete",
                "mkdir data6 && cd data6 && rm -rf ../data",
                "ssh web1 'mkdir x' && rm -rf x",
                "docker run --rm alpine mkdir /x && rm -rf /x",
            ],
        );
        check(Verdict::Block, &["mkdir ~/x && rm -rf ~", "mkdir scratch6 && rm -rf scratch6 /"]);
    }
}
