//! The tables of requirements Part 2 C1, and the worked scenes of the sources that concern commands and files.

mod judging;

use judging::{check, decision, file, rules, shell, verdict};
use signoff_model::{Choice, Decision, FileAction, Verdict};

#[test]
fn c1_the_root_is_blocked_however_it_is_spelt() {
    check(
        Verdict::Block,
        [
            "rm -rf /",
            "rm -fr /",
            "rm -r -f /",
            "rm -Rf /",
            "rm -rfv /",
            "rm -rf / --no-preserve-root",
            "rm -rf --no-preserve-root /",
            "rm -rf -- /",
            "rm -rf \"/\"",
            "rm -rf //",
            "rm -rf /.",
            "rm -rf / ; echo hi",
            "rm -rf /;echo",
            "rm -rf /*",
            "sh -c 'rm -fr /'",
            "rm${IFS}-rf${IFS}/",
            "python3 -c \"import shutil; shutil.rmtree('/')\"",
            "rm -rf ~",
            "rm -rf $HOME",
            "rm -rf /etc",
        ],
    );
}

#[test]
fn c1_disks_and_fork_bombs_are_blocked() {
    check(
        Verdict::Block,
        [
            "mkfs.ext4 /dev/sda1",
            "mkfs -t ext4 /dev/sda",
            "dd if=/dev/zero of=/dev/sda",
            "dd if=image.iso of=/dev/sdb bs=4M",
            ":(){ :|:& };:",
            ":() { :|:& };:",
            "b(){ b|b& };b",
        ],
    );
}

#[test]
fn c1_what_may_not_come_back_asks() {
    check(
        Verdict::Ask,
        [
            "rm -rf /project",
            "rm -rf ../proj",
            "python3 -c \"import shutil; shutil.rmtree('data')\"",
            "rm *.log",
            "rm -f *",
            "rm -fr ./tmp_*",
            "rm -Rf ./tmp_*",
            "rm -rf tmp?",
            "rm -rf tmp[12]",
            "rm -rf {a,b}",
            "find . -name '*.txt' -delete",
            "ls | xargs rm -rf",
            "git clean -fdx",
            "> important.db",
            "truncate -s0 db",
            "mv src /dev/null",
            "rm -rf './tmp_*'",
            "rm -rf ./ ",
            "rm -rf . && ls",
            "rm -rf $(pwd)",
            "rm -rf .git",
            "rm -rf src",
            "rm -rf ./src/.",
            "rm -rf build/../src",
            "rm -rf /srv/work/project/src",
        ],
    );
}

#[test]
fn c1_words_are_not_commands() {
    check(
        Verdict::Allow,
        [
            "cat mkfs.log",
            "rm -r build && ls *.py",
            "rm -rf ./build/*",
            "git commit -m \"remove rm -rf from docs\"",
            "echo 'rm -rf /'",
            "grep -rn 'rm -rf /' .",
        ],
    );
}

#[test]
fn c1_a_quoted_star_is_not_a_wildcard() {
    assert!(rules("rm -rf ./tmp_*").contains(&"bulk-delete".to_owned()));
    assert!(!rules("rm -rf './tmp_*'").contains(&"bulk-delete".to_owned()));
    assert!(!rules("rm -r data && ls *.py").contains(&"bulk-delete".to_owned()));
}

#[test]
fn scene_clean_up_takes_the_whole_project() {
    assert_eq!(verdict("rm -rf /project"), Verdict::Ask);
    assert_eq!(verdict("rm -rf ."), Verdict::Ask);
    assert_eq!(verdict("rm -rf build"), Verdict::Allow);
}

#[test]
fn scene_delete_this_takes_the_sources() {
    assert_eq!(verdict("rm -rf ./src"), Verdict::Ask);
}

#[test]
fn scene_wildcard_delete_is_named_first() {
    let reasons = rules("rm -rf ./tmp_*");
    assert_eq!(reasons.first().map(String::as_str), Some("bulk-delete"));
}

/// ACC-10, scene 1: deleting the database configuration offers a choice whose default is to leave it alone.
#[test]
fn scene_important_configuration_file() {
    let assessment = shell("rm config/database.yml");
    let Decision::RequireChoice { options, default, .. } = decision(&assessment) else {
        panic!("no choice: {:?}", decision(&assessment))
    };
    assert_eq!(default, Choice::Cancel);
    assert!(options.contains(&Choice::BackUpFirst), "{options:?}");
    assert_eq!(decision(&file(FileAction::Delete, "config/database.yml")).verdict(), Verdict::Ask);
}

/// ACC-10, scene 2: looking around runs at once.
#[test]
fn scene_looking_around() {
    check(Verdict::Allow, ["git status", "git diff", "ls", "pwd", "ls -la src", "cat README.md"]);
}

/// ACC-10, scene 3: the settings of production.
#[test]
fn scene_production_settings() {
    check(Verdict::Ask, ["echo NODE_ENV=production > .env", "sed -i 's/NODE_ENV=.*/NODE_ENV=production/' .env"]);
    assert_eq!(decision(&file(FileAction::Edit, ".env")).verdict(), Verdict::Ask);
}

/// ACC-10, scene 4: the main source file.
#[test]
fn scene_main_source_file() {
    check(Verdict::Ask, ["rm src/main.rs", "git rm src/main.rs && rm -rf src"]);
    assert_eq!(decision(&file(FileAction::Delete, "src/main.rs")).verdict(), Verdict::Ask);
}
