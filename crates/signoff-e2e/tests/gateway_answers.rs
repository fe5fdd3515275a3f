//! What people answer at the gateway beside yes and no.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on has failed")]

mod program;

use program::gateway::{Gateway, PASSWORD, ended, terminal};

fn gateway() -> Gateway {
    let gateway = Gateway::start();
    for name in ["a.txt", "b.txt", "c.txt"] {
        gateway.home.write(&format!("work/project/{name}"), "mine");
    }
    gateway
}

/// Whoever asked is told the changed form, and runs that or nothing.
#[test]
fn a_person_changes_what_runs() {
    let gateway = gateway();
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    // A script that did not say that it takes changes has not got a yes.
    let asking = gateway.request(&["rm a.txt b.txt"]);
    gateway.asked_about("rm a.txt b.txt");
    gateway.desk.enter("m");
    gateway.desk.wait_for_prompt("Do this instead");
    gateway.desk.enter("rm a.txt");
    gateway.desk.wait_for("It is modified.");
    let (code, said) = ended(asking);
    assert_eq!((code, &said["outcome"], &said["modified"]["cmd"]), (Some(121), &"modified".into(), &"rm a.txt".into()));
    let asking = gateway.request(&["--changed", "rm -f a.txt b.txt"]);
    gateway.asked_about("rm -f a.txt b.txt");
    gateway.desk.enter("m");
    gateway.desk.wait_for_prompt("Do this instead");
    gateway.desk.enter("rm -f a.txt");
    gateway.desk.wait_for("It is modified.");
    let (code, said) = ended(asking);
    assert_eq!((code, &said["command"]), (Some(0), &"rm -f a.txt".into()), "{said}");
    // What runs commands itself runs the changed one.
    let hands = terminal(&gateway.home);
    hands.run("s exec -- 'rm b.txt c.txt'; echo code $?");
    gateway.asked_about("rm b.txt c.txt");
    gateway.desk.enter("m");
    gateway.desk.wait_for_prompt("Do this instead");
    gateway.desk.enter("rm c.txt");
    let screen = hands.wait_for("code 0");
    assert!(screen.contains("in another form: rm c.txt"), "{screen}");
    let there = |name: &str| gateway.home.project().join(name).exists();
    assert_eq!((there("b.txt"), there("c.txt")), (true, false));
}

/// What is graver than what was shown is another question, and what runs then is what that one shows.
#[test]
fn a_graver_change_is_asked_about_again() {
    let gateway = gateway();
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let hands = terminal(&gateway.home);
    hands.run("s exec -- 'git push origin main'; echo code $?");
    gateway.asked_about("git push origin main");
    gateway.desk.enter("m");
    gateway.desk.wait_for_prompt("Do this instead");
    gateway.desk.enter("rm a.txt");
    gateway.desk.wait_for("it is asked anew");
    let screen = gateway.asked_about("rm a.txt");
    assert!(screen.contains("wants this in place of what was asked first"), "{screen}");
    assert!(gateway.home.project().join("a.txt").exists(), "nobody has said yes to it");
    gateway.desk.enter("y");
    let screen = hands.wait_for("code 0");
    assert!(screen.contains("in another form: rm a.txt"), "{screen}");
    assert!(!gateway.home.project().join("a.txt").exists());
}

/// The same for scripts of people: each answer has a command of its own.
#[test]
fn answers_have_commands() {
    let gateway = gateway();
    let asking = gateway.request(&["--changed", "rm a.txt b.txt"]);
    let id = gateway.open_question();
    gateway.log_in(&format!("s inbox modify {id} -- rm b.txt"));
    gateway.desk.wait_for("It is modified.");
    let (code, said) = ended(asking);
    assert_eq!((code, &said["command"]), (Some(0), &"rm b.txt".into()), "{said}");
    let asking = gateway.request(&["rm a.txt c.txt"]);
    let id = gateway.open_question();
    gateway.log_in(&format!("s inbox modify {id} -- rm -rf /"));
    gateway.desk.wait_for("no answer lifts what is blocked");
    gateway.log_in(&format!("s inbox deny {id} not today"));
    gateway.desk.wait_for("It is denied.");
    assert_eq!(ended(asking).0, Some(121));
}

/// A refusal is reopened by a reason that a person reads beside it, and not by asking again.
#[test]
fn a_person_judges_a_stated_reason() {
    let gateway = gateway();
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let asking = gateway.request(&["--key", "k", "rm a.txt"]);
    gateway.asked_about("rm a.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for_prompt("Words for the agent");
    gateway.desk.enter("it may be needed");
    assert_eq!(ended(asking).0, Some(121));
    assert_eq!(ended(gateway.request(&["--key", "k", "rm a.txt"])).0, Some(121), "who asks again is told the same");
    let asking = gateway.request(&["--key", "k", "--because", "b.txt holds all of it", "rm a.txt"]);
    let screen = gateway.desk.wait_for("the agent says");
    for part in ["“it may be needed”", "“b.txt holds all of it”"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    gateway.asked_about("b.txt holds all of it");
    gateway.desk.enter("y");
    let (code, said) = ended(asking);
    assert_eq!((code, &said["outcome"]), (Some(0), &"approved".into()), "{said}");
    // That was the one time, and nothing else is meant by the key.
    let other = gateway.request(&["--key", "k", "--because", "another reason", "rm a.txt"]);
    assert_eq!(ended(other).0, Some(2));
    assert_eq!(ended(gateway.request(&["--key", "k", "--because", "b.txt holds all of it", "rm b.txt"])).0, Some(2));
}

/// What comes all at once is shown one after the other and answered once; what is grave is asked about by itself.
#[test]
fn a_flood_is_one_question() {
    let gateway = gateway();
    gateway.home.write("user/config.toml", "[approval]\nburst = 1\n");
    let pushes = ["one", "two", "three"].map(|name| {
        let asking = gateway.request(&["--key", name, &format!("git push origin {name}")]);
        // One behind the other, so that it is known which is the first.
        std::thread::sleep(std::time::Duration::from_millis(700));
        asking
    });
    let deleting = gateway.request(&["rm a.txt"]);
    gateway.log_in("s inbox");
    gateway.asked_about("git push origin one");
    gateway.desk.enter("y");
    let screen = gateway.desk.wait_for("Approve all 2?");
    for part in ["These 2 are put together", "git push origin two", "git push origin three"] {
        assert!(screen.contains(part), "{part}:\n{screen}");
    }
    gateway.desk.enter("y");
    gateway.desk.wait_for("git push origin three is approved");
    gateway.asked_about("rm a.txt");
    gateway.desk.enter("n");
    gateway.desk.wait_for_prompt("Words for the agent");
    gateway.desk.enter("");
    for asking in pushes {
        assert_eq!(ended(asking).0, Some(0));
    }
    assert_eq!(ended(deleting).0, Some(121));
}

/// A person hands their answering over, the other one answers in their stead, and it is taken back. No agent does any of it.
#[test]
fn a_person_hands_their_answering_over() {
    let gateway = gateway();
    gateway.log_in("s people invite dora");
    let screen = gateway.desk.wait_for("signoff people join sgi1.");
    let invitation = screen.split_whitespace().find(|word| word.starts_with("sgi1.")).unwrap().to_owned();
    let other = terminal(&gateway.home);
    other.run(&format!("s people join {invitation}"));
    other.wait_for("Choose a password");
    other.enter(PASSWORD);
    other.wait_for("The same again");
    other.enter(PASSWORD);
    other.wait_for("Welcome, dora");
    let answers = |id: &str, told: &str| {
        other.run(&format!("s inbox --person dora approve {id}"));
        other.wait_for("Password of");
        other.enter(PASSWORD);
        other.wait_for(told);
    };
    let open = || gateway.open_question();
    let asking = gateway.request(&["rm a.txt"]);
    let id = open();
    answers(&id, "you are not one of those who were asked");
    gateway.log_in("s people hand-over dora --for 1h");
    gateway.desk.wait_for("dora answers in your stead for 1h");
    answers(&id, "It is approved.");
    assert_eq!(ended(asking).0, Some(0));
    gateway.log_in("s people take-back");
    gateway.desk.wait_for("Nobody answers in your stead any more.");
    let asking = gateway.request(&["--wait", "15s", "rm b.txt"]);
    answers(&open(), "you are not one of those who were asked");
    assert_eq!(ended(asking).0, Some(120));
    for arguments in [&["people", "hand-over", "mallory", "--for", "1h"][..], &["people", "take-back"]] {
        let output = gateway.home.signoff(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let checked = gateway.home.output(&["check", &format!("signoff {}", arguments.join(" "))]);
        assert_eq!(checked.status.code(), Some(20), "{arguments:?}");
    }
}

/// What is critical needs the number that stands where it was asked; whoever sits elsewhere and has not seen that says no yes.
#[test]
fn a_person_types_the_number_on_the_other_screen() {
    let gateway = gateway();
    gateway.home.write("user/config.toml", "[approval]\nmatch_number = \"high\"\n");
    gateway.log_in("s inbox");
    gateway.desk.wait_for("Waiting for questions");
    let hands = terminal(&gateway.home);
    hands.run("s request 'rm a.txt'; echo code $?");
    let screen = hands.wait_for("The number is ");
    let number: String = screen.split("The number is ").nth(1).unwrap().chars().take(2).collect();
    gateway.asked_about("rm a.txt");
    gateway.desk.enter("y");
    gateway.desk.wait_for_prompt("The number on the screen of whoever asks");
    gateway.desk.enter(if number == "11" { "12" } else { "11" });
    let screen = gateway.desk.wait_for("tries left: 2");
    assert!(!screen.contains(&format!("number is {number}")), "{screen}");
    gateway.desk.wait_for_prompt("Approve?");
    gateway.desk.enter("y");
    gateway.desk.wait_for_prompt("The number on the screen of whoever asks");
    gateway.desk.enter(&number);
    gateway.desk.wait_for("It is approved.");
    hands.wait_for("code 0");
    // Whoever runs it asks there, too.
    hands.run("s exec -- 'rm b.txt'; echo code $?");
    let screen = hands.wait_for("Run it?");
    assert!(screen.contains("The number is "), "{screen}");
    // Without a screen of its own there is nothing to show, and nothing to type.
    let asking = gateway.request(&["rm c.txt"]);
    gateway.asked_about("rm b.txt");
    gateway.desk.enter("k");
    gateway.asked_about("rm c.txt");
    gateway.desk.enter("y");
    assert_eq!(ended(asking).0, Some(0));
    hands.enter("y");
    hands.wait_for("code 0");
    assert!(!gateway.home.project().join("b.txt").exists());
}
