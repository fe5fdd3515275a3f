//! Where lines end.
//!
//! To some interpreters a carriage return that stands alone is the end of a line, to others it is a blank. What ends a
//! line ends a comment, so code could hide behind it: every text is brought to one form before anything else looks at it.

use std::borrow::Cow;

use crate::shell::Language;

/// The text with a line feed at every end of a line. A carriage return that is left over is a blank to the language.
pub(super) fn unified(language: Language, text: &str) -> Cow<'_, str> {
    let scripted = language == Language::JavaScript;
    let separated = scripted && text.contains(['\u{2028}', '\u{2029}']);
    if !separated && !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut all = text.replace("\r\n", "\n");
    if ends_line(language) {
        all = all.replace('\r', "\n");
    }
    if scripted {
        all = all.replace(['\u{2028}', '\u{2029}'], "\n");
    }
    Cow::Owned(all)
}

/// Whether a carriage return alone ends a line.
fn ends_line(language: Language) -> bool {
    matches!(
        language,
        Language::Python
            | Language::JavaScript
            | Language::Php
            | Language::Lua
            | Language::Java
            | Language::PowerShell
            | Language::AppleScript
            | Language::Tcl
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;
    use signoff_model::Verdict;

    #[test]
    fn every_language_has_its_own_ends_of_lines() {
        for (language, text, expected) in [
            (Language::Python, "a\rb\r\nc\nd", "a\nb\nc\nd"),
            (Language::Python, "a\u{2028}b", "a\u{2028}b"),
            (Language::JavaScript, "a\u{2028}b\u{2029}c\r", "a\nb\nc\n"),
            (Language::Perl, "a\rb\r\nc", "a\rb\nc"),
            (Language::Ruby, "a\r\nb", "a\nb"),
        ] {
            assert_eq!(unified(language, text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_comment_hides_nothing_behind_a_carriage_return() {
        check(
            Verdict::Block,
            &[
                r#"python3 -c $'x=1 # a\rimport os; os.system("rm -rf /etc")'"#,
                r#"python3 -c $'exec("x=1 # a\\rimport os; os.system(\'rm -rf /etc\')")'"#,
                r#"node -e $'// a\rrequire("child_process").execSync("rm -rf /etc")'"#,
                r#"node -e $'// a\u2028require("child_process").execSync("rm -rf /etc")'"#,
                r#"node -e $'eval("// a\\u2029require(\'child_process\').execSync(\'rm -rf /etc\')")'"#,
                r#"printf 'x=1 #\rimport os; os.system("rm -rf /etc")' | python3"#,
                r#"php -r $'// a\rsystem("rm -rf /etc");'"#,
                r#"lua -e $'-- a\ros.execute("rm -rf /etc")'"#,
                r"pwsh -c $'# a\rRemove-Item -Recurse -Force ~'",
                r#"osascript -e $'-- a\rdo shell script "rm -rf ~"'"#,
                r#"printf '# a\rexec rm -rf /etc' | tclsh"#,
                r#"printf '<?php // a ?><?php system("rm -rf /etc");' | php"#,
                // A comment of a page is one of a script as well.
                r"node -e $'<!-- /*\nrequire(\'child_process\').execSync(\'rm -rf /etc\')\n//*/'",
                r"node -e $'/*\n*/\n--> /*\nrequire(\'child_process\').execSync(\'rm -rf /etc\')\n//*/'",
            ],
        );
        check(
            Verdict::Ask,
            &[
                r"psql -c $'-- a\rdrop database prod;'",
                // Whether the line ends there differs between interpreters, or it does not and somebody hopes that it does.
                r#"perl -e $'# a\rsystem("ls")'"#,
                r#"ruby -e $'# a\rsystem("ls")'"#,
                r#"Rscript -e $'# a\rsystem("ls")'"#,
                r#"emacs --batch --eval $'(progn ; a\r (delete-directory "/srv/x" t))'"#,
            ],
        );
        check(
            Verdict::Allow,
            &[
                r#"python3 -c $'# a\r\nprint(1)\r\n'"#,
                r#"perl -e $'# a\r\nprint 1;\r\n'"#,
                r#"ruby -e $'# a\r\nputs "a\r"\r\n'"#,
                r#"node -e $'// a\r\nlet i = 3; while (i --> 0) console.log(i)'"#,
                r"perl -pe 's/\r$//' notes.txt",
                r#"awk '{ sub(/\r$/, ""); print }' notes.txt"#,
                r"psql -c $'-- a\r\nselect 1;'",
            ],
        );
    }
}
