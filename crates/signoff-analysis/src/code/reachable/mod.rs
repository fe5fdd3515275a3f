//! What of a module runs once it is loaded: what stands at its top, and the functions that somebody names.
//!
//! A project's modules are full of functions that nobody calls from where the module is loaded, so they must not count
//! as run. Names decide: a function whose name stands nowhere in the loading code, nor in anything of the module that
//! runs, is left out. Where the form of a text is not understood, all of it counts.

mod braced;
mod python;
mod ruby;

use std::collections::HashSet;

use super::line_ends;
use crate::shell::Language;

/// A stretch of a module.
struct Stretch<'t> {
    /// It counts if somebody names one of these: the function, or the class around it. None for what runs when the
    /// module is loaded.
    names: Option<Vec<&'t str>>,
    text: &'t str,
}

/// What the language calls by itself.
const CALLED: &[&str] =
    &["import", "unimport", "AUTOLOAD", "DESTROY", "BEGIN", "END", "included", "inherited", "extended"];

/// The part of a module that may run when `loader`, the code that loads it, runs.
pub(crate) fn reachable(language: Language, module: &str, loader: &str) -> String {
    let module = &*line_ends::unified(language, module);
    // Where a carriage return is a blank, somebody wants it to be taken for the end of a line.
    if module.contains('\r') {
        return module.to_owned();
    }
    let stretches = match language {
        Language::Python => python::stretches(module),
        Language::Ruby => ruby::stretches(module),
        Language::JavaScript | Language::Perl | Language::Php => braced::stretches(language, module),
        _ => None,
    };
    let Some(stretches) = stretches else { return module.to_owned() };
    let mut named: HashSet<&str> = words(loader).chain(CALLED.iter().copied()).collect();
    for stretch in stretches.iter().filter(|stretch| stretch.names.is_none()) {
        named.extend(stretch.text.lines().filter(|line| !is_export(line)).flat_map(python::named));
    }
    // Each round takes in at least one more function, or is the last one.
    let mut taken = vec![false; stretches.len()];
    loop {
        let mut more = false;
        for (stretch, taken) in stretches.iter().zip(&mut taken) {
            let counts = |names: &Vec<&str>| names.iter().any(|name| named.contains(name));
            if !*taken && stretch.names.as_ref().is_none_or(counts) {
                *taken = true;
                if stretch.names.is_some() {
                    more = true;
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

fn push<'t>(all: &mut Vec<Stretch<'t>>, text: Option<&'t str>, names: Option<Vec<&'t str>>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        all.push(Stretch { names, text });
    }
}

/// The words of a text that may be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Whether a line only says what others may name. One that calls something does more.
fn is_export(line: &str) -> bool {
    let line = line.trim_start();
    if line.contains(['(', '`', '+', '@']) {
        return false;
    }
    ["module.exports", "exports.", "export {", "export default", "__all__"].iter().any(|start| line.starts_with(start))
}

/// The name behind a keyword at the start of a line: `async def name(`.
fn name_after<'t>(line: &'t str, keywords: &[&str]) -> Option<&'t str> {
    let mut parts = line.split_whitespace().skip_while(|word| matches!(*word, "async" | "export" | "default"));
    parts.next().filter(|word| keywords.contains(word))?;
    let name = parts.next()?.trim_start_matches("self.").trim_start_matches('*');
    words(name).next()
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
        let module = "import os\nROOT = 1\n\ndef used():\n    inner()\n\ndef inner():\n    two()\n\n@cache\ndef never():\n    three()\n\n\
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
        check(Language::Python, "", "def a():\r    one()\rtop()\r", &["top()"], &["one()"]);
        check(Language::Ruby, "", "def a\r\n  one\r\nend\r\ntop\r\n", &["top"], &["one"]);
        check(Language::Ruby, "", "def a\n  1 # \r x\nend\ntop\n", &["def a", "top"], &[]);
        for module in
            ["x = 1 # \"\"\"\ntop()\n# \"\"\"\n", "def a(b=top()):\n    pass\n", "@now\ndef a():\n    top()\n"]
        {
            check(Language::Python, "", module, &["top()"], &[]);
        }
    }

    #[test]
    fn what_runs_at_once_counts() {
        let module = "class C:\n    one()\n    def m(self):\n        two()\n    three()\n\
                      if __name__ != '__main__':\n    four()\nif __name__ == '__main__':\n    five()\nelse:\n    six()\n";
        check(Language::Python, "", module, &["one()", "three()", "four()", "six()"], &["two()", "five()"]);
        check(Language::Python, "C", module, &["two()"], &[]);
        for module in [
            "function go() { top(); }\nmodule.exports = go();\n",
            "var x = function () { top(); }();\n",
            "const q = /'/;\nfunction a() { b('x'); }\ntop();\nconst r = /'/;\n",
            "class C { static { top(); } }\n",
            "class C { [top()]() {} }\n",
            "top(), x = () => { a(); }\n",
            "@now\nclass C { m() { top(); } }\n",
            "const t = `a${`b${'`'}`}`;\nfunction a() {}\ntop();\n",
        ] {
            check(Language::JavaScript, "", module, &["top()"], &[]);
        }
        let module = "def never\n  one\nend # never\ntop\ndef other\n  two\nend; after\n";
        check(Language::Ruby, "", module, &["top", "after"], &["one"]);
        check(Language::Ruby, "", "x = <<~E\ndef a\nE\ntop\nend\n", &["top"], &[]);
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
