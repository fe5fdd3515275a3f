//! One table per agent.

use super::{
    check,
    drawing::{ALL, boxed},
};

fn in_box(rows: &[&str]) -> String {
    boxed(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>(), 80).join("\n")
}

/// What Claude Code draws today, with rows between its lines.
fn fenced(title: &[&str], block: &[&str], below: &[&str]) -> String {
    let mut rows = vec!["● Tidying up".to_owned(), String::new(), "─".repeat(90)];
    let fence = "╌".repeat(90);
    rows.extend(title.iter().map(|row| format!(" {row}")));
    rows.push(fence.clone());
    rows.extend(block.iter().map(|row| format!(" {row}")));
    rows.push(fence);
    rows.extend(below.iter().map(|row| format!(" {row}")));
    rows.extend([String::new(), " Esc to cancel · Tab to amend".to_owned()]);
    rows.join("\n")
}

const YES_OR_NO: &[&str] =
    &["❯ 1. Yes", "  2. Yes, and don't ask again for it", "  3. No, and tell Claude what to do differently (esc)"];

fn with_choices<'a>(head: &[&'a str], choices: &[&'a str]) -> String {
    in_box(&[head, choices].concat())
}

#[test]
fn every_agent_asks_about_a_command() {
    let expected = [
        "claude-code | just lint | 1 / 3 |",
        "claude-code | just lint | 1 / 2 |",
        "codex | just lint | y / esc |",
        "gemini-cli | just lint | 1 / 3 |",
        "copilot-cli | just lint | 1 / 2 |",
    ];
    for ((_, draw), expected) in ALL.iter().zip(expected) {
        check(&[(&draw("just lint", 100), expected)]);
    }
}

#[test]
fn claude_code_between_lines() {
    let ask = ["", "Do you want to proceed?", "❯ 1. Yes", "  2. No"];
    check(&[
        (
            &fenced(&["Bash command", "Count the files"], &["fd -t f | wc -l"], &ask),
            "claude-code | fd -t f | wc -l | 1 / 2 |",
        ),
        (
            &fenced(&["Bash command"], &["just build", "just deploy --dry-run"], &ask),
            "claude-code | just build⏎just deploy --dry-run | 1 / 2 |",
        ),
        // A hook's words and the countdown of an unattended session stand below the command.
        (
            &fenced(
                &["Bash command", "Look"],
                &["tree -L 2"],
                &[
                    &["│ Hook PreToolUse:Bash requires confirmation for this command:", "│ a rule of the house"][..],
                    &ask[..],
                ]
                .concat(),
            ),
            "claude-code | tree -L 2 | 1 / 2 |",
        ),
        // It opens on No where it cannot tell, and without numbers.
        (
            &fenced(
                &["Create file", "docs/plan-b.md"],
                &["  1 # Plan B"],
                &["", "Do you want to create plan-b.md?", "❯ No", "  Yes"],
            ),
            "claude-code | create docs/plan-b.md | down enter / enter |",
        ),
        (
            &fenced(
                &["Edit file", "src/limits.rs"],
                &["12 -const MOST: usize = 4;", "12 +const MOST: usize = 8;"],
                &[
                    "Do you want to make this edit to limits.rs?",
                    "❯ 1. Yes",
                    "  2. Yes, and switch to accept edits (auto-approve file edits) for this session",
                    "     (shift+tab)",
                    "  3. No",
                ],
            ),
            "claude-code | edit src/limits.rs | 1 / 3 |",
        ),
        (
            &fenced(
                &["Overwrite file", "data/seed.sql"],
                &["1 select 1"],
                &["", "Do you want to overwrite seed.sql?", "❯ 1. Yes", "  2. No"],
            ),
            "claude-code | overwrite data/seed.sql | 1 / 2 | !",
        ),
        (
            &fenced(&["Tool use", "tickets — Close Tool: (MCP)"], &["id: 412"], &ask),
            "claude-code | tickets — Close(id: 412) | 1 / 2 |",
        ),
        (
            &fenced(&["Bash command", "Long"], &["cat <<'END'", "… +30 lines (ctrl+o to expand)"], &ask),
            "claude-code | cat <<'END'⏎… +30 lines (ctrl+o to expand) | 1 / 2 | ! left_out",
        ),
        (&fenced(&["Bash command"], &[""], &ask), "claude-code |  | 1 / 2 | ! empty"),
    ]);
}

#[test]
fn claude_code_in_a_box() {
    let ask = ["", "Do you want to proceed?"];
    check(&[
        (
            &with_choices(
                &[&["Bash command", "", "  deno task check", "  Type-check the project"][..], &ask[..]].concat(),
                YES_OR_NO,
            ),
            "claude-code | deno task check | 1 / 3 | ! not_told",
        ),
        (
            &with_choices(
                &[&["Bash 命令", "", "  make 文档", "  生成文档"][..], &["", "是否继续？"][..]].concat(),
                &["❯ 1. 是", "  2. 是，且不再询问", "  3. 否 (esc)"],
            ),
            "claude-code | make 文档 | 1 / 3 | ! not_told",
        ),
        (
            &with_choices(
                &[
                    "Fetch",
                    "",
                    "  https://docs.example.org/api",
                    "  Claude wants to fetch content from docs.example.org",
                    "",
                    "Do you want to allow Claude to fetch this content?",
                ],
                YES_OR_NO,
            ),
            "claude-code | fetch https://docs.example.org/api | 1 / 3 |",
        ),
        (
            &with_choices(
                &["Tool use", "", "  calendar - add_event(title: \"lunch\") (MCP)", "", "Do you want to proceed?"],
                YES_OR_NO,
            ),
            "claude-code | calendar - add_event(title: \"lunch\") | 1 / 3 |",
        ),
        (
            &with_choices(
                &["Ready to code?", "", "1. Rename the table", "2. Drop the old one", "", "Would you like to proceed?"],
                &["❯ 1. Yes, and auto-accept edits", "  2. Yes, and manually approve edits", "  3. No, keep planning"],
            ),
            "claude-code | 1. Rename the table⏎ 2. Drop the old one | 2 / 3 | ! not_told",
        ),
        (
            &with_choices(&["Read file", "", "  Read(/etc/fstab)", "", "Do you want to proceed?"], YES_OR_NO),
            "claude-code | read /etc/fstab | 1 / 3 | ! not_told",
        ),
        (
            &with_choices(&["Web Search", "", "  tmux control mode", "", "Do you want to proceed?"], YES_OR_NO),
            "claude-code | Web Search: tmux control mode | 1 / 3 | !",
        ),
    ]);
}

#[test]
fn rights_are_for_people() {
    check(&[
        (
            &with_choices(
                &[
                    "WARNING: Claude Code running in Bypass Permissions mode",
                    "",
                    "It will not ask before it runs commands.",
                ],
                &["", "❯ 1. No, exit", "  2. Yes, I accept"],
            ),
            "claude-code | bypass permissions mode | 2 / 1 | !",
        ),
        (
            &with_choices(
                &["Do you trust the files in this folder?", "", "/srv/checkout"],
                &["", "❯ 1. Yes, proceed", "  2. No, exit"],
            ),
            "claude-code | trust the folder | 1 / 2 | !",
        ),
        (
            &format!(
                "{}\n Accessing workspace:\n\n /srv/checkout\n\n Is this a project you created or one you trust?\n Take a moment to look at it first.\n\n ❯ No, exit\n   Yes, I trust this folder\n\n Enter to confirm · Esc to cancel",
                "─".repeat(90)
            ),
            "claude-code | trust the folder | down enter / enter | !",
        ),
        (
            "  Folder access\n  /srv/checkout\n\n  Trust this folder? It can be read, edited and run from.\n\n› 1. Trust and continue\n  2. Quit\n\n  enter continue · esc quit",
            "codex | trust the folder | 1 / 2 | ! top_cut",
        ),
        (
            "  Hooks need review\n  2 hooks are new or changed.\n\n› 1. Review hooks\n  2. Trust all and continue\n  3. Continue without trusting (hooks won't run)\n\n  enter confirm · esc skip",
            "codex | trust the hooks | – / 3 | ! top_cut no_plain_yes",
        ),
        (
            &with_choices(
                &["", "Do you trust the files in this folder?", "", "It may load settings."],
                &["", "● 1. Trust folder (checkout)", "  2. Trust parent folder (srv)", "  3. Don't trust"],
            ),
            "gemini-cli | trust the folder | 1 / 3 | !",
        ),
        (
            "• Asking\n\n  Would you like to grant these permissions?\n\n  Permission rule: network; read `/srv/data`\n\n› 1. Yes, grant these permissions for this turn (y)\n  2. Yes, grant these permissions for this session (a)\n  3. No, continue without permissions (d)\n\n  Press enter to confirm or esc to cancel",
            "codex | network; read /srv/data | y / d | !",
        ),
        (
            "• Asking\n\n  Do you want to approve network access to \"files.example.org\"?\n\n› 1. Yes, just this once (y)\n  2. Yes, and allow this host for this conversation (a)\n  3. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel",
            "codex | network access to files.example.org | y / esc | !",
        ),
    ]);
}

#[test]
fn codex() {
    let choices = "› 1. Yes, proceed (y)\n  2. Yes, and don't ask again for these files (a)\n  3. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel\n\n";
    check(&[
        (
            &format!(
                "◦ Running\n\n  Would you like to run the following command?\n\n  Reason: Should I make the archive?\n\n  $ tar cf out.tar docs\n\n{choices}"
            ),
            "codex | tar cf out.tar docs | y / esc |",
        ),
        // Nothing is visible above, so that it may not be the beginning.
        (
            &format!("  Would you like to run the following command?\n\n  $ tar cf out.tar docs\n\n{choices}"),
            "codex | tar cf out.tar docs | y / esc | ! top_cut",
        ),
        (
            &format!(
                "• Edited\n\n  Would you like to make the following edits?\n\n  Destination: /srv/app/main.rs\n\n{choices}"
            ),
            "codex | edit /srv/app/main.rs | y / esc | ! not_told",
        ),
        (
            "• Calling\n\n  Allow the wiki MCP server to run tool \"publish\"?\n\n  page: 7\n\n› 1. Allow                   Run the tool\n  2. Allow for this session  Run it and remember\n  3. Always allow            Run it from now on\n  4. Cancel                  Do not run it\n\n  enter to submit | esc to cancel",
            "codex | wiki - publish(page: 7) | 1 / 4 | ! not_told",
        ),
    ]);
}

#[test]
fn gemini_and_its_fork() {
    let old = |agent: &str| {
        let rows = in_box(&[
            "?  Shell just docs (makes the docs)",
            "",
            "just docs",
            "",
            "Allow execution of: 'just'?",
            "",
            "● 1. Yes, allow once",
            "  2. Yes, allow always ...",
            "  3. No, suggest changes (esc)",
        ]);
        format!("{agent}\n{rows}\n⠏ Waiting for user confirmation... (esc to cancel, 4s)")
    };
    check(&[
        (&old(""), "gemini-cli | just docs | 1 / 3 |"),
        (&old("Qwen Code (v0.9)"), "qwen-code | just docs | 1 / 3 |"),
        (
            &in_box(&[
                "? WriteFile  Writing to notes/may.md",
                "╭──────────────────────────────────────╮",
                "│ 1 a list                             │",
                "╰──────────────────────────────────────╯",
                "Apply this change?",
                "",
                "● 1. Allow once",
                "  2. Allow for this session",
                "  3. Modify with external editor",
                "  4. No, suggest changes (esc)",
            ]),
            "gemini-cli | create notes/may.md | 1 / 4 |",
        ),
        (
            &in_box(&[
                "? WriteFile  Writing to notes/may.md",
                "╭──────────────────────────────────────╮",
                "│ 1 - a list                           │",
                "│ 1 + b list                           │",
                "╰──────────────────────────────────────╯",
                "Apply this change?",
                "",
                "● 1. Allow once",
                "  2. No, suggest changes (esc)",
            ]),
            "gemini-cli | overwrite notes/may.md | 1 / 2 | !",
        ),
        (
            &in_box(&[
                "? find_page (wiki MCP Server) {}",
                "",
                "MCP Server: wiki",
                "Tool: find_page",
                "",
                "Allow execution of MCP tool \"find_page\" from server \"wiki\"?",
                "",
                "● 1. Allow once",
                "  2. Allow tool for this session",
                "  3. Allow all server tools for this session",
                "  4. No, suggest changes (esc)",
            ]),
            "gemini-cli | wiki - find_page() | 1 / 4 | ! not_told",
        ),
    ]);
}

#[test]
fn copilot_opencode_and_cursor() {
    let hint = "↑/↓ to navigate · enter to select · esc to cancel";
    check(&[
        (
            &in_box(&[
                "Hook permission request",
                "──────────────────────",
                "a rule of the house",
                "",
                "╭───────────────────────────────╮",
                "│ Tool: bash                    │",
                "│ Args: {                       │",
                "│   \"command\": \"just fmt\"       │",
                "│ }                             │",
                "╰───────────────────────────────╯",
                "",
                "Do you want to allow this tool call?",
                "",
                "❯ 1. Yes",
                "  2. No (Esc to stop)",
                "",
                hint,
            ]),
            "copilot-cli | just fmt | 1 / 2 |",
        ),
        (
            "     $ just fmt\n\n  ┃\n  ┃  △ Permission required\n  ┃    # Shell command\n  ┃\n  ┃  $ just fmt\n  ┃\n  ┃   Allow once   Allow always   Reject      ctrl+f fullscreen  ⇆ select  enter confirm\n  ┃",
            "opencode | just fmt | enter / esc | ! mark_unseen",
        ),
        (
            "\n  ┃\n  ┃  △ Permission required\n  ┃    → Edit src/lib.rs\n  ┃\n  ┃  - one\n  ┃  + two\n  ┃\n  ┃   Allow once   Allow always   Reject\n  ┃",
            "opencode | edit src/lib.rs | enter / esc | ! not_told mark_unseen",
        ),
        (
            " ┌──────────────────────────────┐\n │ $ just fmt                   │\n └──────────────────────────────┘\n\n Run this command?\n Not in allowlist: just\n  → Run (once) (y) (enter)\n    Add Shell(just) to allowlist? (tab)\n    Auto-run all commands (shift+tab)\n    Skip (esc or n)",
            "cursor-agent | just fmt | y / n |",
        ),
    ]);
}

#[test]
fn questions_and_menus_are_no_permissions() {
    check(&[
        (
            &format!(
                "{0}\n ☐ Colour\n\nWhich colour should the button have?\n\n❯ 1. Yes\n     green\n  2. No\n     red\n  3. Type something.\n{0}\n  4. Chat about this\n\nEnter to select · ↑/↓ to navigate · Esc to cancel",
                "─".repeat(90)
            ),
            "claude-code | Which colour should the button have? | – / esc | !",
        ),
        (
            &in_box(&[
                "Answer Questions",
                "",
                "Which port?",
                "",
                "● 1.  80",
                "  2.  8080",
                "  3.  Enter a custom value",
                "",
                "Enter to select · ↑/↓ to navigate · Esc to cancel",
            ]),
            "gemini-cli | Which port? | – / esc | !",
        ),
        (
            "  Choose a model\n\n› 1. Small   quick answers\n  2. Large   long thoughts\n\n  Press enter to confirm or esc to go back",
            "codex | menu | – / – | !",
        ),
    ]);
}
