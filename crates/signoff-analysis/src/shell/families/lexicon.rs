//! What a word in the name of a program, a subcommand or an option says about its purpose, where the program is not known.
//!
//! Where a word stands matters. A subcommand or a flag is an order; a file name, a quoted text, a test name or a search
//! pattern is not.

use crate::{
    lexicon::{self, Meaning},
    words::{Words, is_listed},
};

/// What a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// It looks at something.
    Looks,
    /// It destroys something.
    Destroys,
    /// It sends something out into the world, or changes what others see.
    Publishes,
    /// It changes the machine or a running system.
    Changes,
}

// What a word says besides the verbs that mean the same everywhere. Nothing is known about the program, so plain changes
// (`add`, `update`, `set`) are no reason to ask here, while every word for wiping out is.
static LOOKS: Words<128> = Words::new(
    "print cat dump-config grep test tests doctor audit report stats log history watch which docs doc man \
    completion completions dry dryrun simulate outdated tree graph detect shellcheck benchmark bench about \
    examples env-info measure monitor can-i peek display summary",
);

static DESTROYS: Words<128> = Words::new(
    "rmi rmdir killall unlink revoke shred obliterate expunge zap teardown decommission cleanup deregister \
    unregister expire evict wipeout annihilate demolish trash undeploy takedown destroyall removeall \
    deleteall rmr flushall flushdb flush_all clearsnapshot clearall wipeall resetall factory-reset tear-down wipe-all delete-all remove-all purge-all hard-reset forget",
);

static PUBLISHES: Words<32> = Words::new(
    "release rollout post mail provision redeploy republish sendmail notify-all go-live golive blast invite",
);

static CHANGES: Words<128> = Words::new(
    "migrate rollback restore apply switchover shutdown reboot poweroff halt flash overwrite downgrade failover rekey enroll \
    unseal reimage repartition reformat impersonate escalate trigger retrigger unpause grant refund chargeback payout \
    ban unban kick toggle-on toggle-off set-password change-password cutover",
);

/// What one word says, in lower case and without separators.
pub fn word(word: &str) -> Option<Says> {
    match lexicon::meaning(word) {
        Some(Meaning::Looks) => return Some(Says::Looks),
        Some(Meaning::Ruins | Meaning::Removes) => return Some(Says::Destroys),
        Some(Meaning::Publishes | Meaning::Sends) => return Some(Says::Publishes),
        Some(Meaning::Changes) | None => {}
    }
    if LOOKS.holds(word) {
        Some(Says::Looks)
    } else if DESTROYS.holds(word) {
        Some(Says::Destroys)
    } else if PUBLISHES.holds(word) {
        Some(Says::Publishes)
    } else if CHANGES.holds(word) {
        Some(Says::Changes)
    } else {
        None
    }
}

/// Beginnings of names that need no separator to be understood, as in `dropdb` or `wipedisk`.
const GLUED: &[(&str, Says)] = &[
    ("destroy", Says::Destroys),
    ("delete", Says::Destroys),
    ("wipe", Says::Destroys),
    ("nuke", Says::Destroys),
    ("uninstall", Says::Destroys),
    ("purge", Says::Destroys),
    ("erase", Says::Destroys),
    ("dropdb", Says::Destroys),
    ("droptable", Says::Destroys),
    ("dropdatabase", Says::Destroys),
    ("resetdb", Says::Destroys),
    ("deploy", Says::Publishes),
    ("publish", Says::Publishes),
];

/// What the name of a program or of a script says. A name that speaks of looking wins: `check-deploy`, `test_delete`.
pub fn name(name: &str) -> Option<Says> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, ending)| if ending.len() <= 5 { stem } else { name });
    let mut said = None;
    let tokens: Vec<String> = tokens(stem).collect();
    let names_file = stem.len() < name.len() && tokens.len() == 1;
    for (at, token) in tokens.iter().enumerate() {
        // Nouns as well as verbs: behind another word, or alone as the name of a file, they say what it is about.
        if (at > 0 || names_file)
            && matches!(token.as_str(), "trigger" | "grant" | "kick" | "ban" | "invite" | "refund")
        {
            continue;
        }
        match word(token).or_else(|| GLUED.iter().find(|(start, _)| token.starts_with(start)).map(|(_, says)| *says)) {
            // What is cleared is not looked at.
            Some(Says::Looks) if token == "history" && clears_data(&tokens) => {}
            Some(Says::Looks) => return Some(Says::Looks),
            Some(says) => said = said.or(Some(says)),
            None => {}
        }
    }
    said.or_else(|| clears_data(&tokens).then_some(Says::Destroys))
}

/// What a word names that is gone when it is cleared, besides what [holds data](HOLDS_DATA).
static KEEPS: Words<32> = Words::new("all everything history records record rows users user messages");

/// What is made anew, so that clearing it is tidying up, whatever else is named.
static MADE_ANEW: Words<64> = Words::new(
    "cache caches cached derived build builds output outputs artifacts dist target tmp temp temporary log logs screen terminal console \
    test tests fixture fixtures sample mock coverage node_modules modules index indexes",
);

/// Whether the words of a name say that what keeps data is cleared: `clear_database`, `db-clear`. `clean` is said of a build,
/// and of data that is made fit for use; of a database it means the same.
pub fn clears_data(words: &[String]) -> bool {
    let has = |word: &str| words.iter().any(|other| other == word);
    let database = || ["db", "database", "databases"].into_iter().any(has);
    let data = || words.iter().any(|word| HOLDS_DATA.holds(word) || KEEPS.holds(word));
    !words.iter().any(|word| MADE_ANEW.holds(word)) && (has("clear") && data() || has("clean") && database())
}

/// What a subcommand says: `delete`, `db:drop`, `user-delete`, `remove_all`.
pub fn subcommand(text: &str) -> Option<Says> {
    if text.contains(|letter: char| letter.is_ascii_uppercase()) {
        return None;
    }
    // `batchdelete`, `bulk-remove`: how many it is done to, or how, stands before the verb.
    if let Some(verb) = MANY.iter().find_map(|many| text.strip_prefix(many)) {
        let verb = verb.trim_start_matches(['-', '_', ':']);
        if word(verb).or_else(|| subcommand_glued(verb)) == Some(Says::Destroys) {
            return Some(Says::Destroys);
        }
    }
    if let Some(says) = subcommand_glued(text) {
        return Some(says);
    }
    if let Some(says) = word(text) {
        return Some(says);
    }
    let tokens: Vec<String> = tokens(text).collect();
    let (first, last) = (tokens.first()?, tokens.last()?);
    match (word(first), word(last)) {
        (Some(Says::Looks), _) | (_, Some(Says::Looks)) => Some(Says::Looks),
        (first, last) => first.or(last),
    }
}

/// What stands before a verb and says how many things it is done to, or how.
const MANY: &[&str] = &["batch", "bulk", "mass", "multi", "force", "hard"];

/// What a verb with a thing behind it says, in one word.
fn subcommand_glued(text: &str) -> Option<Says> {
    // `removenode` and `deletevolume`, `destroymodel`: the verb begins the word, and a thing follows.
    let glued =
        ["delete", "destroy", "purge", "wipe", "erase", "remove"].iter().find_map(|verb| text.strip_prefix(verb));
    if glued.is_some_and(|thing| thing.len() > 2 && thing.chars().all(|letter| letter.is_ascii_lowercase()))
        && !matches!(text, "deleted" | "destroyed" | "removed" | "remover" | "destroyer" | "deleter")
    {
        return Some(Says::Destroys);
    }
    None
}

/// Things that hold data: tidying them up is losing some of it.
static HOLDS_DATA: Words<128> = Words::new(
    "db database databases table tables queue queues topic topics index indexes indices collection collections bucket \
    buckets volume volumes data storage store snapshots snapshot backups backup dags jobs sessions stream streams \
    warehouse dataset datasets registry artifacts archive archives",
);

/// Things that run on a server of somebody's and do there whatever they were made for.
static RUNS_ELSEWHERE: Words<64> = Words::new(
    "pipeline pipelines deployment deployments workflow workflows dag dags job jobs flow flows flow-run task-run \
    deployment-run release releases",
);

/// What decides how a running system treats its users.
static SWITCHES: Words<32> = Words::new("flag flags feature features toggle toggles feature-flag feature-flags switch");

/// What a verb says of the thing that stands before it: `db clean`, `queue clear`, `snapshots gc`, `pipeline run`,
/// `flags disable`.
pub fn phrase(thing: &str, verb: &str) -> Option<Says> {
    let tidies = matches!(verb, "clean" | "clear" | "gc" | "vacuum" | "trim" | "overwrite");
    let starts = matches!(
        verb,
        "launch"
            | "run"
            | "start"
            | "execute"
            | "rerun"
            | "retry"
            | "resume"
            | "backfill"
            | "dispatch"
            | "invoke"
            | "signal"
    );
    let ends = matches!(verb, "cancel" | "stop" | "abort" | "suspend" | "approve" | "restart" | "rebuild");
    let turns = matches!(verb, "on" | "off" | "enable" | "disable" | "toggle" | "archive" | "update");
    if HOLDS_DATA.holds(thing) && tidies {
        return Some(Says::Destroys);
    }
    let elsewhere = RUNS_ELSEWHERE.holds(thing) && (starts || ends)
        || matches!(thing, "build" | "builds") && (ends || matches!(verb, "create" | "retry" | "rerun" | "promote"))
        || matches!(thing, "service" | "services" | "action" | "task") && matches!(verb, "call" | "send_goal")
        || SWITCHES.holds(thing) && turns;
    elsewhere.then_some(Says::Changes)
}

/// What a word in camel case says when it stands where a subcommand does: `deleteClient`, `DeleteKeyspace`.
pub fn camel(text: &str) -> Option<Says> {
    let words = lexicon::words(text);
    let many = usize::from(words.first().is_some_and(|first| MANY.contains(&first.as_str())));
    let first =
        words.get(many).filter(|_| words.len() > 1 && text.chars().all(|letter| letter.is_ascii_alphanumeric()))?;
    if words.iter().any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "should" | "when")) {
        return None;
    }
    match lexicon::meaning(first) {
        Some(Meaning::Ruins | Meaning::Removes) => Some(Says::Destroys),
        Some(Meaning::Looks) => Some(Says::Looks),
        _ => None,
    }
}

/// What an option says: only the plain orders, since `--remove-comments` or `--drop-columns` shape an output.
pub fn flag(text: &str) -> Option<Says> {
    let body = text.trim_start_matches('-');
    let body = body.split('=').next().unwrap_or(body);
    match body {
        "delete" | "delete-all" | "destroy" | "destroy-all" | "purge" | "purge-all" | "wipe" | "wipe-all" | "erase"
        | "erase-all" | "eraseall" | "chiperase" | "nuke" | "uninstall" | "factory-reset" | "hard-reset"
        | "reset-all" | "terminate" | "drop-database" | "drop-db" | "drop-tables" | "drop-all" | "remove-all"
        | "rm-all" | "kill-all" | "delete-data" | "wipe-data" | "remove" | "reset-db" | "recreate-db"
        | "accept-data-loss" | "clear-all" | "overwrite-all" => Some(Says::Destroys),
        "overwrite-destination"
        | "overwrite-target"
        | "overwrite-database"
        | "overwrite-db"
        | "drop-first"
        | "clean-first"
        | "wipe-first"
        | "delete-existing"
        | "drop-existing"
        | "force-recreate-db" => Some(Says::Destroys),
        "deploy" | "publish" | "upload" | "push" | "submit" | "send" => Some(Says::Publishes),
        "reboot" | "shutdown" | "poweroff" | "auto-approve" | "doit" => Some(Says::Changes),
        _ => ruins_data(body).then_some(Says::Destroys),
    }
}

/// Whether an option says that what keeps data goes: `--reset-database`, `--drop-tables`, `--truncate_data`.
fn ruins_data(body: &str) -> bool {
    let Some((verb, thing)) = body.split_once(['-', '_']) else { return false };
    let ruins = lexicon::meaning(verb) == Some(Meaning::Ruins) || matches!(verb, "recreate" | "clear" | "flush");
    let all = thing.trim_start_matches("all-").trim_start_matches("the-");
    ruins
        && matches!(
            all,
            "db" | "database"
                | "databases"
                | "data"
                | "tables"
                | "schema"
                | "storage"
                | "volumes"
                | "collections"
                | "indices"
                | "queues"
                | "topics"
                | "buckets"
                | "everything"
        )
}

/// Whether an option asks only for a look. One that may also name a thing, such as the version to deploy or the plan to apply,
/// does so only where it has no value: neither its own nor a word behind it.
pub fn is_harmless_flag(text: &str, next: Option<&str>) -> bool {
    const REHEARSALS: &str = "help dry-run dryrun dry_run dryRun dry check check-only noop no-op no-act simulate simulation what-if \
        whatif WhatIf preview-only pretend just-print show-only list-only print-only plan-only validate-only test-only";
    const NAMES_AS_WELL: &str = "version list plan preview validate diff explain status usage";
    let Some(body) = text.strip_prefix('-') else { return false };
    let body = body.trim_start_matches('-');
    match body.split_once('=') {
        Some((_, "false" | "no" | "0" | "none")) => false,
        Some((name, value)) => {
            is_listed(REHEARSALS, name)
                || is_listed(NAMES_AS_WELL, name) && matches!(value, "true" | "yes" | "1" | "on")
        }
        None if is_listed(NAMES_AS_WELL, body) => next.is_none_or(|next| next.starts_with('-')),
        None => is_listed(REHEARSALS, body),
    }
}

/// The words of a name. A letter of another script parts them: an English verb may be glued to one.
pub fn tokens(name: &str) -> impl Iterator<Item = String> {
    let apart = |word: String| {
        let parts = word.split(|letter: char| !letter.is_ascii()).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    lexicon::words(name).into_iter().flat_map(apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_speak_where_words_stand_alone() {
        for (given, expected) in [
            ("deploy-prod", Some(Says::Publishes)),
            ("wipe_disk.sh", Some(Says::Destroys)),
            ("dropdb", Some(Says::Destroys)),
            ("resetDatabase.ts", Some(Says::Destroys)),
            ("test_delete.py", Some(Says::Looks)),
            ("dropbear", None),
            ("remover", None),
            ("build.sh", None),
            ("predeploy-check", Some(Says::Looks)),
            ("trigger-build.sh", Some(Says::Changes)),
            ("patch-trigger.js", None),
            ("clear_database.sh", Some(Says::Destroys)),
            ("clear-db.sh", Some(Says::Destroys)),
            ("clearDatabase.ts", Some(Says::Destroys)),
            ("db-clear.py", Some(Says::Destroys)),
            ("clear_all.sh", Some(Says::Destroys)),
            ("clear_history.sh", Some(Says::Destroys)),
            ("clear_users_table.js", Some(Says::Destroys)),
            ("clean_db.sh", Some(Says::Destroys)),
            ("clear.sh", None),
            ("clear_cache.sh", None),
            ("clear-build.sh", None),
            ("clear_all_caches.sh", None),
            ("clear_db_cache.sh", None),
            ("clear_screen.sh", None),
            ("clean_data.py", None),
            ("clean_all.sh", None),
            ("test_clear_database.sh", Some(Says::Looks)),
        ] {
            assert_eq!(name(given), expected, "{given}");
        }
    }

    #[test]
    fn subcommands_speak_by_their_first_or_last_word() {
        for (given, expected) in [
            ("db:drop", Some(Says::Destroys)),
            ("user-delete", Some(Says::Destroys)),
            ("delete-bucket", Some(Says::Destroys)),
            ("list-deleted", Some(Says::Looks)),
            ("new", None),
        ] {
            assert_eq!(subcommand(given), expected, "{given}");
        }
    }

    #[test]
    fn a_dry_run_that_is_switched_off_is_none() {
        for (text, next, expected) in [
            ("--dry-run", None, true),
            ("--dry-run", Some("prod"), true),
            ("--dry-run=client", None, true),
            ("--dry-run=false", None, false),
            ("dry-run", None, false),
            ("--plan", None, true),
            ("--plan", Some("--json"), true),
            ("--plan=true", None, true),
            // The version to deploy, the plan to apply, the rows to delete.
            ("--version=3", Some("prod"), false),
            ("--plan=out.plan", None, false),
            ("--status", Some("active"), false),
        ] {
            assert_eq!(is_harmless_flag(text, next), expected, "{text} {next:?}");
        }
    }
}
