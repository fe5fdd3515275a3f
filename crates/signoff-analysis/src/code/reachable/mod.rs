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
const CALLED: &[&str] = &[
    "import",
    "unimport",
    "AUTOLOAD",
    "DESTROY",
    "BEGIN",
    "END",
    "included",
    "inherited",
    "extended",
    "prepended",
    "method_added",
    "singleton_method_added",
    "const_missing",
    "method_missing",
    "initialize",
    "__getattr__",
    "__dir__",
    "then",
    "toString",
    "valueOf",
    "toJSON",
];

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
    // Objects that functions were given to, such as the commands of a program: whoever uses one of them may call those.
    let mut used: HashSet<&str> = words(loader).collect();
    for stretch in stretches.iter().filter(|stretch| stretch.names.is_none()) {
        named.extend(stretch.text.lines().filter(|line| !is_export(line)).flat_map(named_by));
        used.extend(stretch.text.lines().flat_map(uses_of));
    }
    // Each round takes in at least one more function, or is the last one.
    let mut taken = vec![false; stretches.len()];
    loop {
        let mut more = false;
        for (stretch, taken) in stretches.iter().zip(&mut taken) {
            let counts = |names: &Vec<&str>| {
                names.iter().any(|name| match name.strip_prefix('@') {
                    Some(object) => used.contains(object),
                    None => named.contains(name),
                })
            };
            if !*taken && stretch.names.as_ref().is_none_or(counts) {
                *taken = true;
                if stretch.names.is_some() {
                    more = true;
                    named.extend(words(stretch.text));
                    used.extend(stretch.text.lines().flat_map(uses_of));
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
    let line = line.trim();
    if line.contains(['(', '`', '+', '@']) || words(line).any(|word| matches!(word, "new" | "as" | "default")) {
        return false;
    }
    if line.starts_with("export {") || line.starts_with("__all__") {
        return true;
    }
    let Some((left, right)) = line.split_once('=').filter(|(left, _)| is_exported(left)) else { return false };
    let right = right.trim().trim_end_matches(';').trim_end();
    // Under another name, or as the module itself, it can be called without being named.
    match right.strip_prefix('{') {
        Some(members) => left.trim() == "module.exports" && !members.contains(':'),
        None => words(left).last() == Some(right),
    }
}

fn is_exported(left: &str) -> bool {
    left.starts_with("module.exports") || left.starts_with("exports.")
}

/// The words of a line of the top that name something: a class that is only defined is not named by that.
fn named_by(line: &str) -> impl Iterator<Item = &str> {
    let start = line.trim_start();
    let defines = start.starts_with("class ") || start.starts_with("module ") && !start.contains('=');
    words(line).skip(usize::from(defines) * 2)
}

/// The words of a line but the one that it sets, and none if it only imports.
fn uses_of(line: &str) -> impl Iterator<Item = &str> {
    let imports = line.starts_with("import ") || line.starts_with("from ");
    let sets = line.split_once('=').is_some_and(|(left, right)| words(left).count() == 1 && !right.starts_with('='));
    words(line).skip(if imports { usize::MAX } else { usize::from(sets) })
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
        let module = "import os\nfrom functools import cache\nROOT = 1\n\ndef used():\n    inner()\n\ndef inner():\n    two()\n\n@cache\ndef never():\n    three()\n\n\
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
        check(Language::Ruby, "", "def never\n  one\nend # never\ntop\n", &["top"], &["one"]);
        check(Language::Ruby, "", "def other\n  two\nend; after\n", &["after"], &[]);
        check(Language::Ruby, "", "x = <<~E\ndef a\nE\ntop\nend\n", &["top"], &[]);
    }

    #[test]
    fn what_is_exported_under_another_name_counts() {
        for (loader, module) in [
            ("const clean = require('./t'); clean()", "function go() { top(); }\nmodule.exports = go;\n"),
            ("require('./m').x()", "function go() { top(); }\nexports.x = go;\n"),
            ("require('./m').x()", "function go() { top(); }\nmodule.exports = { x: go };\n"),
            ("import x from './m.mjs'; x()", "export default function go() { top(); }\n"),
            ("import {x} from './m.mjs'; x()", "function go() { top(); }\nexport { go as x };\n"),
            ("require('./m')()", "module.exports = function () { top(); }\n"),
            ("require('./m')()", "module.exports = () => { top(); }\n"),
            ("await import('./m.mjs')", "export function then(r) { top(); }\n"),
            ("require('./m')", "class Foo { constructor() { top(); } }\nexports.x = new Foo;\n"),
        ] {
            check(Language::JavaScript, loader, module, &["top()"], &[]);
        }
        let module =
            "function used() { one(); }\nfunction never() { two(); }\nexports.used = used;\nexports.never = never;\n";
        check(Language::JavaScript, "require('./m').used()", module, &["one()"], &["two()"]);
    }

    #[test]
    fn what_belongs_to_an_object_or_a_class_counts_with_it() {
        let commands = "import os, typer\napp = typer.Typer()\n@app.command()\ndef refresh():\n    one()\n";
        check(Language::Python, "from cli import app; app()", commands, &["one()"], &[]);
        check(Language::Python, "from cli import other", commands, &["typer"], &["one()"]);
        check(Language::Python, "", &format!("{commands}app()\n"), &["one()"], &[]);
        let class =
            "class Foo\n  def initialize\n    one\n  end\n\n  def to_s\n    two\n  end\nend\ndef never\n  three\nend\n";
        check(Language::Ruby, "Foo.new", class, &["one", "two"], &[]);
        let module = "def used\n  [1].each do |a|\n    x = if a then 1 else 2\n    end\n    one a\n  end\nend\n\ndef never\n  two if x\n  begin\n    three\n  rescue\n    four\n  end\nend\ntop\n";
        check(Language::Ruby, "used", module, &["one", "top"], &["three"]);
    }

    #[test]
    fn forms_that_only_look_like_a_function_hide_nothing() {
        for module in [
            "def never() -> top():\n    pass\n",
            "get = lambda f: f()\n@get\ndef never():\n    top()\n",
            "class get:\n    def __init__(self, f): f()\n@get\ndef never():\n    top()\n",
            "from x import get\n@get\ndef never():\n    top()\n",
            "from functools import cache\ncache = now\n@cache\ndef never():\n    top()\n",
            "class App:\n    def command(self, f): f()\napp = App()\n@app.command\ndef never():\n    top()\n",
            "def never():\n    pass\n    \u{c}top()\n",
            "__name__='__main__'\nif __name__ == '__main__':\n    top()\n",
            "globals()['__name__'] = '__main__'\nif __name__ == '__main__':\n    top()\n",
            "def __getattr__(n):\n    top()\n",
        ] {
            check(Language::Python, "from m import x", module, &["top()"], &[]);
        }
        for module in [
            "var x = function () { top(); }/**/();\n",
            "var x = function () { top(); } // a\n();\n",
            "function never() {\n--> {\n}\ntop()\n--> }\n",
            "function never(s) { top(); return Object }\nclass C extends never`` {}\n",
            "function never() { if (1) /'/; }\ntop()\nfunction other() { '}' }\n",
            "function never() { `${/*`*/1}` }\ntop()\nfunction other() { '`' }\n",
        ] {
            check(Language::JavaScript, "", module, &["top()"], &[]);
        }
        for module in [
            "sub never { return q|{|; }\ntop();\nmy $z = q|}|;\n",
            "sub never { return $#a; }\ntop();\nmy $y = $#a + do {\n1 };\n",
            "sub never { return /{/ }\ntop();\nmy $z = /}/;\n",
        ] {
            check(Language::Perl, "", module, &["top()"], &[]);
        }
        for module in [
            "def never\n  1\n  end; if true\ntop\nend\n",
            "def never() 1 end#\ntop\nif true\nend\n",
            "class A\ndef never\n  '(if'\n  end\n  top\nend\n",
            "def never\n  'a\n'\nend\ntop\nx = '\nend\n'\n",
        ] {
            check(Language::Ruby, "", module, &["top"], &[]);
        }
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
