//! Effects that stay in the temporary directory, however it is reached, each beside the same elsewhere.

use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn what_lies_in_the_temporary_directory_is_found_through_names_settings_and_remotes() {
    check(
        Verdict::Allow,
        &[
            "git init -q --bare /tmp/r6.git && git push -q --force /tmp/r6.git HEAD:main && git ls-remote /tmp/r6.git",
            "git push -f file:///tmp/r6.git HEAD:main",
            r#"d=$(mktemp -d) && git init -q --bare "$d/r.git" && git push -q --mirror "$d/r.git""#,
            r#"r=$(mktemp -d); git push --force "$r" main"#,
            "d=$(mktemp -d) && cat > \"$d/run.sh\" <<'EOF'\nset -e\ncd \"$(dirname \"$0\")\"\ngit init -q repo && cd repo\necho one > a && git add a && git commit -qm one\ngit reset -q --hard HEAD && git clean -fdxq\nEOF\nbash \"$d/run.sh\"; rm -rf \"$d\"",
            r#"d=$(mktemp -d); cd "$(dirname "$d/x/y")" && rm -rf y"#,
            r#"f=/tmp/a/b.txt; rm -rf "$(dirname "$f")""#,
            r#"d=$(mktemp -d); f="$d/a/b.txt"; rm -rf "${f%/*}""#,
            r#"export GNUPGHOME=$(mktemp -d); gpg --batch --passphrase '' --quick-gen-key t6 default default never && gpg --export-secret-keys t6 | wc -c; rm -rf "$GNUPGHOME""#,
            "GNUPGHOME=/tmp/gh gpg --export-secret-keys t6 > /tmp/k",
            "gpg --homedir /tmp/gh --export-secret-keys t6",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "git push -f ../other.git main",
            "git push -f /srv/git/r.git main",
            "git push -f origin main",
            "git push -f file:///srv/r.git main",
            r#"rm -rf "$(dirname "$X/y")""#,
            r#"f="$X/a/b"; rm -rf "$(dirname "$f")""#,
            "gpg --export-secret-keys t6",
            "GNUPGHOME=~/.gnupg gpg --export-secret-keys t6",
            "export GNUPGHOME=$(mktemp -d); cp -r ~/.gnupg/. $GNUPGHOME; gpg --export-secret-keys t6",
            r#"echo 'cd "$(dirname "$0")" && rm -rf data' > run.sh; bash run.sh"#,
            r#"echo 'cd "$(dirname "$0")/.." && rm -rf data' > scripts/run.sh; bash scripts/run.sh"#,
        ],
    );
    check(Verdict::Block, &[r#"echo 'rm -rf "$(dirname "$0")"' > ~/run.sh; bash ~/run.sh"#]);
}
