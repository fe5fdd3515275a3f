//! Places that are only partly known, judged through commands that read, write and delete there.

use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn grave_places_are_recognised_behind_patterns_and_processes() {
    check(
        Verdict::Block,
        &[
            "rm -rf /proc/self/root/etc",
            "rm -rf /proc/self/root/home",
            "rm -rf /proc/1/root/",
            "cd /proc/self/root && rm -rf *",
            "rm -rf /proc/self/task/1/root/usr",
            "cat k >> ~/.ss?/authorized_keys",
            r#"cat k >> "$(getent passwd me | cut -d: -f6)/.ssh/authorized_keys""#,
            "rm -rf ~/.config/sign*",
            "sqlite3 ~/.local/share/sign*/ledger.db 'delete from ledger'",
            "find ~/.config -name '*signoff*' -delete",
            "echo x > ~/.Config/Signoff/config.toml",
            "rm -rf $XDG_CONFIG_HOME/signoff",
            r#"echo > "$XDG_DATA_HOME/signoff/store.db""#,
            r#"echo x > "${XDG_CONFIG_HOME:-$HOME/.config}/signoff/config.toml""#,
            "rm -rf /e*/*",
            "rm -rf /*/*",
            "echo x >> /e??/sudoers",
            "rm -rf /proc/self/cwd/../../../../../../etc",
        ],
    );
}

#[test]
fn what_a_build_makes_is_recognised_behind_patterns() {
    check(
        Verdict::Allow,
        &[
            "rm -rf packages/*/dist",
            "rm -rf packages/*/build packages/*/coverage",
            "for p in packages/*; do rm -rf \"$p/dist\"; done",
            "rm -rf ./*/target",
            "rm -rf */dist/*",
            "rm -rf apps/*/.next packages/*/node_modules",
            "rm -f *.o *.a a.out",
            "rm -f *.so *.exe",
            "find . -name '*.swp' -delete",
            "find . -name Thumbs.db -delete",
            "rm -f npm-debug.log* yarn-error.log",
            "find /tmp -name core -type f -delete",
            "find /var/tmp -name x -delete",
            "php bin/console cache:clear --env=dev && rm -rf var/cache/*",
            "rm -rf var/cache/dev",
            "rm -rf bootstrap/cache/*.php storage/framework/cache/data/* storage/framework/views/*",
        ],
    );
}

#[test]
fn what_no_build_makes_asks_behind_patterns() {
    check(
        Verdict::Ask,
        &[
            "rm -rf var/* bootstrap/*",
            "rm -rf storage/framework/sessions/* storage/app/*",
            "rm -rf packages/*/src",
            "rm -rf packages/*",
            "for p in packages/*; do rm -rf \"$p/src\"; done",
            "rm -rf src/*/build",
            "rm -rf data/*/out",
            "rm -rf */reports",
            "rm -rf packages/*/dist/../src",
            "rm -rf node_modules/*/../../src",
            "rm -f vendor/*.a",
            "rm -f */*.so",
            "find . -name '*.so' -delete",
            "find . -name '*.bak' -delete",
            "find ~ -name '*.swp' -delete",
            "find . -type f -name '*.orig' -delete",
            "rm -rf /usr/*/build",
            "rm -f ~/*.a",
        ],
    );
    check(Verdict::Block, &["find /usr/lib -name '*.a' -delete", "find / -name '*.so' -delete", "rm -rf /*/lib"]);
}

#[test]
fn secrets_are_recognised_behind_patterns_and_unknown_parts() {
    check(
        Verdict::Ask,
        &[
            "cat /e??/shadow",
            "cat /proc/$$/environ",
            "cat /proc/1/root/etc/shadow",
            "cat /proc/self/root/etc/shadow",
            "cat /proc/$$/root/etc/shadow",
            "cat /proc/*/root/etc/shadow",
            "cat /proc/self/cwd/.env",
            "cat `getent passwd $USER | cut -d: -f6`/.ssh/id_rsa",
            r#"cat "$H/.aws/credentials""#,
            "cat ~/.ss?/*",
            "cat ~/.s*/id_*",
            "find ~ -name 'id_*' -exec cat {} +",
            "find ~ -path '*ssh*' -type f | xargs cat",
            r#"find / -name shadow -exec cat {} \;"#,
            "rm -rf ~/.config/s*",
            "find . -name '*signoff*' -delete",
            "rm -rf /proc/self/cwd",
            "rm -rf ~/.*rc",
        ],
    );
}

#[test]
fn ordinary_places_behind_patterns_stay_ordinary() {
    check(
        Verdict::Allow,
        &[
            "cat ~/.ss?/known_hosts",
            "find . -name 'id_*' -exec cat {} +",
            "find src -name '*shadow*' -exec cat {} +",
            "find ~ -name 'id_*'",
            "find . -name '*signoff*' -type f",
            "ls ~/.config/sign*",
            r#"cat "$DIR/README.md""#,
            "cat /e??/hosts",
            "cat /proc/cpuinfo /proc/self/status",
            "rm -rf /tmp/*",
        ],
    );
}

mod directories {
    use proptest::prelude::*;

    use crate::{
        facts::{NoFacts, Whereabouts},
        place::Place,
        value::{Origin, Piece, Value},
    };

    fn pieces() -> impl Strategy<Value = Piece> {
        let origins = prop_oneof![
            Just(Origin::TemporaryName),
            Just(Origin::Variable("USER".to_owned())),
            Just(Origin::Variable("x".to_owned())),
            Just(Origin::listing("find", "src")),
            Just(Origin::Astray),
        ];
        prop_oneof![
            "(/|//|/\\./|\\.\\./|~/|)(a|proc/self/cwd|proc/|dev/fd/3|tmp/x|C:|)(/\\.\\.|/|)(b|cwd/c|)"
                .prop_map(Piece::text),
            prop_oneof![Just("*"), Just("?"), Just("[a-z]*")].prop_map(|glob| Piece::Glob(glob.into())),
            proptest::collection::vec(origins, 0..3).prop_filter_map("one piece", |origins| Value::unknown(
                "$x", origins
            )
            .pieces()
            .first()
            .cloned()),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_place_that_does_not_depend_on_the_directory_is_the_same_in_all(pieces in proptest::collection::vec(pieces(), 1..4)) {
            let mut value = Value::default();
            pieces.into_iter().for_each(|piece| value.push(piece));
            let whereabouts = Whereabouts::assumed();
            let seen = |cwd| Place::resolve(&value, cwd, &whereabouts, &NoFacts);
            if !Place::depends_on_directory(&value) {
                prop_assert_eq!(seen(Some("/etc")), seen(Some("/srv/a/b")));
                prop_assert_eq!(seen(Some("/etc")), seen(None));
            }
        }
    }
}

#[test]
fn a_drive_of_windows_is_the_same_where_it_is_mounted() {
    check(
        Verdict::Block,
        &[
            "wsl.exe -e rm -rf /mnt/c/Users /mnt/c/Windows",
            "rm -rf /mnt/c/Windows",
            "rm -rf //mnt//c//Windows",
            "rm -rf /mnt/./c/Windows",
            "rm -rf /mnt/x/../c/Windows",
            "rm -rf /mnt/c/Windows/",
            "cd /mnt/c/Windows && rm -rf *",
            "cd /mnt/c; rm -rf *",
            "cd /mnt && rm -rf c/Windows",
            "cd /mnt/c/Users && rm -rf ../Windows",
            "find /mnt/c/Windows -delete",
            "find /mnt/c -type f -delete",
            "rm -rf /mnt/c/*",
            "rm -rf /mnt/c",
            "rm -rf /c/Windows",
            "rm -rf /cygdrive/c/Windows/System32",
            "rm -rf '/mnt/c/Program Files'",
            "sudo rm -rf /mnt/c/Users/dev",
            "rm -rf /mnt/c/Users/*",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "rm -rf /mnt/data",
            "rm -rf /mnt/c/work",
            "cd /mnt/c/work && rm -rf *",
            "find /mnt/c/work -delete",
            "rm -rf /mnt/c/Windows/*.log",
            "find /mnt/c/Windows -name '*.tmp' -delete",
            "rm -rf /mnt/x",
            "rm -rf /mnt/x/*",
            "rm -rf /mnt/c/Users/$USER/code/x",
            "rm -rf /d",
            "rm -rf /c/tmp",
            "cat /mnt/c/Users/dev/.ssh/id_rsa",
        ],
    );
    check(Verdict::Allow, &["rm -rf /mnt/c/Users/dev/code/x/build", "ls /mnt/c/Windows"]);
}

#[test]
fn reports_are_no_build_output_by_their_name() {
    check(
        Verdict::Ask,
        &[
            "rm -rf reports",
            "rm -rf ./reports/*.xlsx",
            "find reports -name '*.xlsx' -mtime +30 -delete",
            "pwsh -c 'Remove-Item ./reports -Recurse -Force -WhatIf:$false'",
        ],
    );
    check(Verdict::Allow, &["rm -rf build/reports", "rm -rf target/site coverage"]);
}

#[test]
fn a_pattern_of_hidden_names_may_match_an_environment_file_anywhere() {
    check(
        Verdict::Ask,
        &[
            "cat .e*",
            "cat a/.e*",
            "cd a && cat .e*",
            "cat */.e*",
            "cat ../.en?",
            "cat /srv/app/.[e]nv",
            "base64 a/b/.e*v",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "ls a/.e*",
            "cat a/.g*",
            "cat a/.es*",
            "cat a/e*",
            "cat tests/fixtures/.e*",
            "cat .eslint*",
            "cat a/.editor*",
        ],
    );
}
