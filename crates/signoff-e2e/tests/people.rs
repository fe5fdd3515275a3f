//! What a person does at the command line with accounts: their own, those of others, and those of agents.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use std::{
    thread,
    time::{Duration, Instant},
};

use program::gateway::{Gateway, PASSWORD, terminal};

/// Waits until the ledger has said so many times that somebody has logged out.
#[track_caller]
fn logged_out(gateway: &Gateway, times: usize) {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        gateway.log_in("s ledger list --what logged-out; echo told");
        let screen = gateway.desk.wait_for("\ntold");
        let said = screen.lines().filter(|line| line.contains("logged-out") && !line.starts_with('$')).count();
        // Whoever looks has looked before, and has been logged out of that as well.
        if said >= times {
            return;
        }
        assert!(Instant::now() < until, "{said} of {times}:\n{screen}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// No command leaves a login behind, however it ends.
#[test]
fn a_login_ends_with_its_command() {
    let gateway = Gateway::start();
    gateway.log_in("s inbox list");
    gateway.desk.wait_for("Nothing is waiting.");
    // One that fails.
    gateway.log_in("s inbox show 0; echo ended");
    gateway.desk.wait_for("\nended");
    logged_out(&gateway, 2);
    // Nobody has looked at the ledger between these two.
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    gateway.desk.key("C-c");
    gateway.desk.wait_for_prompt("$");
    logged_out(&gateway, 4);
}

#[test]
fn people_and_agents_come_and_go() {
    let gateway = Gateway::start();
    let own = signoff_facts::user_name().unwrap();
    gateway.log_in("s people list");
    gateway.desk.wait_for(&format!("\n{own}  administrator"));
    gateway.log_in("s people invite ann");
    let screen = gateway.desk.wait_for("signoff people join");
    let invitation = screen.split_whitespace().find(|word| word.starts_with("sgi1.")).unwrap().to_owned();

    // What is no password is said before anybody types it twice.
    let ann = terminal(&gateway.home);
    ann.run(&format!("s people join {invitation}"));
    ann.wait_for("Choose a password");
    ann.enter("short");
    let screen = ann.wait_for("that is no password");
    assert!(!screen.contains("The same again"), "{screen}");
    ann.run(&format!("s people join {invitation} --lang zh"));
    ann.wait_for("请设置密码");
    ann.enter("long enough");
    ann.wait_for("再次输入");
    ann.enter("long enough");
    ann.wait_for("欢迎，ann");

    let as_ann = |command: &str, password: &str| {
        ann.run(command);
        ann.wait_for("Password of ann");
        ann.enter(password);
    };
    as_ann("s people invite bob --person ann", "long enough");
    ann.wait_for("only an administrator may do this");
    as_ann("s people add-agent hers --person ann", "long enough");
    ann.wait_for("sga1.");
    as_ann("s people agents --person ann", "long enough");
    ann.wait_for("hers  works for ann");
    gateway.log_in("s people list");
    gateway.desk.wait_for(&format!("ann  member  invited by {own}"));
    as_ann("s people password --person ann", "long enough");
    ann.wait_for("Choose a password");
    ann.enter("another password");
    ann.wait_for("The same again");
    ann.enter("another password");
    ann.wait_for("The new password counts");
    as_ann("s people remove-agent hers --person ann", "another password");
    ann.wait_for("is good for nothing any more");
    as_ann(&format!("s people remove '{own}' --person ann"), "another password");
    ann.wait_for("only an administrator may do this");

    gateway.log_in(&format!("s people remove '{own}'"));
    gateway.desk.wait_for("is the last administrator");
    gateway.log_in("s people remove ann");
    gateway.desk.wait_for("ann is removed");
    as_ann("s inbox list --person ann", "another password");
    ann.wait_for("the name or the password is wrong");
    // What the gateway says is wrong is told in the language of whoever reads it.
    ann.run("s inbox list --person ann --lang zh");
    ann.wait_for("ann 的密码");
    ann.enter(PASSWORD);
    ann.wait_for("错误：名称或密码有误");

    // None of it without a person at a terminal.
    for arguments in [
        &["people", "list"][..],
        &["people", "remove", "ann"],
        &["people", "password"],
        &["people", "agents"],
        &["people", "add-agent", "mine"],
        &["people", "remove-agent", "mine"],
    ] {
        let refused = gateway.home.output(arguments);
        assert!(String::from_utf8_lossy(&refused.stderr).contains("no terminal"), "{arguments:?}: {refused:?}");
    }
}

/// In a team, whoever is asked sees whose agent it is.
#[test]
fn a_card_says_for_whom_an_agent_works() {
    let gateway = Gateway::start();
    let own = signoff_facts::user_name().unwrap();
    gateway.home.write("work/project/notes.txt", "mine");
    let asking = gateway.request(&["--wait", "60s", "rm notes.txt"]);
    gateway.log_in("s inbox");
    gateway.desk.wait_for(&format!("asks for {own}, in "));
    gateway.answer(1, "n");
    let (_, said) = program::gateway::ended(asking);
    assert_eq!(said["outcome"], "denied", "{said}");
}
