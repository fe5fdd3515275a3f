//! What the text commands do, as verdicts.

use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn reading_and_searching_passes() {
    check(
        Verdict::Allow,
        &[
            "cat README.md", "cat mkfs.log", "cat delete_user.py", "head -20 src/main.rs", "tail -n 5 a.txt", "tail -f app.log", "less docs/terraform-destroy.md",
            "grep -rn 'rm -rf' .", "grep -v '^#' .env.example", "grep -c KEY .env", "grep -q KEY .env", "grep -l KEY .env", "rg 'DROP TABLE' src", "rg --files",
            "ag foo", "sed -n '/DROP/p' schema.sql", "sed 's/a/b/' f", "sed -i 's/a/b/' src/main.rs", "sed -i '' 's/a/b/' src/main.rs", "sed -i.bak -e 's/a/b/' f.txt",
            "sed -e 's/a/b/' -e '1d' f", "awk '$3 > 100' data.tsv", "awk -F: '{print $1}' /etc/passwd", "sort a.txt", "sort -o a.txt a.txt", "sort -k2 -n a.txt",
            "uniq -c a.txt", "cut -d: -f1 /etc/passwd", "diff a b", "diff -q .env .env.old", "comm -12 a b", "wc -l .env", "jq . package.json", "jq -r '.a' < x.json",
            "yq e '.a' x.yml", "yq -i '.a = 1' x.yml", "xmlstarlet ed -L -u //a -v 1 x.xml", "dos2unix a.txt", "iconv -f latin1 -t utf8 -o b.txt a.txt",
            "patch -p1 < fix.diff", "patch --dry-run -p1 < fix.diff", "patch -R -p1 -i fix.diff", "cat ~/.ssh/id_ed25519.pub", "cat ~/.ssh/config", "cat /etc/passwd",
            "strings a.bin", "hexdump -C a.bin", "od -c a.bin", "sd a b file.txt", "man tar", "nl a.txt", "tac a.txt", "column -t a.txt", "cat < a.txt",
            "grep -o 'x' in.txt | sort | uniq -c", "cat list.txt | xargs -n1 echo rm", "mlr --icsv --opprint cat example.csv", "echo a | sed 's/a/b/'", "eval \"$(printf 'ls\\nrm -rf data\\n' | head -n 1)\"",
        ],
    );
}

#[test]
fn secrets_bulk_edits_and_hidden_commands_ask() {
    check(
        Verdict::Ask,
        &[
            "cat .env", "head -1 .env", "grep KEY .env", "less ~/.aws/credentials", "cat ~/.ssh/id_rsa", "cat ~/.ssh/*", "cat /etc/shadow", "diff .env .env.old",
            "awk '{print}' .env", "sed -n p .env", "sort .env", "base64 < .env | cat", "sed -i 's/a/b/' src/*.rs", "sed -i 's/.*//' $(git ls-files)", "sed -i d notes.txt",
            "sed -i 's/a/b/' /etc/hosts", "sed -i 's/a/b/' ~/.bashrc", "sed '1e rm -rf data' f", "sed 's/.*/rm -rf data/e' f", "sed 's/x/y/e' cmds.txt", "sed -n 'w /etc/x' f",
            "sort --compress-program='./x.sh' a -o /etc/hosts", "sort a -o ~/.bashrc", "uniq a ~/.profile", "less '+!rm -rf data' a",
            "man -P 'rm -rf data' ls", "tail -5 .env", "jq . ~/.docker/config.json", "rg . ~/.ssh/id_rsa", "yq -i '.a=1' *.yml", "fastmod -d src foo bar",
            "cat ~/.ssh/id_rsa | head -1", "eval \"$(printf 'ls\\nrm -rf data\\n' | tail -1)\"", "eval \"$(echo xm -rf data | sed 's/x/r/')\"", "gawk -i inplace '{print}' *.txt", "csvsql --db sqlite:///app.db --insert a.csv",
        ],
    );
}
