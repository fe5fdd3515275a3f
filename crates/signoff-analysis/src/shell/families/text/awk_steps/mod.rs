//! What a program of `awk` does step by step, where its input is known: a small part of the language, which is enough to
//! take texts apart and to put them together. A program with anything else in it gives nothing, and is read as code.

mod machine;
mod parser;
mod tokens;
mod tree;

use self::{machine::Machine, parser::Parser, tokens::tokens};
use crate::shell::families::filters::MOST;

/// How deep expressions nest, how long a program is, and how many steps it takes at most.
const MAX_DEPTH: usize = 24;
const LONGEST: usize = 4096;
const MAX_STEPS: usize = 20_000;
const MAX_COMMANDS: usize = 32;

/// What a program did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::shell::families::text) struct Done {
    /// The commands that it started, in their order.
    pub(in crate::shell::families::text) commands: Vec<String>,
    /// What it printed itself.
    pub(in crate::shell::families::text) output: String,
    /// How many steps it took.
    pub(in crate::shell::families::text) steps: usize,
}

/// Runs a program on an input, with variables that are set before. None if something in it is not followed.
pub(in crate::shell::families::text) fn run(
    program: &str,
    input: &str,
    variables: &[(String, String)],
) -> Option<Done> {
    if program.len() > LONGEST || input.len() > MOST {
        return None;
    }
    let tokens = tokens(program)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    let rules = parser.rules()?;
    let mut machine = Machine::with(variables, MAX_STEPS);
    machine.all(&rules, input)?;
    Some(Done { commands: machine.commands, output: machine.output, steps: MAX_STEPS - machine.steps })
}

#[cfg(test)]
mod tests {
    use super::run;

    #[track_caller]
    fn check(program: &str, input: &str, commands: &[&str], output: &str) {
        let done = run(program, input, &[]).unwrap_or_else(|| panic!("{program} is not followed"));
        assert_eq!(
            (done.commands, done.output.as_str()),
            (commands.iter().map(|text| (*text).to_owned()).collect(), output),
            "{program}"
        );
    }

    #[test]
    fn texts_are_put_together() {
        check("{for(i=1;i<=NF;i++)s=s sprintf(\"%c\",$i); system(s)}", "114 109\n", &["rm"], "");
        check("{for(i=1;i<=NF;i++)printf \"%c\",$i}", "108 115\n", &[], "ls");
        check(
            "BEGIN{n=split(\"115,110\",a,\",\"); for(i=1;i<=n;i++) s=s sprintf(\"%c\",a[i]-1); system(s)}",
            "",
            &["rm"],
            "",
        );
        check("BEGIN{RS=\" \"}{printf(\"%c\", $0)}", "114 109", &[], "rm");
        check("BEGIN { s = \"mr\"; for (i = length(s); i > 0; i--) t = t substr(s, i, 1); print t }", "", &[], "rm\n");
        check("{ print $2, $1; next } END { print \"no\" }", "a b\nc d\n", &[], "b a\nd c\nno\n");
        check(
            "NR==2 { print } $1 == \"c\" && NF > 1 { x++ } END { print x ? \"yes\" : \"no\" }",
            "a b\nc d\n",
            &[],
            "c d\nyes\n",
        );
        check(
            "BEGIN { i = 0; while (i < 5) { i++; if (i == 2) continue; else if (i == 4) break; printf \"%d-\", i } }",
            "",
            &[],
            "1-3-",
        );
        check(
            "BEGIN { print 1 + 2 * 3 \"a\" 7 % 4, -(2 - 5), substr(\"hello\", 1, 2), index(\"ab\", \"b\"), toupper(\"x\") }",
            "",
            &[],
            "7a3 3 he 2 X\n",
        );
    }

    #[test]
    fn what_grows_without_end_gives_nothing() {
        for program in [
            r#"BEGIN{for(s="aa";i<40;i++)s=sprintf("%s%s",s,s)}"#,
            r#"BEGIN{for(s="aa";i<40;i++)s=s s}"#,
            r#"BEGIN{s="aaaaaaaa"; for(i=0;i<12;i++)s=s s; for(i=0;i<19000;i++)x=substr(s,1,1)}"#,
            "BEGIN{while(1)x=1}",
        ] {
            assert_eq!(run(program, "", &[]), None, "{program}");
        }
    }

    #[test]
    fn what_is_not_followed_gives_nothing() {
        for program in [
            "{ printf \"%c\", 370 }",
            "{ print substr($1, 0) }",
            "{ print $9 < 1 }",
            "/a/",
            "{ print > \"x\" }",
            "{ print | \"sh\" }",
            "{ \"date\" | getline x }",
            "BEGIN { while (1) x++ }",
            "BEGIN { for (;;) s = s \"a\" s }",
            "{ $1 = 2; print }",
            "{ x = system(\"a\") }",
            "function f() {}",
            "{ print $1 ~ \"a\" }",
            "{ for (k in a) print k }",
            "{ print 1.5 }",
            "{ print 2 ^ 3 }",
            "{ gsub(\"a\", \"b\") }",
            "{",
            "}",
            "BEGIN",
            "{ print \"",
            "{ print (1, 2) }  (",
            "BEGIN { print 1 / 3 }",
            "{ delete a }",
        ] {
            assert_eq!(run(program, "a b\n", &[]), None, "{program}");
        }
        assert_eq!(run(&format!("{{ print {} 1 }}", "(".repeat(4000)), "a\n", &[]), None);
        assert_eq!(run(&format!("{{ print {} 1 }}", "!".repeat(4000)), "a\n", &[]), None);
    }
}
