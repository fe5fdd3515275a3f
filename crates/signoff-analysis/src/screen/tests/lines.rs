//! Questions in a line: agents that ask so, the formats that any program may use, and other programs.

use super::check;

#[test]
fn aider() {
    check(&[
        (
            "Applied edit to lib/a.py\n\nruff check lib\n\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]:",
            "aider | ruff check lib | y / n | ! not_told",
        ),
        (
            "lib/b.py\nAdd file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: ",
            "aider | add lib/b.py | y / n |",
        ),
        (
            "https://example.org/x\nAdd URL to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: ",
            "aider | add https://example.org/x | y / n |",
        ),
        ("lib/new.py\nCreate new file? (Y)es/(N)o [Yes]: ", "aider | create lib/new.py | y / n |"),
        (
            "lib/c.py\nAllow edits to file that has not been added to the chat? (Y)es/(N)o [No]: ",
            "aider | edit lib/c.py | y / n | ! not_told default_is_no",
        ),
        ("Attempt to fix lint errors? (Y)es/(N)o [Yes]: ", "aider | Attempt to fix lint errors? | y / n | ! not_told"),
        // Answered.
        ("ruff check lib\nRun shell command? (Y)es/(N)o [Yes]: y", "nothing"),
        ("lib/b.py\nAdd file to the chat? (Y)es/(N)o [Yes]: n\n\n> ", "nothing"),
    ]);
}

#[test]
fn the_formats_of_the_source() {
    check(&[
        (
            "I will add a file.\n\nDo you want to proceed?\n❯ 1. Yes\n  2. No",
            "– | Do you want to proceed? | 1 / 2 | ! top_cut empty unframed whose_unknown",
        ),
        (
            "Do you want to proceed?\n1. No, exit\n2. Yes",
            "– | Do you want to proceed? | 2 / 1 | ! top_cut empty unframed whose_unknown",
        ),
        ("Run `just docs`? (y/n) ", "– | just docs | y / n | ! unframed whose_unknown"),
        ("Allow this tool? [yes/no]: ", "– | Allow this tool? | yes / no | ! unframed whose_unknown"),
        ("Approve this plan (yes/no)", "– | proceed with the plan | yes / no | ! not_told unframed whose_unknown"),
        (
            "1. a\n2. b\n\nProceed with this plan?",
            "– | proceed with the plan | yes / no | ! not_told unframed whose_unknown",
        ),
        ("Execute this command? [y/N] ", "– | Execute this command? | y / n | ! default_is_no unframed whose_unknown"),
        (
            "The agent wants to run: just docs\nAllow this command? (y/n)",
            "– | just docs | y / n | ! not_told unframed whose_unknown",
        ),
        (
            "Overwrite the plan in `todo.md`? The agent asks (y/n)",
            "– | overwrite todo.md | y / n | ! unframed whose_unknown",
        ),
    ]);
}

#[test]
fn other_programs_are_never_answered() {
    check(&[
        ("[sudo] password for dev:", "other sudo secret"),
        ("dev@build.example.org's password: ", "other ssh secret"),
        ("Enter passphrase for key '/home/dev/.ssh/id': ", "other ssh secret"),
        ("请输入密码：", "other – secret"),
        ("dev@host:~$ psql -h db\nPassword: ", "other psql secret"),
        ("dev@host:~$ git fetch\nUsername for 'https://git.example.org': ", "other git name"),
        (
            "ED25519 key fingerprint is SHA256:x.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ",
            "other ssh host_key",
        ),
        (
            "After this operation, 9 kB of additional disk space will be used.\nDo you want to continue? [Y/n] ",
            "other apt confirmation",
        ),
        ("dev@host:~$ mv -i a b\nmv: overwrite 'b'? ", "other mv confirmation"),
        ("rm: remove write-protected regular file 'a'? ", "other rm confirmation"),
        (
            "? We need to reset the database. Do you want to continue? All data will be lost. › (y/N)",
            "other prisma confirmation",
        ),
        ("Need to install the following packages:\nthing@2.0.0\nOk to proceed? (y) ", "other npx confirmation"),
        ("dev@host:~/app$ pip uninstall thing\nProceed (Y/n)? ", "other pip confirmation"),
        ("Proceed ([y]/n)? ", "other conda confirmation"),
        ("Is this ok [y/N]: ", "other dnf confirmation"),
        (":: Proceed with installation? [Y/n] ", "other pacman confirmation"),
        (
            "WARNING! This will remove all stopped containers.\nAre you sure you want to continue? [y/N] ",
            "other docker confirmation",
        ),
        ("(1/3) Stage this hunk [y,n,q,a,d,j,J,g,/,e,p,?]? ", "other git confirmation"),
        ("  Only 'yes' will be accepted to approve.\n\n  Enter a value: ", "other terraform text"),
        ("? Project name: › my-app", "other – text"),
        ("? Pick a template: › - Use arrow-keys. Return to submit.\n❯   Plain\n    Typed", "other – choice"),
        ("? Remove existing files and continue?\n❯ Yes\n  No", "other – choice"),
        ("Press any key to continue . . .", "other – any_key"),
        ("dev@host:~$ ./setup.sh\nAllow the service to start? (y/n) ", "other setup.sh confirmation"),
        ("one\ntwo\n(END)", "other – page"),
        ("❯ 1. Yes\n  2. No\n:", "other – page"),
        ("--More--(42%)", "other – page"),
    ]);
}
