//! The verdicts of wrappers. What they run here is one of Signoff's own commands, which is blocked whoever runs it, so that
//! a wrapper that loses its command shows.

use signoff_model::Verdict::{Allow, Ask, Block};

use crate::testing::{assess, check};

const BAD: &str = "signoff pause 1h";

#[track_caller]
fn check_runs(templates: &[&str]) {
    let commands: Vec<String> = templates.iter().map(|template| template.replace("@", BAD)).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    check(Block, &commands);
}

#[test]
fn prefixes_run_what_follows() {
    check_runs(&[
        "nohup @",
        "nice @",
        "nice -n 5 @",
        "nice -10 @",
        "ionice -c 3 @",
        "ionice -c2 -n7 @",
        "chrt -b 0 @",
        "taskset -c 0,1 @",
        "taskset 0x3 @",
        "/usr/bin/time -v @",
        "/usr/bin/time -o /tmp/t -f %e @",
        "timeout 5 @",
        "timeout -k 5 -s KILL 10s @",
        "timeout --signal=KILL 10 @",
        "timeout --preserve-status 1s @",
        "stdbuf -oL @",
        "stdbuf -o 0 -e 0 @",
        "setsid --fork @",
        "setarch x86_64 @",
        "setarch -R @",
        "setarch x86_64 --addr-no-randomize @",
        "linux32 @",
        "unshare -r @",
        "unshare --map-root-user --net @",
        "dbus-run-session -- @",
        "xvfb-run -a @",
        "xvfb-run --server-args='-screen 0' @",
        "caffeinate -i @",
        "arch -x86_64 @",
        "fakeroot -- @",
        "faketime '2020-01-01' @",
        "valgrind --leak-check=full @",
        "chronic @",
        "unbuffer @",
        "command @",
        "nohup nice -n 3 timeout 9 @",
        "lockfile-run /tmp/x @",
        "systemd-inhibit --what=sleep @",
        "proxychains4 -q @",
        "gosu app @",
        "bwrap --ro-bind / / --dev /dev --unshare-all -- @",
        "bwrap --bind / / @",
        "firejail --net=none @",
        "setpriv --reuid 1 @",
        "prlimit --cpu=1 @",
    ]);
}

#[test]
fn other_roots_and_namespaces_run_what_follows() {
    check_runs(&[
        "chroot / @",
        "nsenter -t 1 -m -- @",
        "proot -w /x @",
        "systemd-run --user @",
        "systemd-run -p MemoryMax=1G --wait @",
    ]);
    check(
        Ask,
        &[
            "nsenter -t 1 -m -u sh",
            "systemd-run --on-active=60 true",
            "systemd-run true",
            "nsenter --target 1 --all ls",
        ],
    );
    check(
        Allow,
        &[
            "systemd-run --user true",
            "unshare",
            "chroot --help",
            "systemd-run --version",
            "bwrap --ro-bind / / /bin/true",
        ],
    );
}

#[test]
fn raised_rights_ask_and_run() {
    check_runs(&[
        "sudo @",
        "sudo -u root @",
        "sudo -E -H @",
        "sudo -n -- @",
        "sudo FOO=1 @",
        "sudo --user=root @",
        "sudo -iu deploy @",
        "sudo -s @",
        "doas @",
        "doas -u root @",
        "su -c '@'",
        "su - root -c '@'",
        "su root -c '@'",
        "su -s /bin/sh -c '@' www",
        "runuser -u app -- @",
        "runuser -l app -c '@'",
        "pkexec @",
        "pkexec --user x @",
        "run0 @",
        "sudo sudo @",
        "sudo env X=1 @",
        "echo '@' | sudo -s",
        "echo '@' | su -",
        "sudo -D /tmp @",
    ]);
    check(
        Ask,
        &[
            "sudo ls",
            "sudo -i",
            "sudo -s",
            "sudo su -",
            "sudo -u postgres psql",
            "doas ls",
            "su",
            "su - joe",
            "sudo -v",
            "sudoedit notes",
            "sudo -e notes",
            "pkexec true",
            "sudo find . -print0",
            "sudo true && ls",
        ],
    );
    check(
        Allow,
        &[
            "sudo -V",
            "sudo --version",
            "sudo --help",
            "sudo -h",
            "sudo -l",
            "sudo -k",
            "doas -L",
            "su --help",
            "su --version",
            "pkexec --version",
        ],
    );
}

#[test]
fn env_reads_its_own_syntax() {
    check_runs(&[
        "env @",
        "env FOO=1 BAR=2 @",
        "env -i @",
        "env -i PATH=/bin @",
        "env -u HOME @",
        "env -uHOME @",
        "env --unset=HOME @",
        "env -C /tmp @",
        "env --chdir=/tmp @",
        "/usr/bin/env @",
        "env -S '@'",
        "env -S'@'",
        "env -vS '@'",
        "env --split-string='@'",
        "env -S 'X=1 signoff' pause 1h",
        "env -S '-i signoff' pause 1h",
        r#"env -S 'signoff\_pause' 1h"#,
        r#"env -S '"signoff" pause 1h'"#,
        "env -- @",
        "env - @",
        "X=pause; export X; env -S 'signoff ${X}' 1h",
        "env env env @",
        "env --argv0 x @",
    ]);
    check(Ask, &["env", "env | cat", "env -S \"$CODE\"", "env $CMD"]);
    check(Allow, &["env FOO=1 ls", "env --version", "env --help", "env -u X true", "env -S 'echo hi'", "env -i true"]);
}

#[test]
fn variables_that_bring_code_ask() {
    check(
        Ask,
        &[
            "LD_PRELOAD=./x.so ls",
            "export LD_PRELOAD=/tmp/x.so",
            "env LD_PRELOAD=/tmp/x.so ls",
            "BASH_ENV=/tmp/e.sh bash -c true",
            "ENV=/tmp/e.sh sh -c true",
            "DYLD_INSERT_LIBRARIES=x.dylib ls",
            "PYTHONSTARTUP=/tmp/x.py python3",
            "PERL5OPT=-Mevil perl -v",
            "RUBYOPT=-r/tmp/x ruby -v",
            "NODE_OPTIONS='--require /tmp/x.js' node app.js",
            "NODE_OPTIONS=--import=/tmp/x.mjs node app.js",
            "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar java -version",
            "PATH=/tmp/bin:$PATH git status",
            "PATH=.:$PATH ls",
            "sudo LD_PRELOAD=/tmp/x.so id",
            "LD_LIBRARY_PATH=/tmp/x ls",
            "PYTHONPATH=/tmp/x true",
            "LD_AUDIT=./x.so ls",
            "nohup env LD_PRELOAD=./a.so ls",
        ],
    );
    check_runs(&[
        "EDITOR='@' ls",
        "PAGER='@' true",
        "PROMPT_COMMAND='@' true",
        "LESSOPEN='|@ %s' less x",
        "PS4='$(@)' true",
        "export MANPAGER='@'",
        "BROWSER='@;' true",
        "man -P '@' ls",
        "man --pager='@' ls",
    ]);
    check(
        Allow,
        &[
            "NODE_OPTIONS=--max-old-space-size=4096 true",
            "NODE_OPTIONS='--experimental-vm-modules' true",
            "ENV=production true",
            "PATH=\"$PATH:/x\" true",
            "PATH=\"$HOME/.cargo/bin:$PATH\" true",
            "PATH=\"$PWD/node_modules/.bin:$PATH\" true",
            "EDITOR=vim true",
            "PAGER=cat true",
            "PAGER= true",
            "LD_LIBRARY_PATH=target/debug true",
            "PYTHONPATH=src true",
            "JAVA_TOOL_OPTIONS=-Xmx1g true",
            "export EDITOR=nano",
            "IFS=, true",
            "RUBYOPT=-W0 true",
            "PS4='+ ' true",
            "LD_PRELOAD= true",
            "BASH_ENV=/dev/null true",
            "HOME=/tmp/x true",
            "PATH=/usr/bin:/tmp/x true",
            "PS1='$ ' true",
        ],
    );
}

#[test]
fn xargs_runs_its_command_on_what_flows_in() {
    check_runs(&[
        "echo 1h | xargs signoff pause",
        "echo pause 1h | xargs signoff",
        "printf 'pause\\0001h\\0' | xargs -0 signoff",
        "echo a | xargs @",
        "echo pause | xargs -I{} signoff {} 1h",
        "echo pause | xargs -i signoff {} 1h",
        "echo pause | xargs -I % signoff % 1h",
        "echo a | xargs -n1 -P4 @",
        "echo pause:1h | xargs -d : signoff",
        "echo 'signoff pause 1h' | xargs -I{} sh -c '{}'",
        "echo x | xargs -t -r @",
        "echo x | xargs --max-args=1 @",
        "echo x | xargs --replace=% signoff pause %",
        "echo signoff | xargs -I{} {} pause 1h",
        "xargs signoff pause <<< 1h",
        "echo a b c | xargs -L1 @",
        "echo x | xargs -E end @",
        "printf 'list\\npause\\n' | xargs -n1 signoff inbox; echo approve | xargs signoff inbox",
    ]);
    check(Ask, &["cat cmds | xargs -I{} sh -c '{}'", "cat list | xargs -I{} {}", "cat names | xargs sudo ls"]);
    check(
        Allow,
        &[
            "xargs --version",
            "cat list.txt | xargs -n1 echo rm",
            "cat x | xargs",
            "echo a | xargs echo",
            "cat list | xargs -I{} echo {}",
            "echo a b | xargs -n1",
        ],
    );
}

#[test]
fn xargs_keeps_what_it_cannot_know_visible() {
    let assessment = assess("cat list | xargs -I{} signoff {}");
    assert_eq!(
        assessment.reasons.first().map(|reason| reason.rule.as_str()),
        Some("signoff-state"),
        "{:?}",
        assessment.reasons
    );
}

#[test]
fn parallel_runs_its_template() {
    check_runs(&[
        "parallel @ ::: 1",
        "parallel signoff ::: 'pause 1h' pause",
        "parallel 'signoff {} 1h' ::: pause",
        "parallel -j4 signoff {} 1h ::: list pause",
        "echo '@' | parallel",
        "parallel ::: '@' ls",
        "parallel --jobs 2 --bar 'signoff {.} 1h' ::: pause.txt",
        "parallel -k 'signoff {/} 1h' ::: a/pause",
        "echo pause | parallel signoff {} 1h",
    ]);
    check(
        Allow,
        &[
            "parallel echo ::: a b",
            "parallel --version",
            "parallel --dry-run rm ::: a",
            "ls | parallel echo {}",
            "parallel wc -l ::: a b",
        ],
    );
}

#[test]
fn texts_for_a_shell_are_read() {
    check_runs(&[
        "watch '@'",
        "watch -n 5 @",
        "watch -n5 -d '@'",
        "watch -x @",
        "script -c '@' /dev/null",
        "script -q /dev/null @",
        "script -qc '@'",
        "flock /tmp/l @",
        "flock -n /tmp/l -c '@'",
        "flock --nonblock --conflict-exit-code 1 /tmp/l @",
        "flock -w 5 /tmp/l @",
        "hyperfine '@'",
        "hyperfine --prepare '@' ls",
        "hyperfine -w 3 'ls' '@'",
        "ls | entr @",
        "ls | entr -s '@'",
        "busybox signoff pause 1h",
        "strace -f -o /tmp/t @",
        "strace -e trace=open @",
        "ltrace -c @",
        "perf stat @",
        "perf record -g -- @",
        "rr record @",
        "gdb --args @",
        "gdb -ex 'shell @' -batch",
        "gdb -batch -ex '!@'",
        "strace -o '|@' ls",
        "less '+!@' file",
        "nix-shell --run '@'",
        "nix-shell -p hello --command '@'",
        "nix develop -c @",
        "nix shell nixpkgs#x -c @",
        "direnv exec . @",
        "mise exec node -- @",
        "mise x -- @",
        "dotenv run -- @",
        "dotenv -f .env.x @",
        "nodemon --exec '@' x.js",
        "watchexec -e rs -- @",
        "concurrently 'ls' '@'",
        "echo '@' | at now",
        "echo '@' | batch",
        "at now <<< '@'",
        "command @",
        "devbox run -- @",
        "cargo-watch -s '@'",
    ]);
    check(
        Ask,
        &[
            "at -f job.sh now",
            "echo ls | at now",
            "atrm 3",
            "gdb -p 4242",
            "strace -p 1",
            "run-parts /etc/cron.daily",
            "direnv allow",
            "mise trust",
            "mise run deploy",
            "nix run github:a/b",
        ],
    );
    check(
        Allow,
        &[
            "watch date",
            "watch -n 1 'ps aux | grep php'",
            "script --help",
            "hyperfine 'ls'",
            "at -l",
            "atq",
            "gdb ./app",
            "gdb --batch -ex bt ./app core",
            "strace ls",
            "perf report",
            "nix build",
            "nix flake show",
            "nix run .#app",
            "nix profile list",
            "direnv status",
            "mise ls",
            "busybox --help",
            "toybox",
            "command -v git",
            "command -V rm",
            "flock /tmp/l true",
            "less file",
            "man ls",
            "time sleep 1",
            "timeout 3 sleep 10",
            "nice",
            "rr replay",
            "taskset -p 1",
            "ionice -p 1",
            "nix store gc --dry-run",
            "run-parts --test /etc/cron.daily",
        ],
    );
}

#[test]
fn an_address_in_production_asks() {
    check(
        Ask,
        &[
            "DATABASE_URL=$PROD_DATABASE_URL npx jest",
            "DATABASE_URL=\"$PRODUCTION_DB_URL\" npm test",
            "export DATABASE_URL=$PROD_DB_URL; npm test",
            "env REDIS_URL=$PROD_REDIS_URL pytest",
            "DATABASE_URL=postgres://app@prod.db.internal/app npx jest",
            "PGHOST=db.prod.example.com npm test",
        ],
    );
    check(
        Allow,
        &[
            "NODE_ENV=production npm run build",
            "DATABASE_URL=$TEST_DATABASE_URL npx jest",
            "DATABASE_URL=postgres://localhost/app_production npx jest",
            "DATABASE_URL=postgres://localhost/test npx jest",
            "API_URL=$PROD_API_URL npm run build",
            "PROD_DATABASE_URL=$PROD_DATABASE_URL npm test",
        ],
    );
}

#[test]
fn what_a_build_server_fills_in_is_no_code_that_was_read() {
    check(
        Ask,
        &[
            "TITLE='${{ github.event.pull_request.title }}'; eval \"echo $TITLE\"",
            "bash -c 'echo ${{ github.head_ref }}'",
            "eval 'echo ${{ inputs.name }}'",
        ],
    );
    check(
        Allow,
        &[
            "echo '${{ github.event.pull_request.title }}'",
            "bash -c 'echo ${{ matrix.os }}'",
            "bash -c 'git checkout ${{ github.sha }}'",
        ],
    );
}

#[test]
fn the_host_of_an_address_counts_whatever_stands_beside_it() {
    check(
        Ask,
        &[
            "DATABASE_URL=\"postgres://app:$PGPASSWORD@db.prod.example.com/app\" npm test",
            "MONGO_URL=\"mongodb://$U:$P@live.example.com\" npm start",
        ],
    );
    check(
        Allow,
        &[
            "DATABASE_URL=\"postgres://app:$PGPASSWORD@localhost/prod\" npm test",
            "REDIS_URL=redis://live-reload:6379 npm start",
        ],
    );
}

#[test]
fn variables_that_start_programs_of_their_own_ask() {
    check(
        Ask,
        &[
            "GOFLAGS=-toolexec=./x go build ./...",
            "GOFLAGS='-mod=mod -exec=/tmp/x' go test ./...",
            "npm_config_script_shell=/tmp/sh npm run build",
            "export NPM_CONFIG_SCRIPT_SHELL=./wrapper",
            "xcrun altool --upload-app -f App.ipa -t ios",
        ],
    );
    check(
        Allow,
        &[
            "GOFLAGS=-mod=vendor go build ./...",
            "npm_config_script_shell=bash npm run build",
            "npm_config_script_shell=/bin/bash npm run build",
            "xcrun simctl list devices",
            "xcrun --sdk macosx --show-sdk-path",
            "xcrun altool --validate-app -f App.ipa -t ios",
        ],
    );
}

#[test]
fn the_shell_of_scripts_and_the_host_of_data_are_read_as_a_whole() {
    check(
        Ask,
        &[
            "npm_config_script_shell=./sh npm run build",
            "npm_config_script_shell=$HOME/x/bash npm run build",
            "npm_config_script_shell=/usr/bin/../../tmp/bash npm run build",
            "DATABASE_URL=postgres://u@live.server.corp.com/app npm run migrate",
            "DATABASE_URL=postgres://u@live.corp.com/app npm run migrate",
        ],
    );
    check(
        Allow,
        &[
            "npm_config_script_shell=bash npm run build",
            "npm_config_script_shell=/bin/bash npm run build",
            "npm_config_script_shell='C:\\Program Files\\Git\\bin\\bash.exe' npm run build",
            "DATABASE_URL=postgres://u@live-reload.corp.com/app npm run migrate",
        ],
    );
}

#[test]
fn a_part_of_an_entry_leads_elsewhere() {
    check(
        Ask,
        &[
            "find build | parallel rm -rf {/}",
            "find build | parallel rm -rf {//}",
            "find build | parallel rm -rf {/.}",
            "find build | parallel rm -rf {1//}",
            "find build | parallel rm -rf {.}",
            "find build | parallel --colsep / rm -rf {1}",
            "find build | parallel -C / rm -rf {2}",
            "find build | parallel --rpl '{x} s/.*/src/' rm -rf {x}",
            "find build | parallel rm -rf '{= s:.*:/: =}'",
            "find build | parallel echo '{= system(\"./x\") =}'",
            "parallel rm -rf {/} ::: build/*",
            "parallel cat {.} ::: ~/.ssh/*",
            "find build | xargs -d/ rm -rf",
            "find build | xargs -d / rm -rf",
            "find build | xargs --delimiter=/ rm -rf",
            "find build | xargs -d \"$D\" rm -rf",
            "find build > /tmp/l; ./edit /tmp/l; xargs rm -rf < /tmp/l",
        ],
    );
    check(
        Allow,
        &[
            "find build | parallel rm -rf {}",
            "find build | parallel rm -rf {1}",
            "find build | xargs rm -rf",
            "find build -print0 | xargs -0 rm -rf",
            "find build | xargs -d '\\n' rm -rf",
            "ls *.jpg | parallel convert {} {.}.png",
            "find . -name '*.wav' | parallel ffmpeg -i {} {.}.mp3",
            "find src -type f | parallel mkdir -p out/{//}",
            "parallel echo {/} ::: a/b c/d",
            "parallel convert {} {.}.png ::: *.jpg",
            "find build > /tmp/l; ./count /tmp/l; wc -l /tmp/l",
            "find build > /tmp/l; xargs rm -rf < /tmp/l",
        ],
    );
}

#[test]
fn what_stands_behind_the_user_is_for_the_shell() {
    check(
        Block,
        &[
            "su root -- -c 'rm -rf /'",
            "su - root -- -c 'rm -rf /'",
            "su -- root -c 'rm -rf /'",
            "runuser x -- -c 'rm -rf /'",
        ],
    );
}

#[test]
fn a_program_out_of_the_common_collection_is_that_program() {
    check(
        Ask,
        &[
            "nix run nixpkgs#git -- push --force",
            "nix run nixpkgs#awscli2 -- s3 rb s3://b --force",
            "nix run nixpkgs#kubectl delete ns prod",
        ],
    );
    check(Allow, &["nix run nixpkgs#git -- status", "nix run nixpkgs#hello", "nix run nixpkgs#kubectl -- get pods"]);
}
