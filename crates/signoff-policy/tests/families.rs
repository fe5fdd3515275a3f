//! What each family of commands and each reader of code makes of a command, by tables: the verdict that is wanted, the
//! rule that must speak for it, and the command, with `⏎` for a line break.

mod judging;

use judging::{rules, verdict};

/// Checks a table, and lists every line that is not as it says.
fn check(table: &str) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        count += 1;
        let mut parts = line.splitn(3, ' ');
        let (Some(wanted), Some(rule), Some(command)) = (parts.next(), parts.next(), parts.next()) else {
            wrong.push(format!("no verdict, rule and command: {line}"));
            continue;
        };
        let command = command.replace('⏎', "\n");
        let (found, spoke) = (verdict(&command).to_string(), rules(&command));
        if found != wanted || rule != "-" && !spoke.iter().any(|spoken| spoken == rule) {
            wrong.push(format!("{found} {spoke:?} for {line}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 20, "only {count} lines");
}

#[test]
fn code_in_other_languages() {
    check(include_str!("cases/languages.txt"));
}

#[test]
fn packages_and_builds() {
    check(include_str!("cases/packages.txt"));
}

#[test]
fn network_and_databases() {
    check(include_str!("cases/network.txt"));
}

#[test]
fn version_control_and_containers() {
    check(include_str!("cases/git.txt"));
}

#[test]
fn system_and_texts() {
    check(include_str!("cases/system.txt"));
}

#[test]
fn shells_wrappers_and_files() {
    check(include_str!("cases/shells.txt"));
}

#[test]
fn the_state_of_the_shell() {
    check(include_str!("cases/state.txt"));
}

#[test]
fn corners_of_languages_and_families() {
    check(include_str!("cases/corners.txt"));
}

#[test]
fn harm_by_way_of_others() {
    check(include_str!("cases/harm.txt"));
}

#[test]
fn tools_by_their_verbs_and_switches() {
    check(include_str!("cases/tools.txt"));
}

#[test]
fn verbs_of_many_tools() {
    check(include_str!("cases/verbs.txt"));
}

#[test]
fn what_flows_where() {
    check(include_str!("cases/flows.txt"));
}

#[test]
fn windows_and_its_shells() {
    check(include_str!("cases/windows.txt"));
}
