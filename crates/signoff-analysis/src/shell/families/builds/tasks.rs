//! Tasks of a project, judged by their names when nobody can look at what they do.

use signoff_model::Span;

use super::rules;
use crate::{
    lexicon::{self, Meaning},
    path_effects::is_production,
    rule::Rule,
    shell::{Shell, families::lexicon::clears_data},
    words::Words,
};

// What the name of a task says besides the verbs that mean the same everywhere. A task is the project's own and means the
// project's own files, so that `remove`, `kill` or `send` is not enough to ask.

/// Words that say that something leaves the machine.
static DEPLOYS: Words<64> = Words::new(
    "deploys deployment release rollout rollback provision distribute apply golive sync-prod prod production \
    live notarize deliver testflight appstore playstore",
);

/// Words that say that something is lost.
static DESTROYS: Words<32> =
    Words::new("teardown obliterate undeploy factory flushdb flushall dropdb resetdb decommission");

/// Words that say that something is put on the machine or a device.
const INSTALLS: &[&str] = &["install", "uninstall", "flash", "burn", "setcap", "sudo"];

/// Words that say, in front, that a task only looks at, checks or builds what the other words name. Building belongs here,
/// and `version`, `head` or `find` do not: in front of another word they name what it is done to.
static LOOKS: Words<128> = Words::new(
    "test tests lint check checks verify validate bench benchmark plan list show print docs doc diff generate \
    gen preview dry dryrun compile bundle watch dev storybook typecheck format fmt e2e unit coverage analyze \
    help status pre mock simulate explain view info get log logs start serve package pack archive debug",
);

/// Words that make a task harmless wherever they stand.
static HARMLESS: Words<64> = Words::new(
    "dry dryrun test tests check lint local localhost snapshot notes mock cache deps dependencies hooks plan \
    dev",
);

/// What the name of a task says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Nothing grave.
    Harmless,
    /// It deploys or publishes.
    Deploys,
    /// It destroys or resets.
    Destroys,
    /// It installs on the machine.
    Installs,
}

/// Reads the name of a task: words between `:`, `-`, `_`, `.`, `/` and changes of case.
pub fn read(name: &str) -> Says {
    let words = lexicon::words(name);
    let Some(first) = words.first().map(String::as_str) else { return Says::Harmless };
    let has = |set: &[&str]| words.iter().any(|word| set.contains(&word.as_str()));
    // `clean` means build output, unless it is said of what keeps a database.
    let cleans_data = has(&["flyway", "liquibase", "database", "db", "flywaydb"])
        && has(&["clean", "clear", "empty", "flush", "cleandisabled", "rollback", "drop"])
        && !has(&["cache", "log", "logs", "build"]);
    let destroys = cleans_data
        || clears_data(&words)
        || words.iter().any(|word| lexicon::meaning(word) == Some(Meaning::Ruins) || DESTROYS.holds(word));
    let deploys = words.iter().any(|word| lexicon::meaning(word) == Some(Meaning::Publishes) || DEPLOYS.holds(word));
    if words.iter().any(|word| HARMLESS.holds(word))
        && !(destroys
            && has(&["prod", "production", "db", "database"])
            && !has(&["test", "tests", "dry", "dryrun", "check", "plan"]))
    {
        return Says::Harmless;
    }
    if LOOKS.holds(first) {
        return Says::Harmless;
    }
    // `spotlessApply`, `rubocop:fix`: what a formatter applies is its own taste.
    if has(&["spotless", "ktlint", "format", "formatter", "fmt", "scalafmt", "prettier", "lint", "codestyle"])
        && has(&["apply", "fix", "write"])
    {
        return Says::Harmless;
    }
    // `build:release` builds a release, `build:deploy` builds and then deploys.
    if first == "build" && !has(&["deploy", "publish", "push", "upload", "ship"]) {
        return Says::Harmless;
    }
    if destroys {
        return Says::Destroys;
    }
    if deploys {
        return Says::Deploys;
    }
    // `install-deps`, `setup:install` and the like prepare the project; only the bare word is meant for the machine.
    if INSTALLS.contains(&first) && words.len() == 1 || matches!(first, "flash" | "burn" | "uninstall") {
        return Says::Installs;
    }
    Says::Harmless
}

/// The rule that speaks about a task of this name, if one does.
pub fn rule(name: &str) -> Option<&'static Rule> {
    match read(name) {
        Says::Harmless => None,
        Says::Deploys => Some(&rules::TASK_DEPLOYS),
        Says::Destroys => Some(&rules::TASK_DESTROYS),
        Says::Installs => Some(&rules::TASK_INSTALLS),
    }
}

/// Whether a task of this name changes what others use, if it runs where others work.
fn changes_store(name: &str) -> bool {
    const CHANGES: &[&str] =
        &["migrate", "migration", "migrations", "seed", "seeds", "backfill", "import", "sync", "reindex", "rollback"];
    let words = lexicon::words(name);
    words.iter().any(|word| CHANGES.contains(&word.as_str())) && !words.iter().any(|word| HARMLESS.holds(word))
}

/// Whether the environment says that what runs is in production: `NODE_ENV=production`.
fn in_production(shell: &Shell<'_>) -> bool {
    const NAMES: &[&str] = &[
        "NODE_ENV",
        "APP_ENV",
        "RAILS_ENV",
        "RACK_ENV",
        "MIX_ENV",
        "FLASK_ENV",
        "DJANGO_ENV",
        "GO_ENV",
        "ENV",
        "ENVIRONMENT",
        "APP_ENVIRONMENT",
        "ASPNETCORE_ENVIRONMENT",
        "DOTNET_ENVIRONMENT",
        "DEPLOY_ENV",
        "STAGE",
        "SPRING_PROFILES_ACTIVE",
    ];
    let says = |name: &&str| shell.variable(name).and_then(|value| value.known()).map(str::to_ascii_lowercase);
    NAMES.iter().filter_map(says).any(|value| is_production(&value))
}

/// Judges a task by its name, and by where it is told that it runs. Tells whether a rule spoke.
pub fn judge(shell: &mut Shell<'_>, name: &str, shown: &str, span: Span) -> bool {
    let elsewhere = || (changes_store(name) && in_production(shell)).then_some(&rules::TASK_DEPLOYS);
    match rule(name).or_else(elsewhere) {
        Some(rule) => {
            shell.tell(rule, shown, span);
            true
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_task_is_for() {
        let cases = [
            ("build", Says::Harmless),
            ("build:release", Says::Harmless),
            ("build-and-deploy", Says::Deploys),
            ("deploy:staging", Says::Deploys),
            ("deploy-dry-run", Says::Harmless),
            ("publishToMavenLocal", Says::Harmless),
            ("publishAllPublications", Says::Deploys),
            ("test:db:reset", Says::Harmless),
            ("db:reset", Says::Destroys),
            ("reset-db", Says::Destroys),
            ("clean", Says::Harmless),
            ("flywayClean", Says::Destroys),
            ("liquibaseDropAll", Says::Destroys),
            ("liquibaseRollbackCount", Says::Destroys),
            ("db-clean", Says::Destroys),
            ("clear:data", Says::Destroys),
            ("history:clear", Says::Destroys),
            ("clear-tables", Says::Destroys),
            ("clear:cache", Says::Harmless),
            ("clear", Says::Harmless),
            ("clean:all", Says::Harmless),
            ("flywayInfo", Says::Harmless),
            ("flywayMigrateTest", Says::Harmless),
            ("cleanTest", Says::Harmless),
            ("install", Says::Installs),
            ("install-deps", Says::Harmless),
            ("install-goyacc", Says::Harmless),
            ("release-notes", Says::Harmless),
            ("ci-publish", Says::Deploys),
            ("start:prod", Says::Harmless),
            ("migrate:prod", Says::Deploys),
            ("dev", Says::Harmless),
            ("lint", Says::Harmless),
        ];
        for (name, says) in cases {
            assert_eq!(read(name), says, "{name}");
        }
    }
}
