//! What is written for each client, what stays as it was, and what is left when it goes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::Value;
use signoff_agents::{
    Client,
    install::{
        Change, Ground, Presence, Scope, Trusted, Unwritable, install, place, presence, restored, trust, uninstall,
    },
};

/// A machine of which only some files are there.
#[derive(Default)]
struct House(RefCell<BTreeMap<PathBuf, String>>);

impl House {
    fn with(path: &str, text: &str) -> Self {
        let house = Self::default();
        house.0.borrow_mut().insert(PathBuf::from(path), text.to_owned());
        house
    }

    fn ground(program: &str) -> Ground {
        let path = PathBuf::from;
        Ground {
            home: path("/home/me"),
            project: path("/p"),
            machine: path("/"),
            program: path(program),
            moved: vec![],
        }
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.0.borrow().get(path).cloned()
    }

    fn carry_out(&self, changes: Vec<Change>) {
        for change in changes {
            assert_eq!(self.text(&change.path), change.before);
            match change.after {
                Some(text) => drop(self.0.borrow_mut().insert(change.path, text)),
                None => drop(self.0.borrow_mut().remove(&change.path)),
            }
        }
    }

    fn install(&self, client: Client, scope: Scope) -> Vec<Change> {
        let read = |path: &Path| Ok(self.text(path));
        let changes = install(client, scope, &Self::ground("/usr/bin/signoff"), &read).unwrap();
        self.carry_out(changes.clone());
        changes
    }

    fn uninstall(&self, client: Client, scope: Scope) {
        let read = |path: &Path| Ok(self.text(path));
        self.carry_out(uninstall(client, scope, &Self::ground("/usr/bin/signoff"), &read).unwrap());
    }
}

const CLAUDE: &str = "/home/me/.claude/settings.json";

#[test]
fn every_client_gets_its_hook_once_and_loses_it_without_a_trace() {
    for client in Client::ALL {
        let house = House::default();
        let changes = house.install(client, Scope::User);
        assert!(changes.iter().any(Change::is_one), "{client:?}");
        let written: String = house.0.borrow().values().cloned().collect();
        assert!(written.contains("/usr/bin/signoff"), "{client:?} {written}");
        // Once more changes nothing.
        let again = house.install(client, Scope::User);
        assert!(!again.iter().any(Change::is_one), "{client:?} {again:#?}");
        house.uninstall(client, Scope::User);
        let rest: Vec<String> = house.0.borrow().values().map(|text| text.trim().to_owned()).collect();
        assert!(
            rest.iter().all(|text| text.is_empty() || text == "{}" || text == "{\n  \"version\": 1\n}"),
            "{client:?} {rest:?}"
        );
    }
}

#[test]
fn what_is_written_is_read_by_the_client() {
    let house = House::default();
    house.install(Client::Claude, Scope::User);
    let settings: Value = serde_json::from_str(&house.text(Path::new(CLAUDE)).unwrap()).unwrap();
    let entry = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    assert_eq!(entry["command"], "/usr/bin/signoff");
    assert_eq!(entry["args"], serde_json::json!(["hook", "claude"]));
    assert_eq!((&entry["timeout"], &entry["onFailure"]), (&600.into(), &"block".into()));
    assert_eq!(settings["hooks"]["PreToolUse"][0]["matcher"], "*");
    house.install(Client::Kimi, Scope::User);
    let kimi = house.text(Path::new("/home/me/.kimi-code/config.toml")).unwrap();
    assert!(kimi.contains("timeout = 600"), "more would disarm it: {kimi}");
    house.install(Client::Cline, Scope::User);
    assert_eq!(
        house.text(Path::new("/home/me/.cline/hooks/PreToolUse.bash")).unwrap(),
        "#!/bin/sh\nexec /usr/bin/signoff hook cline\n"
    );
}

#[test]
fn what_others_have_written_stays_as_it_is() {
    let theirs = r#"{
  // mine
  "model": "opus", /* and this */
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine.sh"}]}
    ],
    "Stop": []
  },
  "permissions": {"deny": ["Read(.env)"]}
}
"#;
    const GEMINI: &str = "/home/me/.gemini/settings.json";
    let house = House::with(GEMINI, theirs);
    house.install(Client::Gemini, Scope::User);
    let both = house.text(Path::new(GEMINI)).unwrap();
    for part in ["// mine", "/* and this */", "mine.sh", "\"Stop\": []", "Read(.env)", "/usr/bin/signoff"] {
        assert!(both.contains(part), "{part}: {both}");
    }
    assert!(both.find("model") < both.find("permissions"), "in their order");
    house.uninstall(Client::Gemini, Scope::User);
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(squeezed(&house.text(Path::new(GEMINI)).unwrap()), squeezed(theirs));

    let toml = "# mine\ndefault_model = \"k\" # here\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"mine\"\n";
    let house = House::with("/home/me/.kimi-code/config.toml", toml);
    house.install(Client::Kimi, Scope::User);
    let both = house.text(Path::new("/home/me/.kimi-code/config.toml")).unwrap();
    assert!(both.starts_with(toml), "{both}");
    house.uninstall(Client::Kimi, Scope::User);
    assert_eq!(house.text(Path::new("/home/me/.kimi-code/config.toml")).unwrap(), toml);
    // Somebody else's file of that name is not ours to remove.
    let house = House::with("/home/me/.cline/hooks/PreToolUse", "#!/bin/sh\nmine\n");
    house.install(Client::Cline, Scope::User);
    assert_eq!(house.text(Path::new("/home/me/.cline/hooks/PreToolUse")).unwrap(), "#!/bin/sh\nmine\n");
    house.uninstall(Client::Cline, Scope::User);
    assert_eq!(house.0.borrow().len(), 1);
    assert_eq!(house.text(Path::new("/home/me/.cline/hooks/PreToolUse")).unwrap(), "#!/bin/sh\nmine\n");
    // What an earlier release has put there under the plain name gives way.
    let house = House::with("/home/me/.cline/hooks/PreToolUse", "#!/bin/sh\nexec /opt/signoff hook cline\n");
    house.install(Client::Cline, Scope::User);
    assert_eq!(house.text(Path::new("/home/me/.cline/hooks/PreToolUse")), None);
}

#[test]
fn another_place_of_the_program_takes_over() {
    let house = House::default();
    house.install(Client::Gemini, Scope::User);
    let read = |path: &Path| Ok(house.text(path));
    let moved = install(Client::Gemini, Scope::User, &House::ground("/opt/my tools/signoff"), &read).unwrap();
    let text = moved[0].after.clone().unwrap();
    assert!(text.contains("'/opt/my tools/signoff' hook gemini") && !text.contains("/usr/bin/signoff"), "{text}");
    assert_eq!(
        install(Client::Gemini, Scope::User, &House::ground("/o'brien/signoff"), &read),
        Err(Unwritable::Program)
    );
}

#[test]
fn codex_trusts_what_was_installed_and_nothing_else() {
    let house = House::default();
    house.install(Client::Codex, Scope::User);
    let (path, config) = (Path::new("/home/me/.codex/hooks.json"), Path::new("/home/me/.codex/config.toml"));
    let hooks = house.text(path).unwrap();
    let trusted = |hooks: &str| trust(path, hooks, house.text(config).as_deref());
    assert_eq!(trusted(&hooks), Trusted::Yes);
    assert_eq!(trusted(&hooks.replace("\"timeout\": 600", "\"timeout\": 6")), Trusted::No);
    assert_eq!(trust(path, &hooks, None), Trusted::No);
    assert_eq!(trust(Path::new("/elsewhere/hooks.json"), &hooks, house.text(config).as_deref()), Trusted::No);
}

#[test]
fn what_is_not_understood_is_left_alone() {
    for (path, client, text) in [
        (CLAUDE, Client::Claude, "{ \"hooks\": "),
        (CLAUDE, Client::Claude, "[]"),
        (CLAUDE, Client::Claude, "{\"hooks\": []}"),
        (CLAUDE, Client::Claude, "{\"hooks\": {\"PreToolUse\": {}}}"),
        // The client itself ignores such a file, or reads something else in it than we do.
        (CLAUDE, Client::Claude, "{ // mine\n}"),
        (CLAUDE, Client::Claude, "{ /* mine */ }"),
        (CLAUDE, Client::Claude, "{\"model\": \"x\",}"),
        (CLAUDE, Client::Claude, "{hooks: {}}"),
        (CLAUDE, Client::Claude, "{\"hooks\": {}, \"hooks\": {}}"),
        (CLAUDE, Client::Claude, "{\"hooks\": {\"PreToolUse\": [], \"PreToolUse\": []}}"),
        ("/home/me/.codex/hooks.json", Client::Codex, "{ // mine\n}"),
        ("/home/me/.gemini/settings.json", Client::Gemini, "{\"model\": \"x\",}"),
        ("/home/me/.cline/hooks/PreToolUse.bash", Client::Cline, "#!/bin/sh\nmine\n"),
        (
            "/home/me/.kimi-code/config.toml",
            Client::Kimi,
            "[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\ntimeout = 700\n",
        ),
        ("/home/me/.kimi-code/config.toml", Client::Kimi, "hooks = 1"),
        ("/home/me/.kimi-code/config.toml", Client::Kimi, "= ="),
    ] {
        let house = House::with(path, text);
        let read = |path: &Path| Ok(house.text(path));
        let failed = install(client, Scope::User, &House::ground("/usr/bin/signoff"), &read);
        assert!(matches!(failed, Err(Unwritable::Strange { .. })), "{text}: {failed:?}");
    }
    let read = |_: &Path| Err("no".to_owned());
    let failed = install(Client::Claude, Scope::User, &House::ground("/usr/bin/signoff"), &read);
    assert!(matches!(failed, Err(Unwritable::Unreadable { .. })));
    let none = install(Client::Kimi, Scope::Project, &House::ground("/usr/bin/signoff"), &read);
    assert_eq!(none, Err(Unwritable::NoPlace { client: Client::Kimi, scope: Scope::Project }));
    assert_eq!(place(Client::Qwen, Scope::Managed, &House::ground("/x")), None);
}

/// How the hook stands that was installed, after something was changed in a file.
fn stands(house: &House, client: Client, scope: Scope) -> Presence {
    let read = |path: &Path| Ok(house.text(path));
    presence(client, scope, &House::ground("/usr/bin/signoff"), &read).unwrap_or(Presence::Different)
}

/// Each of these makes the client run what it likes, wherever it stands.
#[test]
fn one_file_is_enough_to_switch_hooks_off() {
    for (client, scope, path, text) in [
        (Client::Claude, Scope::User, "/p/.claude/settings.json", r#"{"disableAllHooks": true}"#),
        (Client::Claude, Scope::User, "/p/.claude/settings.local.json", r#"{"disableAllHooks": true}"#),
        (Client::Claude, Scope::User, "/etc/claude-code/managed-settings.json", r#"{"allowManagedHooksOnly": true}"#),
        (Client::Claude, Scope::Project, "/home/me/.claude/settings.json", r#"{"disableAllHooks": true}"#),
        (Client::Gemini, Scope::User, "/p/.gemini/settings.json", r#"{"hooksConfig": {"disabled": ["signoff"]}}"#),
        (Client::Gemini, Scope::User, "/p/.gemini/settings.json", r#"{"hooksConfig": {"enabled": false}}"#),
        (Client::Codex, Scope::User, "/p/.codex/config.toml", "[features]\nhooks = false\n"),
        (Client::Codex, Scope::User, "/etc/codex/requirements.toml", "allow_managed_hooks_only = true\n"),
        (Client::Copilot, Scope::User, "/p/.github/copilot/settings.json", r#"{"disableAllHooks": true}"#),
    ] {
        let house = House::default();
        house.install(client, scope);
        assert_eq!(stands(&house, client, scope), Presence::Current, "{client:?}");
        house.0.borrow_mut().insert(PathBuf::from(path), text.to_owned());
        assert_eq!(stands(&house, client, scope), Presence::SwitchedOff, "{client:?} {path} {text}");
    }
    // What the administrator has written runs all the same.
    let house = House::with(CLAUDE, r#"{"disableAllHooks": true}"#);
    house.install(Client::Claude, Scope::Managed);
    assert_eq!(stands(&house, Client::Claude, Scope::Managed), Presence::Current);
    // In the very file.
    for (client, path, from, to) in [
        (Client::Claude, CLAUDE, "\"hooks\": {\n", "\"disableAllHooks\": true, \"hooks\": {\n"),
        (Client::Claude, CLAUDE, "\"*\"", "\" * \""),
        (Client::Claude, CLAUDE, "{\n", "{ // mine\n"),
        (Client::Claude, CLAUDE, "\"hooks\": {\n", "\"hooks\": {},\n\"hooks\": {\n"),
        (Client::Kimi, "/home/me/.kimi-code/config.toml", "timeout = 600", "timeout = 700"),
    ] {
        let house = House::default();
        house.install(client, Scope::User);
        let good = house.text(Path::new(path)).unwrap();
        assert_eq!(stands(&house, client, Scope::User), Presence::Current);
        assert!(good.contains(from), "{good}");
        house.0.borrow_mut().insert(PathBuf::from(path), good.replacen(from, to, 1));
        assert_ne!(stands(&house, client, Scope::User), Presence::Current, "{client:?} {to}");
    }
}

/// Codex takes its trust from its user alone, and reads nothing in a project that they do not trust.
#[test]
fn codex_in_a_project_is_trusted_by_its_user() {
    let config = Path::new("/home/me/.codex/config.toml");
    let house = House::default();
    house.install(Client::Codex, Scope::Project);
    assert!(house.text(config).unwrap().contains("/p/.codex/hooks.json:pre_tool_use:0:0"));
    assert_eq!(house.text(Path::new("/p/.codex/config.toml")), None);
    assert_eq!(stands(&house, Client::Codex, Scope::Project), Presence::Untrusted);
    let trusted = format!("[projects.\"/p\"]\ntrust_level = \"trusted\"\n\n{}", house.text(config).unwrap());
    house.0.borrow_mut().insert(config.to_owned(), trusted.clone());
    assert_eq!(stands(&house, Client::Codex, Scope::Project), Presence::Current);
    let off = trusted.replacen("trusted_hash", "enabled = false\ntrusted_hash", 1);
    house.0.borrow_mut().insert(config.to_owned(), off);
    assert_eq!(stands(&house, Client::Codex, Scope::Project), Presence::Untrusted);
}

#[test]
fn a_directory_that_was_moved_is_looked_into() {
    let mut ground = House::ground("/usr/bin/signoff");
    ground.moved = vec![(Client::Claude, "/elsewhere".into()), (Client::Codex, "/codex".into())];
    let there = |client| place(client, Scope::User, &ground).unwrap();
    assert_eq!(there(Client::Claude), Path::new("/elsewhere/settings.json"));
    assert_eq!(there(Client::Codex), Path::new("/codex/hooks.json"));
    assert_eq!(there(Client::Gemini), Path::new("/home/me/.gemini/settings.json"));
    let changes = install(Client::Codex, Scope::User, &ground, &|_| Ok(None)).unwrap();
    assert_eq!(changes[1].path, Path::new("/codex/config.toml"));
}

/// Copilot reads what Claude Code is told in a project, without the arguments; and a path of one machine is nobody else's.
#[test]
fn a_project_is_told_in_a_file_of_ones_own_and_in_one_text() {
    let shared = Path::new("/p/.claude/settings.json");
    let house = House::with(
        "/p/.claude/settings.json",
        r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
        {"type": "command", "command": "/usr/bin/signoff", "args": ["hook", "claude"]}]}]}, "model": "x"}"#,
    );
    house.install(Client::Claude, Scope::Project);
    assert!(!house.text(shared).unwrap().contains("signoff"));
    let own = house.text(Path::new("/p/.claude/settings.local.json")).unwrap();
    let entry = &serde_json::from_str::<Value>(&own).unwrap()["hooks"]["PreToolUse"][0]["hooks"][0];
    assert_eq!((&entry["command"], entry.get("args")), (&"/usr/bin/signoff hook claude".into(), None));
}

/// Amp starts what it is told as one path, without arguments.
#[test]
fn amp_is_given_a_program_that_it_can_start() {
    let house = House::default();
    house.install(Client::Amp, Scope::User);
    let settings = house.text(Path::new("/home/me/.config/amp/settings.json")).unwrap();
    let rule = &serde_json::from_str::<Value>(&settings).unwrap()["amp.permissions"][0];
    let script = house.text(Path::new(rule["to"].as_str().unwrap())).unwrap();
    assert_eq!(script, "#!/bin/sh\nexec /usr/bin/signoff hook amp\n");
}

/// What was there before comes back to the letter, unless somebody has changed it since.
#[test]
fn what_was_there_comes_back_to_the_letter() {
    let ground = House::ground("/usr/bin/signoff");
    let codex = "/home/me/.codex/config.toml";
    for (client, path, texts) in [
        (
            Client::Claude,
            CLAUDE,
            &[
                "{}",
                "{}\n",
                "{\"model\":\"x\"}",
                "{\"hooks\": {}}\n",
                "{\"hooks\":{\"PreToolUse\":[]},\"a\":[1,2]}",
                "\n\n{\n}\n\n",
            ][..],
        ),
        (Client::Codex, codex, &["model = \"x\"", "# mine\n[hooks]\n", "[hooks.state]\n", ""]),
        (Client::Kimi, "/home/me/.kimi-code/config.toml", &["a = 1", "hooks = []\n", "# mine\n\n\n"]),
    ] {
        for text in texts {
            let house = House::with(path, text);
            let read = |path: &Path| Ok(house.text(path));
            // A list that is written in one line is left alone.
            let Ok(changes) = install(client, Scope::User, &ground, &read) else { continue };
            house.carry_out(changes);
            let back = |backups: &[&str]| -> BTreeMap<PathBuf, Option<String>> {
                let changes = uninstall(client, Scope::User, &ground, &read).unwrap().into_iter();
                let backups: Vec<String> = backups.iter().map(|text| (*text).to_owned()).collect();
                let kept = |change: &Change| if change.path == Path::new(path) { backups.clone() } else { Vec::new() };
                changes
                    .map(|change| {
                        let kept = kept(&change);
                        let change = restored((client, Scope::User), &ground, &read, change, kept);
                        (change.path, change.after)
                    })
                    .collect()
            };
            let came = back(&["somebody's else", text]);
            assert_eq!(came[Path::new(path)].as_deref(), Some(*text), "{client:?} {text:?}");
            // Where nothing was, nothing is left.
            assert!(
                came.iter().all(|(other, after)| other == Path::new(path) || after.is_none()),
                "{client:?} {came:?}"
            );
        }
    }
    let house = House::with(CLAUDE, "{\"a\":1}");
    house.install(Client::Claude, Scope::User);
    let read = |path: &Path| Ok(house.text(path));
    let changed = house.text(Path::new(CLAUDE)).unwrap().replace("\"a\":1", "\"a\":2");
    house.0.borrow_mut().insert(CLAUDE.into(), changed);
    let change = uninstall(Client::Claude, Scope::User, &ground, &read).unwrap().remove(0);
    let after =
        restored((Client::Claude, Scope::User), &ground, &read, change, vec!["{\"a\":1}".to_owned()]).after.unwrap();
    assert!(after.contains("\"a\":2") && !after.contains("signoff"), "{after}");
}
