//! What of a module runs once it is loaded: what stands at its top, and the functions that somebody names.
//!
//! A project's modules are full of functions that nobody calls from where the module is loaded, so they must not count
//! as run. Names decide: a function whose name stands nowhere in the loading code, nor in anything of the module that
//! runs, is left out. Where the form of a text is not understood, all of it counts.

use std::collections::HashSet;

use crate::shell::Language;

/// A stretch of a module.
struct Stretch<'t> {
    /// The function or class that it defines; none for what runs when the module is loaded.
    defines: Option<&'t str>,
    text: &'t str,
}

/// The part of a module that may run when `loader`, the code that loads it, runs.
pub(crate) fn reachable(language: Language, module: &str, loader: &str) -> String {
    let stretches = match language {
        Language::Python => python(module),
        Language::Ruby => ruby(module),
        Language::JavaScript | Language::Perl | Language::Php => match braced(module) {
            Some(stretches) => stretches,
            None => return module.to_owned(),
        },
        _ => return module.to_owned(),
    };
    let mut named: HashSet<&str> = words(loader).collect();
    let top = stretches.iter().filter(|stretch| stretch.defines.is_none());
    named.extend(top.flat_map(|stretch| stretch.text.lines()).filter(|line| !is_export(line)).flat_map(words));
    // Each round takes in at least one more function, or is the last one.
    let mut taken = vec![false; stretches.len()];
    loop {
        let mut more = false;
        for (stretch, taken) in stretches.iter().zip(&mut taken) {
            if !*taken && stretch.defines.is_none_or(|name| named.contains(name)) {
                *taken = true;
                more |= stretch.defines.is_some();
                if stretch.defines.is_some() {
                    named.extend(words(stretch.text));
                }
            }
        }
        if !more {
            break;
        }
    }
    stretches.iter().zip(&taken).filter(|(_, taken)| **taken).map(|(stretch, _)| stretch.text).collect()
}

/// The words of a text that may be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Whether a line only says what others may name.
fn is_export(line: &str) -> bool {
    let line = line.trim_start();
    ["module.exports", "exports.", "export {", "export default", "__all__"].iter().any(|start| line.starts_with(start))
}

/// The name behind a keyword at the start of a line: `async def name(`.
fn name_after<'t>(line: &'t str, keywords: &[&str]) -> Option<&'t str> {
    let mut parts = line.split_whitespace().skip_while(|word| matches!(*word, "async" | "export" | "default"));
    parts.next().filter(|word| keywords.contains(word))?;
    let name = parts.next()?.trim_start_matches("self.").trim_start_matches('*');
    words(name).next()
}

/// Definitions at the top of a text of Python, each with the lines that are indented below it.
fn python(module: &str) -> Vec<Stretch<'_>> {
    let mut all: Vec<Stretch<'_>> = Vec::new();
    let (mut start, mut defines, mut skipped) = (0, None, false);
    let (mut at, mut quoted, mut decorated) = (0, None, false);
    for line in module.split_inclusive('\n') {
        let begins = quoted.is_none() && !line.starts_with([' ', '\t', '\n', '\r', '#', ')', ']', '}']);
        if begins && !decorated {
            push(&mut all, module.get(start..at), defines, skipped);
            start = at;
            defines = None;
        }
        if begins {
            decorated = line.starts_with('@');
            defines = name_after(line, &["def", "class"]);
            // This runs only where the file itself is run.
            skipped = line.starts_with("if __name__");
        }
        quoted = still_quoted(line, quoted);
        at += line.len();
    }
    push(&mut all, module.get(start..), defines, skipped);
    all
}

fn push<'t>(all: &mut Vec<Stretch<'t>>, text: Option<&'t str>, defines: Option<&'t str>, skipped: bool) {
    if let Some(text) = text.filter(|text| !text.is_empty() && !skipped) {
        all.push(Stretch { defines, text });
    }
}

/// Whether a text in three quotes goes on behind a line, and which quotes they are.
fn still_quoted(line: &str, mut quoted: Option<&'static str>) -> Option<&'static str> {
    let mut rest = line;
    loop {
        let next = ["\"\"\"", "'''"]
            .into_iter()
            .filter(|quotes| quoted.is_none_or(|open| open == *quotes))
            .filter_map(|quotes| Some((rest.find(quotes)?, quotes)))
            .min();
        let Some((at, quotes)) = next else { return quoted };
        quoted = if quoted.is_none() { Some(quotes) } else { None };
        rest = rest.get(at + 3..).unwrap_or_default();
    }
}

/// Methods of a text of Ruby, each up to the `end` that is indented as much.
fn ruby(module: &str) -> Vec<Stretch<'_>> {
    let mut all = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut open: Option<(&str, usize)> = None;
    for line in module.split_inclusive('\n') {
        let body = line.trim();
        let indent = line.len() - line.trim_start().len();
        match open {
            Some((name, outer)) if indent == outer && body == "end" => {
                push(&mut all, module.get(start..at + line.len()), Some(name), false);
                start = at + line.len();
                open = None;
            }
            Some(_) => {}
            None if let Some(name) = name_after(body, &["def"])
                && !body.ends_with("end")
                && !body.contains(" = ") =>
            {
                push(&mut all, module.get(start..at), None, false);
                start = at;
                open = Some((name, indent));
            }
            None => {}
        }
        at += line.len();
    }
    push(&mut all, module.get(start..), None, false);
    all
}

/// Functions and classes at the top of a text with braces. None where its brackets and quotes do not match.
fn braced(module: &str) -> Option<Vec<Stretch<'_>>> {
    let bytes = module.as_bytes();
    let mut all = Vec::new();
    let (mut start, mut head, mut depth, mut at) = (0, 0, 0usize, 0);
    let mut open: Option<&str> = None;
    while let Some(byte) = bytes.get(at).copied() {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'/' if next == b'/' => at = line_end(bytes, at),
            b'#' if at == 0 || bytes.get(at - 1).is_some_and(u8::is_ascii_whitespace) => at = line_end(bytes, at),
            b'/' if next == b'*' => at = module.get(at..)?.find("*/")? + at + 1,
            b'"' | b'\'' | b'`' => at = quote_end(bytes, at)?,
            b'{' | b'(' | b'[' => {
                if depth == 0 && byte == b'{' {
                    open = defined_name(module.get(head..at)?);
                    if open.is_some() {
                        push(&mut all, module.get(start..head), None, false);
                        start = head;
                    }
                }
                depth += 1;
            }
            b'}' | b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && byte == b'}' {
                    if let Some(name) = open.take() {
                        push(&mut all, module.get(start..=at), Some(name), false);
                        start = at + 1;
                    }
                    head = at + 1;
                }
            }
            b';' | b'\n' if depth == 0 => head = at + 1,
            _ => {}
        }
        at += 1;
    }
    push(&mut all, module.get(start..), None, false);
    (depth == 0).then_some(all)
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes.iter().skip(from).position(|byte| *byte == b'\n').map_or(bytes.len(), |length| from + length - 1)
}

fn quote_end(bytes: &[u8], from: usize) -> Option<usize> {
    let quote = bytes.get(from)?;
    let mut at = from + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}

/// What the text before a brace defines: `function name(a)`, `const name = (a) =>`, `exports.name = function`.
fn defined_name(head: &str) -> Option<&str> {
    if let Some(name) = name_after(head.trim_start(), &["function", "class", "sub"]) {
        return Some(name);
    }
    let (left, right) = head.split_once('=')?;
    let right = right.trim();
    let function = right.starts_with("function") || right.starts_with("async") || right.ends_with("=>");
    words(left).last().filter(|_| function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: Language, loader: &str, module: &str, kept: &[&str], left_out: &[&str]) {
        let found = reachable(language, module, loader);
        for part in kept {
            assert!(found.contains(part), "{part} is kept of:\n{found}");
        }
        for part in left_out {
            assert!(!found.contains(part), "{part} is left out of:\n{found}");
        }
    }

    #[test]
    fn functions_that_nobody_names_are_left_out() {
        let module = "import os\nROOT = 1\n\ndef used():\n    inner()\n\ndef inner():\n    two()\n\n@cached\ndef never():\n    three()\n\n\
                      class Thing:\n    def go(self):\n        four()\n\ntop()\nif __name__ == '__main__':\n    five()\n";
        check(Language::Python, "from m import used", module, &["ROOT", "two()", "top()"], &["three", "four", "five"]);
        check(Language::Python, "m.Thing().go()", module, &["four()", "top()"], &["two()", "three"]);
        let module = "const a = 1;\nfunction used() { inner(); }\nconst inner = async (x) => {\n  two();\n};\n\
                      exports.never = function () { three('}'); }\nclass C { m() { four(); } }\ntop();\nmodule.exports = { used, never };\n";
        check(Language::JavaScript, "require('./m').used()", module, &["two()", "top()"], &["three", "four"]);
        let module = "use strict;\nsub used { one(); }\nsub never { two(); }\ntop();\n1;\n";
        check(Language::Perl, "used();", module, &["one()", "top()"], &["two()"]);
        let module = "module M\n  def self.used\n    one\n  end\n\n  def never\n    two if x\n  end\nend\ntop\n";
        check(Language::Ruby, "M.used", module, &["one", "top"], &["two"]);
    }

    #[test]
    fn what_is_not_understood_counts_whole() {
        for module in ["function a() { b(); ", "function a() { '", "}", "sub a { \"x"] {
            assert_eq!(reachable(Language::JavaScript, module, ""), module);
        }
        let quoted = "x = '''\ndef a():\n    b()\n'''\ntop()\n";
        check(Language::Python, "", quoted, &["def a()", "top()"], &[]);
        check(Language::Lua, "", "function a() os.remove('x') end", &["os.remove"], &[]);
    }

    #[test]
    fn any_text_is_taken_apart_without_losing_what_is_named() {
        proptest::proptest!(|(module in "[a-z{}()'\"`;=>/*# \n]{0,80}", loader in "[a-z ]{0,20}")| {
            for language in [Language::Python, Language::Ruby, Language::JavaScript] {
                let found = reachable(language, &module, &loader);
                proptest::prop_assert!(found.len() <= module.len());
                // With every word of it named, nothing is left out but what runs only by itself.
                let whole = reachable(language, &module, &module);
                proptest::prop_assert_eq!(&whole, &module);
            }
        });
    }
}
