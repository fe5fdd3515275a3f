//! Chains of commands behind `&&`: what one of them has made, and could not have made where something stood already, is no
//! loss when a later one of the same chain removes it.
//!
//! Only a plain command that is itself a part of the chain makes or removes so: whatever wraps it, runs it elsewhere or
//! stands in brackets may say that it succeeded when it did not. Whatever else runs in between takes that knowledge away,
//! unless it surely leaves what was made as it is ([`between`]). And what is absurd to delete stays so, whoever made it.

use std::rc::Rc;

use super::{
    between::{self, Leaves},
    call::Call,
    machine::{Locus, Shell},
    syntax::tree::{Command, Pipeline, WordPart},
};
use crate::{
    findings::Findings,
    path_effects::{self, Depth},
    place::{Extent, Place, is_within},
    value::{Arg, Piece, Value},
};

/// More things than this are not remembered: they count as having been there.
const MAX_MADE: usize = 64;

/// The programs that make or remove what is followed here.
const ACTORS: &[&str] = &["mkdir", "rm", "rmdir", "git", "kind", "k3d"];

/// How much deeper than its list a program stands that is a part of it: below the command, and in the call.
const LEVELS: usize = 2;

/// A thing that can be made only where there is none of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// A directory, by its absolute path.
    Directory(String),
    /// A branch, by the directory in which git looks for the repository, and its name.
    Branch(String, String),
    /// A cluster on this machine, by the program that makes it and its name.
    Cluster(String),
}

/// One list of commands that is being walked.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// How deep the list stands.
    depth: usize,
    /// Whether the part at hand is a plain command that runs only if everything before it has succeeded.
    is_plain: bool,
    /// Whether a part behind `||` came before: what follows may run although something has failed, or was not run.
    is_broken: bool,
    made: Vec<Made>,
}

impl<'a> Shell<'a> {
    /// Begins to walk a list.
    pub(super) fn begin_chain(&mut self) {
        self.chains.push(Chain { depth: self.depth, ..Chain::default() });
    }

    /// The list is walked.
    pub(super) fn end_chain(&mut self) {
        self.chains.pop();
    }

    /// What follows stands behind `||`.
    pub(super) fn break_chain(&mut self) {
        if let Some(chain) = self.chains.last_mut() {
            chain.is_broken = true;
            chain.made.clear();
        }
    }

    /// The next part of the list is walked.
    pub(super) fn go_on_in_chain(&mut self, part: &'a Pipeline<'a>) {
        let is_plain = self.is_plain_part(part);
        if let Some(chain) = self.chains.last_mut() {
            chain.is_plain = is_plain && !chain.is_broken;
        }
    }

    fn is_plain_part(&self, part: &'a Pipeline<'a>) -> bool {
        let [Command::Simple(simple)] = part.commands else { return false };
        let Some([WordPart::Literal(name)]) = simple.words.first().map(|word| word.parts) else {
            return false;
        };
        !part.negated
            && simple.assignments.is_empty()
            && ACTORS.contains(name)
            && !self.state.functions.contains_key(name)
            && !self.state.aliases.contains_key(name)
            && !self.state.variables.contains_key("PATH")
            && self.state.settings.elsewhere.is_empty()
            && self.state.cwd.is_some()
            && *self.locus() == Locus::Here
            // What runs beside it, or springs, may put anything in the place of anything.
            && !self.concurrent
            && !self.leaves_running
            && !self.may_spring()
            && !self.moves
    }

    /// Whether the program at hand is itself a part of a chain, and nothing about it is only possible.
    fn is_in_chain(&self) -> bool {
        let direct = |chain: &Chain| chain.is_plain && chain.depth + LEVELS == self.depth;
        self.chains.last().is_some_and(direct) && self.picks.is_only_round()
    }

    /// The text makes something, and would fail if it were there already.
    pub fn note_made(&mut self, made: Made) {
        if self.is_in_chain()
            && let Some(chain) = self.chains.last_mut()
            && chain.made.len() < MAX_MADE
        {
            chain.made.push(made);
        }
    }

    /// The same for a directory.
    pub fn note_made_directory(&mut self, arg: &Arg) {
        let Some(text) = arg.known().filter(|text| !climbs(text)) else { return };
        let place = self.entry(&Value::text(text.trim_end_matches('/')));
        let around = [self.whereabouts.cwd.as_str(), &self.whereabouts.home, &self.whereabouts.project];
        let holds = |inner: &str| is_within(inner, &place.path);
        if place.extent == Extent::Exact && !around.into_iter().chain(self.cwd()).any(holds) {
            self.note_made(Made::Directory(place.path.clone()));
        }
    }

    /// Whether the text has made this itself, and removes it now: it is gone then.
    pub fn removes_made(&mut self, made: &Made) -> bool {
        let own = self.is_in_chain() && self.chains.last().is_some_and(|chain| chain.made.contains(made));
        for chain in &mut self.chains {
            chain.made.retain(|known| known != made);
        }
        own
    }

    /// Whether an argument names a directory that the chain has made, or something that lies right in it, and whether that
    /// may be deleted without asking: nothing else can lie there. What lies deeper may be behind a link.
    pub(super) fn deletes_made(&self, arg: &Arg, places: &[Rc<Place>], depth: Depth) -> bool {
        let Some(chain) = self.chains.last().filter(|chain| !chain.made.is_empty()) else { return false };
        let is_made = |path: &str| chain.made.iter().any(|made| matches!(made, Made::Directory(had) if had == path));
        let own = match self.named_in(&arg.value) {
            Some((directory, name)) => {
                let whole = || Some(self.entry(&Value::text(format!("{directory}{}", name?))).path.clone());
                let right_in = || {
                    let directory = directory.trim_end_matches('/');
                    !directory.is_empty() && is_made(&self.entry(&Value::text(directory)).path)
                };
                whole().is_some_and(|path| is_made(&path)) || right_in()
            }
            None => false,
        };
        own && self.is_in_chain() && places.iter().all(|place| !is_absurd(place, depth))
    }

    /// The directory that a value names something in, and the name if it is known. None if anything may stand in the place
    /// of some part of it, or if it leads through a link at its end.
    fn named_in<'v>(&self, value: &'v Value) -> Option<(&'v str, Option<&'v str>)> {
        let text = value.prefix();
        if climbs(text) {
            return None;
        }
        if let Some(text) = value.known() {
            // A slash behind a directory that was made itself changes nothing; behind another name it follows a link.
            let plain = text.trim_end_matches('/');
            let at = plain.rfind('/').map_or(0, |at| at + 1);
            let ends = plain.len() < text.len();
            return match (plain.get(..at)?, plain.get(at..)?) {
                (_, "") => None,
                (directory, name) if ends => {
                    let path = self.entry(&Value::text(plain)).path.clone();
                    let own = |chain: &Chain| chain.made.contains(&Made::Directory(path));
                    self.chains.last().is_some_and(own).then_some((directory, Some(name)))
                }
                (directory, name) => Some((directory, Some(name))),
            };
        }
        // A pattern right behind the directory; one that begins with a dot may be the directory above.
        let at = text.rfind('/')? + 1;
        let behind = text.get(at..)?;
        let is_pattern = |piece: &Piece| match piece {
            Piece::Text(text) => !text.contains('/'),
            Piece::Glob(pattern) => !pattern.contains('/') && !pattern.contains("**"),
            Piece::Unknown(_) => false,
        };
        let plain = value.pieces().iter().skip(1).all(is_pattern);
        (plain && !behind.starts_with('.')).then_some((text.get(..at)?, None))
    }

    /// Something is deleted, or may be: what was made there, around it or in it may be something else from now on.
    pub(super) fn forget_made_at(&mut self, place: &Place) {
        let exact = place.extent == Extent::Exact;
        let touches = |path: &str| !exact || is_within(path, &place.path);
        for chain in &mut self.chains {
            chain.made.retain(|made| !matches!(made, Made::Directory(path) if touches(path)));
        }
    }

    /// A program runs: unless it surely leaves what was made as it is, that may be something else from now on.
    pub(super) fn doubt_made(&mut self, call: &Call) {
        if self.chains.iter().all(|chain| chain.made.is_empty()) {
            return;
        }
        match between::leaves(call) {
            Leaves::Everything => {}
            Leaves::AllButDirectories => {
                for chain in &mut self.chains {
                    chain.made.retain(|made| !matches!(made, Made::Directory(_)));
                }
            }
            Leaves::Nothing => self.forget_made(),
        }
    }

    /// Whatever was made may be something else from now on.
    pub(super) fn forget_made(&mut self) {
        for chain in &mut self.chains {
            chain.made.clear();
        }
    }
}

/// Whether a path goes up, which leads elsewhere behind a link.
fn climbs(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

/// Whether nobody may delete this, whoever made it.
fn is_absurd(place: &Place, depth: Depth) -> bool {
    let mut tried = Findings::default();
    path_effects::delete(&mut tried, place, depth, signoff_model::Span::default());
    tried.is_prohibited()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn what_the_same_chain_has_made_may_go_again() {
        check(
            Verdict::Allow,
            &[
                "kind create cluster --name t-$$ && kubectl --context kind-t-$$ get nodes && kind delete cluster --name t-$$",
                "kind create cluster && kind delete cluster",
                "k3d cluster create t6 --wait && kubectl get nodes && k3d cluster delete t6",
                "mkdir scratch6 && cp a.json scratch6/ && rm -rf scratch6",
                "mkdir scratch6 && cp a.json scratch6/ && rm -rf scratch6/",
                "mkdir scratch6 && cp a.json scratch6/ && rm -rf scratch6/* && rmdir scratch6",
                "mkdir scratch6 && cd scratch6 && touch a && cd .. && rm -rf scratch6",
                "mkdir scratch6 && (cd scratch6 && tar xf ../a.tgz && make) && rm -rf scratch6",
                "mkdir a6 b6 && cp x.json a6 && diff -r a6 b6 && rm -rf a6 b6",
                "mkdir build && cd build && cmake .. && cd .. && rm -rf build",
                "mkdir -m 700 out6 && make DESTDIR=out6 && rm -r out6/usr && rm -rf out6",
                "D=scratch6; mkdir $D && cp a.json $D && rm -rf \"$D\"",
                "mkdir -v scratch6 2>/dev/null && ls && rm -rf scratch6",
                "for d in a6 b6; do mkdir $d && cp x.json $d && rm -rf $d; done",
                "(mkdir scratch6 && rm -rf scratch6)",
                "if mkdir scratch6 && rm -rf scratch6; then echo may write here; fi",
                "sh -c 'mkdir scratch6 && touch scratch6/a && rm -rf scratch6'",
                "git clone -q --depth 1 https://github.com/acme/demo demo6 && (cd demo6 && npm test) && rm -rf demo6",
                "git clone https://github.com/acme/demo.git && rm -rf demo",
                "git clone git@github.com:acme/demo.git && ls demo && rm -rf demo",
                "git switch -c t6 && make test && git switch - && git branch -D t6",
                "git switch -c t6 && git status && git switch - && git branch -D t6",
                "git checkout -b t6 && make && git checkout main && git branch -D t6",
                "git branch t6 && git branch -D t6",
                "git branch t6 && git branch -a && git branch -D t6",
                "tmp=$(mktemp -d) && cp a.json \"$tmp\" && rm -rf \"$tmp\"",
            ],
        );
    }

    #[test]
    fn what_may_have_been_there_asks() {
        check(
            Verdict::Ask,
            &[
                "mkdir scratch6; rm -rf scratch6",
                "mkdir -p scratch6 && rm -rf scratch6",
                "mkdir --parents scratch6 && rm -rf scratch6",
                "mkdir --par scratch6 && rm -rf scratch6",
                "mkdir scratch6 --p && rm -rf scratch6",
                "mkdir $OPTIONS scratch6 && rm -rf scratch6",
                "mkdir --version scratch6 && rm -rf scratch6",
                "mkdir scratch6 || rm -rf scratch6",
                "! mkdir scratch6 && rm -rf scratch6",
                "mkdir scratch6 && false || rm -rf scratch6",
                "mkdir scratch6 || true && rm -rf scratch6",
                "make || mkdir scratch6 && rm -rf scratch6",
                "mkdir scratch6 && cp a.json scratch6/; rm -rf scratch6",
                "mkdir scratch6 && rm -rf scratch7",
                "mkdir scratch6 && rm -rf scratch6/../src",
                "mkdir scratch6 & rm -rf scratch6",
                "(mkdir scratch6) ; rm -rf scratch6",
                "{ mkdir scratch6; true; } && rm -rf scratch6",
                "mkdir scratch6 | cat && rm -rf scratch6",
                "if mkdir scratch6; then echo made; fi; rm -rf scratch6",
                "X=$(mkdir scratch6) && rm -rf scratch6",
                "echo $(mkdir scratch6) && rm -rf scratch6",
                "f() { mkdir -p \"$1\"; }; f scratch6 && rm -rf scratch6",
                "mkdir() { true; }; mkdir scratch6 && rm -rf scratch6",
                "alias mkdir='mkdir -p'; mkdir scratch6 && rm -rf scratch6",
                "hash -p /bin/true mkdir; mkdir scratch6 && rm -rf scratch6",
                "PATH=./bin:$PATH; mkdir scratch6 && rm -rf scratch6",
                "mkdir \"$(test -f a && echo a6 || echo b6)\" && rm -rf a6",
                "X=a6; test -f a && X=b6; mkdir $X && rm -rf a6 b6",
                "find . -maxdepth 0 -exec mkdir src \\; && rm -rf src",
                "screen -dm mkdir src && rm -rf src",
                "systemd-run --user mkdir src && rm -rf src",
                "setsid mkdir src && rm -rf src",
                "nohup mkdir src && rm -rf src",
                "xargs mkdir < list && rm -rf src",
                "env mkdir -p src && rm -rf src",
                "mkdir data6 && cd data6 && rm -rf ../data",
                "mkdir src && cd - && rm -rf src",
                "ssh web1 'mkdir x' && rm -rf x",
                "docker run --rm alpine mkdir /x && rm -rf /x",
                "git clone https://x.example/y.git . && rm -rf ./*",
                "git -C other clone https://x.example/y.git src && rm -rf src",
                "git clone --help src && rm -rf src",
                "git clone ./repo.bundle && rm -rf repo.bundle",
                "git clone ./repo.bundle && rm -rf repo",
                "git clone https://x.example/y.git.git && rm -rf y",
                "git clone $OPTIONS https://x.example/y.git src && rm -rf src",
            ],
        );
    }

    /// Bash does not stop at a failure in a condition, before `&&` and `||`, behind `!` and in `$(…)`, nor in whatever is
    /// called from there.
    #[test]
    fn stopping_at_a_failure_is_not_relied_on() {
        check(
            Verdict::Ask,
            &[
                "set -e; mkdir scratch6; cp a.json scratch6/; rm -rf scratch6",
                "set -e; f() { mkdir src; rm -rf src; }; f || true",
                "set -e; f() { mkdir src; rm -rf src; }; if f; then :; fi",
                "set -e; ! { mkdir src; rm -rf src; }",
                "set -e; (mkdir src; rm -rf src) || echo no",
                "set -e; if mkdir src; then echo made; else echo there; fi; rm -rf src",
                "set -e; trap 'rm -rf src' EXIT; mkdir src",
                "trap 'rm -rf src' EXIT; mkdir src && exit 1",
                "set -e; while mkdir src; rm -rf src; do break; done",
            ],
        );
        check(
            Verdict::Block,
            &[
                "set -e; { mkdir ~; rm -rf ~; } || true",
                "set -e; if { mkdir ~; rm -rf ~/*; }; then :; fi",
                "set -e; if mkdir ~; then :; fi; rm -rf ~",
                "set -e; X=$(mkdir ~; rm -rf ~)",
                "set -e; echo $(mkdir ~; rm -rf ~)",
            ],
        );
    }

    #[test]
    fn what_is_absurd_stays_so_whatever_stands_before_it() {
        check(
            Verdict::Block,
            &[
                "mkdir ~ && rm -rf ~",
                "mkdir ~ && rm -rf ~/*",
                "mkdir / && rm -rf /",
                "mkdir / && rm -rf /*",
                "mkdir /etc && rm -rf /etc",
                "mkdir /usr /usr/lib && rm -rf /usr/lib",
                "mkdir ~/x && rm -rf ~",
                "mkdir scratch6 && rm -rf scratch6 /",
                "mkdir --parent ~ && rm -rf ~",
                "find . -maxdepth 0 -exec mkdir ~ \\; && rm -rf ~",
                "git clone https://x.example/y.git ~ && rm -rf ~",
                "mkdir /home && rm -rf /home/*",
                "mkdir ~/.config/signoff && rm -rf ~/.config/signoff",
            ],
        );
    }

    #[test]
    fn what_holds_something_else_by_now_asks() {
        check(
            Verdict::Ask,
            &[
                "mkdir scratch6 && mv data scratch6/ && rm -rf scratch6",
                "mkdir scratch6 && (mv data scratch6/) && rm -rf scratch6",
                "mkdir scratch6 && sh -c 'mv data scratch6/' && rm -rf scratch6",
                "mkdir scratch6 && ./fill.sh && rm -rf scratch6",
                "mkdir scratch6 && cat list | xargs -I{} mv {} scratch6 && rm -rf scratch6",
                "mkdir scratch6 && rsync -a --remove-source-files data/ scratch6 && rm -rf scratch6",
                "(sleep 1; ./fill.sh) & mkdir scratch6 && sleep 2 && rm -rf scratch6",
                "mkdir src && rmdir src && git stash pop && rm -rf src",
                "mkdir src && rm -rf src && git checkout . && rm -rf src",
                "mkdir src && rmdir src && cp -r lib src && rm -rf src",
                "mkdir src && (rmdir src && cp -r lib src) && rm -rf src",
                "mkdir src && find . -empty -delete && cp -r lib src && rm -rf src",
                "mkdir src && git switch old && rm -rf src",
                "mkdir mnt && rclone mount --daemon remote: mnt && rm -rf mnt",
                "mkdir mnt && sshfs web1: mnt && rm -rf mnt",
                "mkdir mnt && mount --bind data mnt && rm -rf mnt",
                "mkdir src && git worktree move w src/w && rm -rf src",
                "mkdir wt && git worktree add wt/a -b t && cd wt/a && make && cd ../.. && rm -rf wt",
                "mkdir scratch6 && for i in 1 2; do rm -rf scratch6; git stash pop; done",
                "mkdir a && f() { rm -rf a; git stash pop; f; } && f",
            ],
        );
    }

    #[test]
    fn what_lies_deeper_or_is_not_known_asks() {
        check(
            Verdict::Ask,
            &[
                "mkdir scratch6 && ln -s ../src scratch6/s && rm -rf scratch6/s/",
                "mkdir x && python3 -c 'import os; os.symlink(\"../src\",\"x/s\")' && rm -rf x/s/",
                "mkdir x && cp -a link x/ && rm -rf x/link/",
                "mkdir x && cp -a link x/ && rm -rf x/link/*",
                "mkdir x && cp -a link x/ && rm -rf x/*/",
                "mkdir x && tar xf a.tar -C x && rm -rf x/a/b",
                "mkdir a && rm -rf \"a/$X\"",
                "mkdir a && read X && rm -rf a/$X",
                "mkdir a && rm -rf a/$(cat list)",
                "mkdir a && rm -rf a/.*",
                "mkdir a && rm -rf a$X",
            ],
        );
    }

    #[test]
    fn branches_are_those_of_their_repository() {
        check(
            Verdict::Ask,
            &[
                "git -C a branch t6 && git -C b branch -D t6",
                "git -C a branch t6 && git branch -D t6",
                "git branch t6 && git -C ../other branch -D t6",
                "git branch t6 && git --git-dir=../other/.git branch -D t6",
                "git branch t6 && GIT_DIR=../other/.git git branch -D t6",
                "git branch t6 && export GIT_DIR=../other/.git && git branch -D t6",
                "git branch t6 && cd ../other && git branch -D t6",
                "git branch t6 && git branch -D -r origin/t6",
                "git switch -c t6 && git branch -D t7",
                "git switch -c t6 && git branch -D t6 t7",
                "git switch -c t6; git switch -; git branch -D t6",
                "git switch -C t6 && git switch - && git branch -D t6",
                "git branch --show-current t6 && git branch -D t6",
                "git branch -v t6 && git branch -D t6",
                "git branch --list t6 && git branch -D t6",
                "git branch --help t6 && git branch -D t6",
                "git branch -t6 && git branch -D t6",
            ],
        );
    }

    #[test]
    fn branches_on_which_something_was_put_ask() {
        check(
            Verdict::Ask,
            &[
                "git switch -c t6 && git commit -am wip && git switch - && git branch -D t6",
                "git switch -c t6 && sh -c 'git commit -am wip' && git switch - && git branch -D t6",
                "git switch -c t6 && (git commit -am wip) && git switch - && git branch -D t6",
                "git switch -c t6 && f() { git commit -am wip; } && f && git switch - && git branch -D t6",
                "git switch -c t6 && git ci -am wip && git switch - && git branch -D t6",
                "git switch -c t6 && ./commit.sh && git switch - && git branch -D t6",
                "git switch -c t6 && npm version patch && git switch - && git branch -D t6",
                "git switch -c t6 && make release && git switch - && git branch -D t6",
                "git switch -c t6 && claude -p 'fix and commit' && git switch - && git branch -D t6",
                "git switch -c t6 && hub commit -am wip && git switch - && git branch -D t6",
                "git switch -c t6 && git -c user.name=x commit -am wip && git switch - && git branch -D t6",
                "git branch t6 && git branch -D t6 && git fetch origin t6:t6 && git branch -D t6",
                "git branch t6 && git branch -d t6 && git branch -m old t6 && git branch -D t6",
            ],
        );
    }

    #[test]
    fn clusters_go_once_and_by_their_names() {
        check(
            Verdict::Ask,
            &[
                "kind create cluster --name a && kind delete cluster --name b",
                "kind create cluster --name t-$RANDOM && kind delete cluster --name t-$RANDOM",
                "kind create cluster --name a; kind delete cluster --name a",
                "kind create cluster && minikube delete",
                "kind create cluster --name a && kind delete cluster --name a && kind delete cluster --name a",
                "kind create cluster --config c.yaml && kind delete cluster",
                "kind create cluster --name a --help && kind delete cluster --name a",
                "kind create cluster --name b && kind delete clusters a b",
                "k3d cluster create b && k3d cluster delete a b",
                "k3d cluster create b && k3d cluster delete b --all",
                "vcluster create a --upgrade && vcluster delete a",
                "setsid kind create cluster --name a && kind delete cluster --name a",
            ],
        );
    }
}
