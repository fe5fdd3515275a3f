//! Things that the text has moved: what stands at the new place is still what stood at the old one. Deleting it there, or
//! whatever it lies in by then, loses what stood at the old place, whatever the new name says.

use signoff_model::Span;

use super::{
    call::Call,
    families,
    machine::{Locus, Shell},
    written::Written,
};
use crate::{
    path_effects::{self, Depth, Write},
    place::{Extent, Nature, Place, behind, is_within},
    value::Arg,
    words::Words,
};

/// More things than this are not remembered of one place: they have made it a place that asks already.
const MAX_ORIGINALS: usize = 32;

/// Verbs that make a build throw away what it keeps.
const CLEANS: &[&str] = &["clean", "clobber", "mrproper"];

/// Programs that keep what they make in directories of their own, and throw it away when they are told, besides those whose
/// trade it is to build.
static BUILDS: Words<64> = Words::new(
    "cargo go swift xcodebuild dotnet msbuild bundle mix rebar3 stack cabal dune zig npm pnpm yarn bun npx ng expo flutter dart \
    poetry pdm hatch git",
);

/// Programs that empty the directory of what they make before they make it anew, or run whatever does, if they are told to
/// build.
static REPLACES_OUTPUT: Words<64> = Words::new(
    "npm pnpm yarn bun npx nx turbo ng vite next nuxt nuxi astro webpack parcel gatsby docusaurus remix vinxi vue-cli-service \
    react-scripts svelte-kit vitepress vuepress eleventy storybook jekyll mkdocs hexo tsup unbuild",
);

/// The directories that they empty.
const OUTPUTS: &[&str] =
    &["dist", "build", "out", "output", ".next", ".nuxt", ".output", ".svelte-kit", ".vercel", "_site"];

/// Stands before a path that something was moved to. It is kept among the files that the text has written, under a name
/// that is no path, so that it is joined like everything else where ways through the text meet.
const SIGN: char = '\u{1}';

fn key(path: &str) -> String {
    format!("{SIGN}{path}")
}

/// What stands so far below one path, seen from another: `src/a.rs` for `build/a.rs` where `src` became `build`. Where the
/// thing went into a directory of that name, its own name stands there once more.
fn seen_from(original: &str, rest: &str) -> String {
    let name = original.rsplit('/').next().unwrap_or_default();
    let rest = rest.strip_prefix('/').and_then(|rest| behind(rest, name)).unwrap_or(rest);
    format!("{original}{rest}")
}

/// Something that stands at another place than before.
struct Moved {
    /// Where it stands now.
    now: String,
    /// Where it stood, and what may have stood there in its place.
    originals: Vec<String>,
}

impl Shell<'_> {
    /// Everything that the text may have moved.
    fn moved(&self) -> impl Iterator<Item = (&str, &[String])> {
        let all = self.state.written.iter().filter_map(|(key, written)| match written {
            Written::Moved(originals) => Some((key.strip_prefix(SIGN)?, originals.as_slice())),
            _ => None,
        });
        all.filter(|(now, _)| !self.is_returned(now))
    }

    /// What stands at a path and was moved there, or lies in something that was.
    fn originals_at(&self, path: &str) -> Vec<String> {
        self.moved()
            .filter_map(|(now, originals)| Some((behind(path, now)?, originals)))
            .flat_map(|(rest, originals)| originals.iter().map(move |original| seen_from(original, rest)))
            .collect()
    }

    /// Remembers that what stood at one place stands at another now.
    pub(super) fn remember_moved(&mut self, from: &Place, to: &Place) {
        if *self.locus() != Locus::Here || from.extent != Extent::Exact || to.extent != Extent::Exact {
            return;
        }
        // Nothing goes into itself.
        if is_within(&to.path, &from.path) {
            return;
        }
        // Everything that is remembered is looked at.
        self.spend(self.state.written.len() / 32);
        let mut arrived: Vec<Moved> = Vec::new();
        for (now, originals) in self.moved() {
            if let Some(rest) = behind(now, &from.path).filter(|rest| !rest.is_empty()) {
                arrived.push(Moved { now: format!("{}{rest}", to.path), originals: originals.to_vec() });
            }
        }
        let mut originals = self.originals_at(&from.path);
        if originals.is_empty() && !from.nature.is_passing() && !self.made_by_text(from) {
            originals.push(from.path.clone());
        }
        if !originals.is_empty() {
            arrived.push(Moved { now: to.path.clone(), originals });
        }
        for mut moved in arrived {
            // What comes back to where it stood is lost no more than before.
            if moved.originals.contains(&moved.now) {
                let left = format!("{}{}", from.path, moved.now.strip_prefix(to.path.as_str()).unwrap_or_default());
                self.has_returned(&left, true);
                moved.originals.retain(|original| *original != moved.now);
            }
            if moved.originals.is_empty() {
                continue;
            }
            moved.originals.truncate(MAX_ORIGINALS);
            self.has_returned(&moved.now, false);
            self.state.written.insert(key(&moved.now), Written::Moved(moved.originals));
        }
    }

    /// Whether the text itself has made what stands there, in the place of nothing that anybody would miss.
    fn made_by_text(&self, place: &Place) -> bool {
        let made = |one: &Written| {
            matches!(
                one,
                Written::Tree { among_others: false, .. } | Written::Built | Written::Compiled(..) | Written::Link(_)
            )
        };
        place.nature == Nature::Ordinary && self.has_replaced(&place.path)
            || self.written(&place.path).is_some_and(|written| written.alternatives().iter().all(made))
    }

    /// The place is deleted: so is everything that was moved to it or below it.
    pub(super) fn delete_moved(&mut self, place: &Place, depth: Depth, span: Span) {
        if !self.moves || depth == Depth::EmptyOnly || place.extent == Extent::Anywhere {
            return;
        }
        let whole = depth == Depth::Recursive || place.extent != Extent::Exact;
        let mut lost: Vec<(String, Depth)> = self
            .originals_at(&place.path)
            .into_iter()
            .map(|path| (path, if whole { Depth::Recursive } else { depth }))
            .collect();
        // A pattern that fits only what comes again reaches what has such a name now.
        let chooses = matches!(place.extent, Extent::Pattern | Extent::Listed);
        let reaches = |now: &str| {
            now != place.path && is_within(now, &place.path) && (!chooses || self.nature_of(now).is_passing())
        };
        if whole {
            let below = self.moved().filter(|(now, _)| reaches(now));
            lost.extend(below.flat_map(|(_, originals)| originals.iter().map(|path| (path.clone(), Depth::Recursive))));
        }
        self.lose_moved(&lost, span);
    }

    /// What stands at the place is written over: so is what was moved there.
    pub(super) fn overwrite_moved(&mut self, place: &Place, how: Write, span: Span) {
        if !self.moves || place.extent != Extent::Exact || !matches!(how, Write::Replace | Write::Empty) {
            return;
        }
        for original in self.originals_at(&place.path) {
            let lost = Place::of_path(&original, None, self.whereabouts, self.facts);
            path_effects::write(&mut self.findings, &lost, how, span);
        }
        self.state.written.remove(&key(&place.path));
    }

    /// A build begins with an empty directory: what was moved there is gone.
    fn replace_moved(&mut self, call: &Call) {
        let builds = |arg: &&Arg| arg.known().is_some_and(|word| word.split([':', '-']).any(|part| part == "build"));
        let always = matches!(call.name.as_str(), "webpack" | "parcel" | "tsup" | "eleventy" | "unbuild");
        let verb = call.args.iter().filter(|arg| !arg.is_option()).find(builds);
        let Some(blamed) = verb.or(Some(&call.program).filter(|_| always)) else { return };
        let project = self.whereabouts.project.as_str();
        let is_output = |now: &str| {
            now.strip_prefix(project).is_some_and(|below| below.split('/').any(|name| OUTPUTS.contains(&name)))
                && self.nature_of(now).is_passing()
        };
        let gone = self.moved().filter(|(now, _)| is_output(now));
        let lost: Vec<_> =
            gone.flat_map(|(_, originals)| originals.iter().map(|path| (path.clone(), Depth::Recursive))).collect();
        self.lose_moved(&lost, self.blamed(blamed.span));
    }

    /// A build is told to clean up: what was moved to where it keeps what it makes goes as well.
    pub fn clean_moved(&mut self, call: &Call) {
        if !self.moves || call.rehearses(&["-n", "--dry-run"]) || call.asks_for_help() {
            return;
        }
        if REPLACES_OUTPUT.holds(&call.name) {
            self.replace_moved(call);
        }
        if families::builds::find(&call.name).is_none() && !BUILDS.holds(&call.name) {
            return;
        }
        // The verb or the name of a task, not a message.
        let cleans = |arg: &&Arg| {
            arg.known().is_some_and(|word| {
                word == "ci" || !word.contains(' ') && CLEANS.iter().any(|verb| word.contains(verb))
            })
        };
        let words =
            call.args.iter().filter(|arg| !arg.is_option()).take(if call.name == "git" { 1 } else { usize::MAX });
        let Some(verb) = words.into_iter().find(cleans) else { return };
        let only_packages = verb.is("ci");
        let is_kept = |now: &str| match only_packages {
            true => now.contains("/node_modules"),
            false => self.nature_of(now).is_passing(),
        };
        let kept = self.moved().filter(|(now, _)| is_kept(now));
        let lost: Vec<_> =
            kept.flat_map(|(_, originals)| originals.iter().map(|path| (path.clone(), Depth::Recursive))).collect();
        self.lose_moved(&lost, self.blamed(verb.span));
    }

    fn nature_of(&self, path: &str) -> Nature {
        Place::of_path(path, None, self.whereabouts, self.facts).nature
    }

    fn lose_moved(&mut self, lost: &[(String, Depth)], span: Span) {
        for (original, depth) in lost {
            let place = Place::of_path(original, None, self.whereabouts, self.facts);
            // Where the text has put something else since, one file has become another one.
            if *depth == Depth::Single && self.has_replaced(original) {
                path_effects::write(&mut self.findings, &place, Write::Replace, span);
            } else {
                path_effects::delete(&mut self.findings, &place, *depth, span);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn what_was_moved_is_still_what_it_was() {
        check(
            Ask,
            &[
                "mv src build && rm -rf build",
                "mv src dist && rm -rf dist/*",
                "mv src dist; rm -rf dist/src",
                "mv data dist && rm -rf dist",
                "mv src/main.rs build/ && rm -rf build",
                "mv ~/Documents build && rm -rf build",
                "mv ~/Pictures build/ ; rm -rf build",
                "mkdir -p out && mv src out/ && rm -rf out",
                "git mv src build && rm -rf build",
                "git mv data/customers.csv build/x && rm -rf build",
                "mv src x && mv x build && rm -rf build",
                "mv src build && mv build dist && rm -rf dist",
                "mv src build/x && mv build dist && rm -rf dist",
                "mv src build && mv build/inner dist && rm -rf dist",
                "mv src build && find build -delete",
                "mv src build && find . -name build -exec rm -rf {} +",
                "mv src build && npx rimraf build",
                "mv src target && cargo clean",
                "mv src build && make clean",
                "mv src build && mage clean",
                "mv src build; ./waf distclean",
                "mv src build && npm run clean",
                "mv src build && ./gradlew clean build",
                "mv src node_modules/x; npm ci",
                "mv src build && git clean -fdX build",
                "rsync -a --remove-source-files src/ build/ && rm -rf build",
                "mv src/a.rs a.tmp && rm a.tmp",
                "mv db.sqlite3 db.tmp; rm db.tmp",
                "mv README.md README.tmp && find . -name '*.tmp' -delete",
                "mv README.md README.tmp && rm *.tmp",
                "mv .git /tmp/x && rm -rf /tmp/x",
                "mv -t build src && rm -rf build",
                "if x; then mv src build; fi; rm -rf build",
                "(mv src build); rm -rf build",
                "mv src build && x && mv build src; rm -rf build",
                "mv src build; (mv build src) || true; mv src build; rm -rf build",
                "(cd . && mv src build) && rm -rf build",
                "f() { mv src build; }; f; rm -rf build",
                "for d in src lib; do mv $d build; done; rm -rf build",
                "mv src build; sed -i s/a/b/ build/a.rs; rm -rf build",
                "mv src build; rm -rf \"build/$X\"",
                "mv src build && mv build nowhere/x; rm -rf build",
                "echo x > src/lib.rs; mv src/lib.rs build/; rm -rf build",
                "mv src build; echo x > src; rm -rf build",
                "python3 -c 'import shutil,os; os.rename(\"src\",\"build\"); shutil.rmtree(\"build\")'",
                "python3 -c 'import shutil; shutil.move(\"src\",\"build\"); shutil.rmtree(\"build\")'",
                "python3 -c 'import os; os.rename(\"src\",\"build\")'; rm -rf build",
                "node -e 'const fs=require(\"fs\"); fs.renameSync(\"src\",\"build\"); fs.rmSync(\"build\",{recursive:true})'",
                "ruby -e 'require \"fileutils\"; FileUtils.mv(\"src\",\"build\"); FileUtils.rm_rf(\"build\")'",
                "perl -e 'rename(\"src/a.rs\",\"a.tmp\"); unlink(\"a.tmp\")'",
            ],
        );
        check(Block, &["mv ~ build; rm -rf build", "sudo mv /etc build && sudo rm -rf build"]);
    }

    #[test]
    fn what_is_moved_to_where_a_build_begins_anew_is_lost() {
        check(
            Ask,
            &[
                "mv src dist; npm run build",
                "mv src dist && npm run build",
                "mv src .next; npx next build",
                "mv src/pages build/ && yarn build",
                "mv src dist; vite build",
                "mv src dist && pnpm run build:prod",
            ],
        );
        check(
            Allow,
            &[
                "mv src dist; npm run lint",
                "mv src app && npm run build",
                "mv src dist; npm run build --help",
                "mv dist dist.old && npm run build",
                "mv src dist && mv dist src && npm run build",
                "mv src/a.ts src/b.ts && npm run build",
                "npm run build && mv dist/index.html dist/200.html",
                "mv index.html dist/",
            ],
        );
    }

    #[test]
    fn what_comes_again_may_be_moved_and_removed() {
        check(
            Allow,
            &[
                "mv dist build && rm -rf build",
                "mv node_modules /tmp/nm && rm -rf /tmp/nm",
                "mv dist dist.tmp && npm run build && rm -rf dist.tmp",
                "mv a.txt b.txt",
                "mv src/a.rs src/b.rs && rm -rf build",
                "mv src/a.rs src/b.rs && cargo clean && cargo build",
                "mv src/a.rs src/b.rs && find . -name '*.pyc' -delete",
                "mv src build && git commit -m clean",
                "mv src/a.rs src/b.rs && npm ci",
                "mv src build && mv build src && rm -rf build",
                "mv src/a.rs build/a.rs; make; mv build/a.rs src/a.rs; rm -rf build",
                "mv src/a.rs a.tmp && sed s/x/y/ a.tmp > src/a.rs && rm a.tmp",
                "jq . package.json > p.tmp && mv p.tmp package.json",
                "curl -sL https://example.com/x.txt -o x.txt; mv x.txt build/; rm -rf build",
                "git clone https://github.com/a/b && mv b build/ && rm -rf build",
                "cargo build && mv target/debug/app dist/ && rm -rf dist",
                "mv src/a.rs src/b.rs; rmdir build",
                "T=$(mktemp -d); mv $T/x build; rm -rf build $T",
            ],
        );
    }
}
