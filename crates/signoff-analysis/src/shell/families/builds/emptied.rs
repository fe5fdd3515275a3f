//! Options of builds and test runs that empty a directory before anything is written to it.

use signoff_model::Scope;

use crate::{
    path_effects::Depth,
    place::Nature,
    shell::{Call, Shell, families::tool},
    value::Arg,
    words::{Words, is_listed},
};

/// A tool that empties the directory that one of its options names. Lists are texts, separated by spaces.
struct Emptying {
    names: &'static str,
    /// Words of which one must be there; without any, the tool always does it.
    when: &'static str,
    /// Words with which it leaves the directory as it is.
    unless: &'static str,
    /// The options that name the directory.
    directory: &'static str,
    /// Directories whose content is what this tool makes.
    usual: &'static str,
}

const TABLE: &[Emptying] = &[
    Emptying { names: "pytest py.test", when: "", unless: "", directory: "--basetemp", usual: "" },
    Emptying {
        names: "cargo",
        when: "clean",
        unless: "-p --package --dry-run -n --doc",
        directory: "--target-dir",
        usual: "target",
    },
    Emptying { names: "vite", when: "--emptyOutDir", unless: "--emptyOutDir=false", directory: "--outDir", usual: "" },
    Emptying { names: "webpack", when: "--output-clean", unless: "", directory: "--output-path -o", usual: "" },
    Emptying { names: "hugo", when: "--cleanDestinationDir", unless: "", directory: "--destination -d", usual: "" },
    Emptying {
        names: "mkdocs",
        when: "build gh-deploy",
        unless: "--dirty --no-clean",
        directory: "--site-dir -d",
        usual: "",
    },
    Emptying { names: "jekyll", when: "build b serve s", unless: "", directory: "--destination -d", usual: "" },
    Emptying { names: "tsup", when: "--clean", unless: "", directory: "--out-dir -d", usual: "" },
    Emptying {
        names: "ng",
        when: "build b",
        unless: "--delete-output-path=false",
        directory: "--output-path",
        usual: "",
    },
    Emptying { names: "astro", when: "build", unless: "", directory: "--outDir", usual: "" },
    Emptying { names: "docusaurus", when: "build", unless: "", directory: "--out-dir", usual: "" },
    Emptying {
        names: "typedoc",
        when: "",
        unless: "--cleanOutputDir=false",
        directory: "--out",
        usual: "docs doc api",
    },
    Emptying { names: "playwright", when: "test", unless: "", directory: "--output", usual: "" },
    Emptying { names: "storybook", when: "build", unless: "", directory: "--output-dir -o", usual: "" },
    Emptying { names: "build-storybook", when: "", unless: "", directory: "--output-dir -o", usual: "" },
    Emptying { names: "allure", when: "--clean -c", unless: "", directory: "--output --report-dir -o", usual: "" },
    Emptying { names: "antora", when: "--clean", unless: "", directory: "--to-dir", usual: "" },
    Emptying {
        names: "nyc",
        when: "",
        unless: "--clean=false --no-clean",
        directory: "--temp-dir -t",
        usual: ".nyc .nyc_output .nyc-output",
    },
];

/// The names of the table, for the many programs that are not in it.
static NAMES: Words<64> = Words::new(
    "cargo pytest py.test vite webpack hugo mkdocs jekyll tsup ng astro docusaurus typedoc playwright storybook \
    build-storybook allure antora nyc",
);

/// The words with which names of directories end that are made anew by every run.
static MADE: Words<64> = Words::new(
    "public site dist build out output outputs html www results report reports coverage static artifacts generated tmp \
    temp basetemp cache",
);

/// Whether a program may empty a directory that its options name.
pub fn may_empty(name: &str) -> bool {
    NAMES.holds(name)
}

/// Says so if a call empties a directory that its options name.
pub fn judge(shell: &mut Shell<'_>, call: &Call) {
    if call.asks_for_help() {
        return;
    }
    let Some(row) = TABLE.iter().find(|row| is_listed(row.names, &call.name)) else { return };
    let given = |list: &str| call.args.iter().any(|arg| arg.known().is_some_and(|text| is_listed(list, text)));
    if given(row.unless) || !row.when.is_empty() && !given(row.when) {
        return;
    }
    let names = |arg: &Arg| {
        let text = arg.value.prefix();
        is_listed(row.directory, text.split('=').next().unwrap_or(text))
    };
    let given_as_option = call.args.iter().rposition(names).and_then(|at| tool::attached_or_next(call, at));
    let by_variable = || {
        let variables: &[&str] =
            if call.name == "cargo" { &["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] } else { &[] };
        let value = variables.iter().find_map(|name| shell.variable(name)).cloned();
        value.map(|value| Arg { value, span: call.span })
    };
    let Some(directory) = given_as_option.or_else(by_variable) else { return };
    let top = names_of(shell, &directory).and_then(|names| names.into_iter().next()).unwrap_or_default();
    if !is_made_for_it(shell, &directory) && !is_listed(row.usual, &top) {
        shell.delete(&directory, Depth::Recursive);
    }
}

/// The names on the way to a directory of the project, from where the tool runs if it lies there. What `..` leads away
/// from is not among them.
fn names_of(shell: &Shell<'_>, directory: &Arg) -> Option<Vec<String>> {
    directory.known()?;
    let place = shell.place(&directory.value);
    if place.scope != Scope::Project {
        return None;
    }
    let below = |top: &str| place.path.strip_prefix(top.trim_end_matches('/'))?.strip_prefix('/').map(str::to_owned);
    let path = shell.cwd().and_then(below).or_else(|| below(&shell.whereabouts().project))?;
    Some(path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Whether the place of a directory in the project says that a run makes it anew.
fn is_made_for_it(shell: &Shell<'_>, directory: &Arg) -> bool {
    let Some(names) = names_of(shell, directory) else { return false };
    let ends = |name: &String| crate::lexicon::words(name).last().is_some_and(|word| MADE.holds(word));
    // What lies in such a directory goes with it.
    shell.place(&directory.value).nature == Nature::Rebuilt
        || names.first().is_some_and(|top| MADE.holds(top))
        || names.last().is_some_and(ends)
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
    fn a_directory_that_is_emptied_first_is_deleted() {
        check(
            Verdict::Ask,
            &[
                "pytest tests --basetemp=src",
                "pytest --basetemp src/data",
                "pytest --basetemp=/tmp/x --basetemp=src",
                "python -m pytest --basetemp=data tests",
                "vite build --emptyOutDir --outDir src",
                "npx vite build --outDir docs --emptyOutDir",
                "webpack --output-clean --output-path src",
                "hugo --cleanDestinationDir -d ../site",
                "mkdocs build -d src",
                "jekyll build --destination docs",
                "npx playwright test --output=tests",
                "typedoc --out src src/index.ts",
                "vite build --outDir ../server/public --emptyOutDir",
                "vite build --outDir src/build-tools --emptyOutDir",
                "pytest --basetemp=build/../src",
                "pytest --basetemp=out/../.git",
                "vite build --emptyOutDir --outDir dist/../src",
                "cd dist && vite build --emptyOutDir --outDir ../src",
                "typedoc --out docs/../src src/index.ts",
            ],
        );
        check(
            Verdict::Block,
            &[
                "pytest --basetemp=$HOME",
                "pytest --basetemp=/",
                "cargo clean --target-dir ~",
                "CARGO_TARGET_DIR=~ cargo clean",
                "export CARGO_TARGET_DIR=$HOME; cargo clean --release",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "CARGO_TARGET_DIR=~/Documents cargo clean",
                "cargo clean --target-dir=src",
                "CARGO_BUILD_TARGET_DIR=../other cargo clean",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "cargo clean",
                "cargo clean -p app",
                "CARGO_TARGET_DIR=/tmp/t cargo clean",
                "CARGO_TARGET_DIR=~/t cargo build",
                "cargo clean --target-dir target/other",
                "export CARGO_TARGET_DIR=$PWD/target; cargo clean",
            ],
        );
        check(
            Verdict::Allow,
            &[
                "pytest --basetemp=/tmp/x",
                "pytest --basetemp=.pytest_tmp",
                "pytest -q tests",
                "vite build --outDir dist --emptyOutDir",
                "vite build --outDir src",
                "webpack --output-clean",
                "hugo --cleanDestinationDir -d public",
                "hugo -d ../site",
                "mkdocs build",
                "mkdocs build -d site",
                "mkdocs build --dirty -d docs",
                "tsc --outDir src",
                "jest --clearCache",
                "npx playwright test --output=test-results",
                "typedoc --out docs/api src/index.ts",
                "ng build --output-path=www/app",
                "npx playwright test --output=e2e-results",
                "storybook build -o storybook-dist",
                "mkdocs build -d docs-html",
                "npx nyc -t .nyc npm test",
                "cd web && vite build --outDir ../server/public --emptyOutDir",
                "cd web && vite build --outDir dist/app --emptyOutDir",
                "vite build --emptyOutDir --outDir src/../dist",
            ],
        );
    }
}
