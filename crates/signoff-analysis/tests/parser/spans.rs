//! Spans point into the text that was typed, also from inside rewritten texts.

use signoff_analysis::shell::syntax::tree::{
    AndOr, AssignedValue, Command, HereDocument, Item, ParameterOperation, RedirectTarget, Script, SimpleCommand,
    WordPart,
};
use signoff_analysis::shell::syntax::{Arena, Limits, parse};
use signoff_model::Dialect;

use crate::lister;

fn script<'t>(text: &'t str, arena: &'t Arena) -> Script<'t> {
    let script = parse(text, Dialect::Bash, &Limits::default(), arena);
    assert!(script.errors.is_empty(), "{text}: {:?}", script.errors);
    script
}

fn simple<'t>(script: &Script<'t>, item: usize) -> &'t SimpleCommand<'t> {
    let Item { list: AndOr { first, .. }, .. } = &script.items[item];
    match &first.commands[0] {
        Command::Simple(simple) => simple,
        other => panic!("not simple: {other:?}"),
    }
}

#[test]
fn words_and_commands() {
    let text = "  A=1 git  'push' \"-f\" >log  && ls  # end";
    let arena = Arena::new();
    let script = script(text, &arena);
    let command = simple(&script, 0);
    assert_eq!(command.span.of(text), Some("A=1 git  'push' \"-f\" >log"));
    let words: Vec<_> = command.words.iter().map(|word| word.span.of(text).unwrap()).collect();
    assert_eq!(words, ["git", "'push'", "\"-f\""]);
    assert_eq!(command.assignments[0].span.of(text), Some("A=1"));
    assert_eq!(command.redirects[0].span.of(text), Some(">log"));
    assert_eq!(script.items[0].span.of(text), Some("A=1 git  'push' \"-f\" >log  && ls"));
}

#[test]
fn names_in_rewritten_texts() {
    for (text, names) in [
        ("echo \"a `b \\`c d\\` \\\"e\\\"` f\"", vec!["echo", "b", "c"]),
        ("a <<-E\n\t\t$(b)\n\t`c \\`d\\``\n\tE\ne", vec!["a", "b", "c", "d", "e"]),
        ("x=`a <<-E\n\t$(b)\n\t\tE\n`", vec!["a", "b"]),
        ("a <<E\né $(b) é `c`\nE\nd", vec!["a", "b", "c", "d"]),
    ] {
        assert_eq!(lister::names(&script(text, &Arena::new()), text), names, "{text}");
    }
}

#[test]
fn heredocs() {
    let text = "a <<-'E' <<F; b\n\tone $x\n\tE\ntwo $x\nF\nc";
    let arena = Arena::new();
    let script = script(text, &arena);
    let command = simple(&script, 0);
    let documents: Vec<&HereDocument> = command
        .redirects
        .iter()
        .map(|redirect| match &redirect.target {
            RedirectTarget::HereDocument(document) => *document,
            RedirectTarget::Word(word) => panic!("not a heredoc: {word:?}"),
        })
        .collect();
    assert_eq!(documents[0].body(), [WordPart::SingleQuoted("one $x\n")]);
    assert_eq!(documents[0].span().of(text), Some("\tone $x\n"));
    assert!(documents[0].quoted && !documents[1].quoted);
    assert_eq!(documents[1].span().of(text), Some("two $x\n"));
    assert!(matches!(
        documents[1].body(),
        [WordPart::SingleQuoted("two "), WordPart::Parameter(_), WordPart::SingleQuoted("\n")]
    ));
    assert_eq!(command.span.of(text), Some("a <<-'E' <<F"));
    assert_eq!(simple(&script, 2).span.of(text), Some("c"));
}

#[test]
fn parts_of_words() {
    let text = "a\\ b'c'$'\\x64'\"e$f\"*";
    let arena = Arena::new();
    let script = script(text, &arena);
    let word = &simple(&script, 0).words[0];
    assert_eq!(word.parts[0], WordPart::Literal("a"));
    assert_eq!(word.parts[1], WordPart::SingleQuoted(" "));
    assert_eq!(word.parts[2], WordPart::Literal("b"));
    assert_eq!(word.parts[3], WordPart::SingleQuoted("cd"));
    assert!(matches!(&word.parts[4], WordPart::DoubleQuoted(inside) if inside.len() == 2));
    assert_eq!(word.parts[5], WordPart::Literal("*"));
}

#[test]
fn substitutions_carry_their_errors() {
    let text = "echo $(a; fi) $(b)";
    let arena = Arena::new();
    let script = parse(text, Dialect::Bash, &Limits::default(), &arena);
    let errors: Vec<usize> = simple(&script, 0)
        .words
        .iter()
        .filter_map(|word| match word.parts {
            [WordPart::Command(substitution)] => Some(substitution.script.errors.len()),
            _ => None,
        })
        .collect();
    assert_eq!((script.errors.len(), errors), (1, vec![1, 0]));
}

#[test]
fn parameters() {
    let text = "x=${a[1]:-b c}";
    let arena = Arena::new();
    let script = script(text, &arena);
    let AssignedValue::Scalar(word) = &simple(&script, 0).assignments[0].value else { panic!("an array") };
    let [WordPart::Parameter(parameter)] = word.parts else { panic!("{word:?}") };
    assert_eq!((parameter.name, parameter.span.of(text)), ("a", Some("${a[1]:-b c}")));
    let ParameterOperation::Default { or_empty: true, word } = &parameter.operation else { panic!("{parameter:?}") };
    assert_eq!(word.parts, [WordPart::Literal("b c")]);
}
