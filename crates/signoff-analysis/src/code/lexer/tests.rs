use super::{Part, Token, lex};
use crate::shell::Language;

fn shown(text: &str, language: Language) -> String {
    let all: Vec<String> = lex(text, language)
        .all
        .iter()
        .map(|token| match token {
            Token::Name(name) => name.to_string(),
            Token::Text(parts) => format!("'{}'", parts_shown(parts)),
            Token::Command(parts) => format!("`{}`", parts_shown(parts)),
            Token::Words(words) => format!("<{}>", words.join(" ")),
            Token::Glob(glob) => format!("glob:{glob}"),
            Token::ReadLine(_) => "readline".into(),
            Token::Pattern => "pattern".into(),
            Token::Replacement(code) => format!("code:{code}"),
            Token::Number(number) => number.to_string(),
            Token::Open(mark) | Token::Close(mark) => mark.to_string(),
            Token::Sign(sign) => (*sign).to_owned(),
            Token::End => ";".into(),
        })
        .collect();
    all.join(" ")
}

fn parts_shown(parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Code(code) => format!("«{code}»"),
        })
        .collect()
}

#[test]
fn texts_of_each_language_are_told_from_code() {
    for (language, text, expected) in [
        (Language::Python, r#"print("rm -rf") # os.system('x')"#, "print ( 'rm -rf' )"),
        (Language::Python, r#"x = r'\d' + "\x72m" + b'a'"#, r"x = '\d' + 'rm' + 'a'"),
        (Language::Python, "'''a\n'b' '''\ny", "'a\n'b' ' ; y"),
        (Language::Python, r#"f"{a['k']:>4} {{x}} {f(1)!r}""#, "'«a['k']» {x} «f(1)!r»'"),
        (Language::JavaScript, r"`rm ${x.map(y => `${y}`)} z` // c", "'rm «x.map(y => `${y}`)» z'"),
        (Language::JavaScript, r#"a = b / c; d = /['"]/g.test(e)"#, "a = b / c ; d = pattern . test ( e )"),
        (Language::Perl, r#"s/a'b/c/; m{x"y}; print if /^'/"#, "code: ; pattern ; print if pattern"),
        (Language::Perl, r#"s/(.*)/system("x")/e"#, r#"code:system("x")"#),
        (
            Language::Perl,
            r#"unlink <*.db>; $/ = undef; print "a $b {c}";"#,
            "unlink glob:*.db ; $/ = undef ; print 'a «$b» {c}' ;",
        ),
        (Language::Perl, "print <<\"E\" . 'x';\nrm 'a\nE\nz()", "print 'rm 'a\n' . 'x' ; z ( )"),
        (Language::Ruby, "%w[rm -rf] ; %x(ls #{d}) ; :sym ; a ? b : c", "<rm -rf> ; `ls «d»` ; 'sym' ; a ? b : c"),
        (Language::Php, r#"echo "{$a} $b"; // x"#, "echo '«$a» «$b»' ;"),
        (Language::Php, "<b>it's</b><?php unlink('x'); ?>that's", "unlink ( 'x' ) ;"),
        (Language::Lua, "--[[ os.execute('x') ]] x = [[a'b]]", "x = 'a'b'"),
        (Language::Awk, r#"/a"b/ { print $1 / 2 }"#, "pattern { print $ 1 / 2 }"),
        (Language::R, r#"file.remove(r"(a"b)")"#, "file.remove ( 'a\"b' )"),
    ] {
        assert_eq!(shown(text, language), expected, "{text}");
        assert!(!lex(text, language).confused, "{text}");
    }
}

#[test]
fn a_text_that_ends_inside_a_quotation_is_confused() {
    for (language, text) in [(Language::Python, "print('a"), (Language::JavaScript, "x = `a"), (Language::Perl, "q(")] {
        assert!(lex(text, language).confused, "{text}");
    }
}

#[test]
fn a_comment_that_may_end_elsewhere_is_confused() {
    for (language, text, confused) in [
        (Language::Perl, "# a\rb", true),
        (Language::Perl, "# a\r\nb", false),
        (Language::Go, "// a\rb", true),
        (Language::Java, "// \\u000a b()", true),
        (Language::Java, "/* \\u002a\\u002f b() /* */", true),
        (Language::Java, "x = \"\\u001b[0m\" // a", false),
        (Language::JavaScript, "a <!-- b", true),
        (Language::JavaScript, "a\n --> b", true),
        (Language::JavaScript, "while (i --> 0) a('<!--')", false),
    ] {
        assert_eq!(lex(text, language).confused, confused, "{text:?}");
    }
}
