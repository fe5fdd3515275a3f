//! What the text commands do, as verdicts.

use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn reading_and_searching_passes() {
    check(
        Verdict::Allow,
        &[
            "cat README.md",
            "cat mkfs.log",
            "cat delete_user.py",
            "head -20 src/main.rs",
            "tail -n 5 a.txt",
            "tail -f app.log",
            "less docs/terraform-destroy.md",
            "grep -rn 'rm -rf' .",
            "grep -v '^#' .env.example",
            "grep -c KEY .env",
            "grep -q KEY .env",
            "grep -l KEY .env",
            "rg 'DROP TABLE' src",
            "rg --files",
            "ag foo",
            "sed -n '/DROP/p' schema.sql",
            "sed 's/a/b/' f",
            "sed -i 's/a/b/' src/main.rs",
            "sed -i '' 's/a/b/' src/main.rs",
            "sed -i.bak -e 's/a/b/' f.txt",
            "sed -e 's/a/b/' -e '1d' f",
            "awk '$3 > 100' data.tsv",
            "awk -F: '{print $1}' /etc/passwd",
            "sort a.txt",
            "sort -o a.txt a.txt",
            "sort -k2 -n a.txt",
            "uniq -c a.txt",
            "cut -d: -f1 /etc/passwd",
            "diff a b",
            "diff -q .env .env.old",
            "comm -12 a b",
            "wc -l .env",
            "jq . package.json",
            "jq -r '.a' < x.json",
            "yq e '.a' x.yml",
            "yq -i '.a = 1' x.yml",
            "xmlstarlet ed -L -u //a -v 1 x.xml",
            "dos2unix a.txt",
            "iconv -f latin1 -t utf8 -o b.txt a.txt",
            "patch -p1 < fix.diff",
            "patch --dry-run -p1 < fix.diff",
            "patch -R -p1 -i fix.diff",
            "cat ~/.ssh/id_ed25519.pub",
            "cat ~/.ssh/config",
            "cat /etc/passwd",
            "strings a.bin",
            "hexdump -C a.bin",
            "od -c a.bin",
            "sd a b file.txt",
            "man tar",
            "nl a.txt",
            "tac a.txt",
            "column -t a.txt",
            "cat < a.txt",
            "grep -o 'x' in.txt | sort | uniq -c",
            "cat list.txt | xargs -n1 echo rm",
            "mlr --icsv --opprint cat example.csv",
            "echo a | sed 's/a/b/'",
            "eval \"$(printf 'ls\\nrm -rf data\\n' | head -n 1)\"",
        ],
    );
}

#[test]
fn secrets_bulk_edits_and_hidden_commands_ask() {
    check(
        Verdict::Ask,
        &[
            "cat .env",
            "head -1 .env",
            "grep KEY .env",
            "less ~/.aws/credentials",
            "cat ~/.ssh/id_rsa",
            "cat ~/.ssh/*",
            "cat /etc/shadow",
            "diff .env .env.old",
            "awk '{print}' .env",
            "sed -n p .env",
            "sort .env",
            "base64 < .env | cat",
            "sed -i 's/a/b/' src/*.rs",
            "sed -i 's/.*//' $(git ls-files)",
            "sed -i d notes.txt",
            "sed -i 's/a/b/' /etc/hosts",
            "sed -i 's/a/b/' ~/.bashrc",
            "sed '1e rm -rf data' f",
            "sed 's/.*/rm -rf data/e' f",
            "sed 's/x/y/e' cmds.txt",
            "sed -n 'w /etc/x' f",
            "sort --compress-program='./x.sh' a -o /etc/hosts",
            "sort a -o ~/.bashrc",
            "uniq a ~/.profile",
            "less '+!rm -rf data' a",
            "man -P 'rm -rf data' ls",
            "tail -5 .env",
            "jq . ~/.docker/config.json",
            "rg . ~/.ssh/id_rsa",
            "yq -i '.a=1' *.yml",
            "fastmod -d src foo bar",
            "cat ~/.ssh/id_rsa | head -1",
            "eval \"$(printf 'ls\\nrm -rf data\\n' | tail -1)\"",
            "eval \"$(echo xm -rf data | sed 's/x/r/')\"",
            "gawk -i inplace '{print}' *.txt",
            "csvsql --db sqlite:///app.db --insert a.csv",
        ],
    );
}

#[test]
fn every_reader_of_a_secret_asks() {
    check(
        Verdict::Ask,
        &[
            "nl ~/.ssh/id_rsa",
            "git grep --no-index . ~/.ssh",
            "git grep --no-index -e . -- .env",
            "git diff --no-index /dev/null ~/.ssh/id_rsa",
            "cut -c1- ~/.ssh/id_rsa",
            "paste ~/.ssh/id_rsa",
            "pr ~/.ssh/id_rsa",
            "fold ~/.ssh/id_rsa",
            "fmt ~/.ssh/id_rsa",
            "expand ~/.ssh/id_rsa",
            "unexpand ~/.ssh/id_rsa",
            "tac ~/.ssh/id_rsa",
            "rev ~/.ssh/id_rsa",
            "od -c ~/.ssh/id_rsa",
            "xxd ~/.ssh/id_rsa",
            "hexdump -C ~/.ssh/id_rsa",
            "strings ~/.ssh/id_rsa",
            "sort ~/.ssh/id_rsa",
            "uniq ~/.ssh/id_rsa",
            "shuf ~/.ssh/id_rsa",
            "tsort ~/.ssh/id_rsa",
            "ptx ~/.ssh/id_rsa",
            "join ~/.ssh/id_rsa x",
            "comm ~/.ssh/id_rsa x",
            "diff ~/.ssh/id_rsa x",
            "cmp -l ~/.ssh/id_rsa x",
            "sdiff ~/.ssh/id_rsa x",
            "colordiff ~/.ssh/id_rsa x",
            "base32 ~/.ssh/id_rsa",
            "basenc --base64 ~/.ssh/id_rsa",
            "base64 ~/.ssh/id_rsa",
            "uuencode ~/.ssh/id_rsa x",
            "dd if=~/.ssh/id_rsa",
            "tail -n+1 ~/.ssh/id_rsa",
            "head ~/.ssh/id_rsa",
            "less ~/.ssh/id_rsa",
            "more ~/.ssh/id_rsa",
            "most ~/.ssh/id_rsa",
            "bat ~/.ssh/id_rsa",
            "column ~/.ssh/id_rsa",
            "colrm ~/.ssh/id_rsa",
            "look '' ~/.ssh/id_rsa",
            "view ~/.ssh/id_rsa",
            "iconv ~/.ssh/id_rsa",
            "zcat -f ~/.ssh/id_rsa",
            "zless ~/.ssh/id_rsa",
            "gzip -c ~/.ssh/id_rsa",
            "bzip2 -c ~/.ssh/id_rsa",
            "xz -c ~/.ssh/id_rsa",
            "zstd -c ~/.ssh/id_rsa",
            "tar cf - ~/.ssh",
            "cpio -o < ~/.ssh/id_rsa",
            "jq . ~/.docker/config.json",
            "yq . ~/.kube/config",
            "jq env",
            "jq -n env",
            "jq -n '$ENV'",
            "jq -n '$ENV.GITHUB_TOKEN'",
            "jq -n 'env.GITHUB_TOKEN'",
            "ps eww",
            "ps auxe",
            "env",
            "printenv",
            "export -p",
            "declare -p",
            "set",
            "typeset -p",
            "python3 -c 'import os; print(os.environ)'",
            "node -e 'console.log(process.env)'",
            "perl -e 'print %ENV'",
            "ruby -e 'puts ENV.to_h'",
            "awk 'BEGIN{for(k in ENVIRON) print k, ENVIRON[k]}'",
            "php -r 'print_r($_ENV);'",
            "cat /proc/self/environ",
            "strings /proc/1234/environ",
            "xargs -0 < /proc/self/environ",
            r#"tr '\0' '\n' < /proc/$PPID/environ"#,
            "grep -r . ~/.ssh",
            "rg . ~/.ssh",
            "ag . ~/.ssh",
            "ack . ~/.ssh",
            "awk 1 ~/.ssh/id_rsa",
            "sed p ~/.ssh/id_rsa",
            "perl -pe1 ~/.ssh/id_rsa",
            "ruby -pe 1 ~/.ssh/id_rsa",
            "pandoc ~/.ssh/id_rsa",
            "openssl rsa -in ~/.ssh/id_rsa",
            "gpg --export-secret-keys",
            r#"mapfile x < ~/.ssh/id_rsa; echo "${x[@]}""#,
            "while read l; do echo $l; done < ~/.ssh/id_rsa",
            r#"echo "$(<~/.ssh/id_rsa)""#,
            "curl file:///etc/shadow",
            "curl file://localhost/etc/shadow",
            "curl FILE:///etc/shadow",
            "xmllint --noent ~/.aws/credentials",
            "numfmt < ~/.ssh/id_rsa",
            "vim -es +%p +q ~/.ssh/id_rsa",
            "ed ~/.ssh/id_rsa",
            "csvcut ~/.ssh/id_rsa",
            "glow ~/.ssh/id_rsa",
            "bat -p .env",
            "source .env && env",
            "sponge < ~/.ssh/id_rsa",
            "vis ~/.ssh/id_rsa",
            "datamash -W transpose < ~/.ssh/id_rsa",
            "git --no-pager blame --contents ~/.ssh/id_rsa x",
            "awk '{print}' RS=X ~/.ssh/id_rsa",
        ],
    );
}

#[test]
fn looking_at_processes_and_fields_is_fine() {
    check(
        Verdict::Allow,
        &[
            "jq -n '$ENV.HOME'",
            "jq .env package.json",
            "jq '.env' config.json",
            "jq '.env.NODE_ENV' config.json",
            "ps aux",
            "ps -ef",
            "ps -ewwf",
            "ps aux | grep node",
            "compgen -c",
            "stat ~/.ssh/id_rsa",
            "ls -la ~/.ssh",
            "test -f ~/.ssh/id_rsa",
            "sha256sum ~/.ssh/id_rsa",
        ],
    );
}

#[test]
fn what_sed_makes_of_a_line_and_runs_is_read() {
    check(
        Verdict::Ask,
        &[
            "echo 'X models' | sed 's/X/rm -rf/e'",
            "printf 'rm -rf src' | sed e",
            "sed 's/x/y/e' notes.txt",
            "echo a | sed 's/a.*/b/e'",
            "echo hi | sed 's/hi/ls/e' notes.txt",
            "cat x | sed 's/a/b/e'",
        ],
    );
    check(
        Verdict::Allow,
        &["echo hi | sed 's/hi/ls/e'", "echo 'rm -rf src' | sed 's/X/ls/e'", "echo 'X models' | sed 's/X/rm -rf/'"],
    );
}

#[test]
fn what_flows_through_comby_is_not_edited() {
    check(Verdict::Allow, &["comby 'a' 'b' -stdin < file.c", "comby 'a' 'b' .go -diff"]);
    check(Verdict::Ask, &["comby 'a' 'b' .go -i", "comby 'a' 'b' -in-place"]);
}

#[test]
fn packed_code_is_read_whatever_unpacks_it_and_however_it_reaches_the_shell() {
    check(
        Verdict::Block,
        &[
            "echo H4sIAAAAAAAAA0tNzshXSOQCAAnv+6QHAAAAH4sIAAAAAAAAAyvKVdAtSlOo4wIAFYVG8wkAAAA= | base64 -d | zcat | bash",
            "echo H4sIAAAAAAAAA0tNzshXSOQCAAnv+6QHAAAAH4sIAAAAAAAAAyvKVdAtSlOo4wIAFYVG8wkAAAA= | base64 -d | gunzip -c | sh",
            "echo H4sIAAAAAAAAA0tNzshXSOQCAAnv+6QHAAAAH4sIAAAAAAAAAyvKVdAtSlOo4wIAFYVG8wkAAAA= | base64 -d > /tmp/a.gz; zcat /tmp/a.gz > a.sh; bash a.sh",
            "python3 -c \"import gzip,base64,os; os.system(gzip.decompress(base64.b64decode('H4sIAAAAAAAAA0tNzshXSOQCAAnv+6QHAAAAH4sIAAAAAAAAAyvKVdAtSlOo4wIAFYVG8wkAAAA=')).decode())\"",
            "bash <(echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | zcat)",
            "echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | zcat | sh",
            "bash <(echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | gunzip)",
            "source <(echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | gzip -dc)",
            r#"bash -c "$(echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | zcat)""#,
            "zcat <(echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d) | sh",
            "echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d > /tmp/x.gz; zcat /tmp/x.gz | sh",
            "echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | openssl base64 -d | zcat | bash",
            "echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | gzcat | sh",
            "echo H4sIAAAAAAACAyvKVdAtSlNQ8fD3dQUApzn+RwwAAAA= | base64 -d | zless | sh",
        ],
    );
    check(
        Verdict::Allow,
        &["echo H4sIAAAAAAAAA0tNzshXSOQCAAnv+6QHAAAAH4sIAAAAAAAAA0tNzshXSOICAMq81o8HAAAA | base64 -d | zcat | bash"],
    );
    // Something is left over behind it.
    check(
        Verdict::Ask,
        &[
            r#"python3 -c "import zlib,base64; exec(zlib.decompress(base64.b64decode('eJwrKMrMK9Ew1AQADhUCsGp1bms=')))""#,
        ],
    );
}

#[test]
fn a_script_of_sed_that_is_nobody_knows_whose_is_not_read() {
    check(
        Verdict::Ask,
        &["sed -f /tmp/x.sed notes.txt", "sed -i -f ~/x.sed src/lib.rs", "sed -nf /srv/x.sed notes.txt"],
    );
    check(
        Verdict::Allow,
        &[
            "sed -f scripts/x.sed notes.txt",
            "sed -n -f x.sed README.md",
            "printf 's/a/b/\\n' > /tmp/x.sed; sed -f /tmp/x.sed notes.txt",
            "echo 's/a/b/' | sed -f - notes.txt",
        ],
    );
}

#[test]
fn what_nothing_is_printed_of_is_emptied() {
    check(
        Verdict::Ask,
        &[
            "sed -ni '' src/*.rs",
            "sed -n -i '' src/main.rs",
            "sed -i -n '' src/main.rs",
            "sed -n -i.bak 's/a/b/' src/main.rs",
            "sed --quiet --in-place '' src/main.rs src/lib.rs",
            "sed -i d src/main.rs",
            "sed -i '1,$d' src/main.rs",
            "sed -n -i -e '' src/main.rs",
            "sed -n -i '/x/d' src/main.rs",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "sed -n '' src/main.rs",
            "sed -n 's/a/b/p' src/main.rs",
            "sed -n -i 's/a/b/;p' src/main.rs",
            "sed -i '' src/main.rs",
            "sed -i 1d src/main.rs",
        ],
    );
}

#[test]
fn a_preprocessor_is_handed_every_file() {
    check(Verdict::Ask, &["rg --pre rm x", "rg --pre=shred x", "rg --pre=sh x /tmp", "rg --pre bash x scripts"]);
    check(Verdict::Allow, &["rg --pre pdftotext x", "rg --pretty x", "rg --pre-glob '*.pdf' x"]);
}
