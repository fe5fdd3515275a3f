//! Scripts that package managers start by themselves, put into a manifest by a filter of `jq` or `yq`: they count as run.
//!
//! A filter is read as signs, names and texts. What a hook is set to and cannot be read counts as run as well: it asks.

use serde_json::Value as Json;
use signoff_model::Dialect;

use crate::{
    shell::{Call, Language, Shell, families::packages::runs_by_itself},
    value::{Arg, Feed, Value},
    words::is_listed,
};

/// Runs the code that a filter gives to hooks of a package: `.scripts.postinstall = "code"`,
/// `.scripts += {"prepare": $code}`. `given` are the variables of the filter.
pub(super) fn run(shell: &mut Shell<'_>, call: &Call, filter: &Arg, given: &[(String, &Arg)]) {
    let variable = |name: &str| given.iter().find(|(own, _)| own == name).map(|(_, value)| value.value.clone());
    let codes = planted(&filter.shown(), &|name| variable(name)?.known().map(str::to_owned));
    for code in codes {
        let value = match code {
            Code::Text(text) => Some(Value::text(text)),
            Code::Variable(name) => variable(&name),
            Code::Environment(name) => {
                let here = call.variables.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone());
                here.or_else(|| variable(&name)).or_else(|| shell.variable(&name).cloned())
            }
            Code::Unknown => None,
        };
        let value = value.unwrap_or_else(|| Value::unknown(filter.shown(), Vec::new()));
        shell.run_code(Language::Shell(Dialect::Sh), &Arg { value, span: filter.span }, Feed::none());
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Code {
    Text(String),
    /// A variable of the filter.
    Variable(String),
    Environment(String),
    /// Something that is not read here.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// A name with or without a dot before it.
    Name(String),
    Text(String),
    /// A text with a filter in it.
    Mixed,
    Variable(String),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "=", "|", ",", ":", ";", "(", ")",
    "[", "]", "{", "}", "+", "-", "*", "/", "%", "<", ">", "?", ".",
];

fn tokens(filter: &str) -> Vec<Token> {
    let mut all = Vec::new();
    let mut rest = filter;
    while let Some(first) = rest.chars().next() {
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '@');
        let behind = rest.get(first.len_utf8()..).unwrap_or_default();
        let name_at = |text: &str| text.chars().take_while(|letter| is_name(*letter)).collect::<String>();
        if first == '"' {
            let (token, length) = text(rest);
            all.push(token);
            rest = rest.get(length..).unwrap_or_default();
        } else if first == '#' {
            rest = behind.split_once('\n').map_or("", |(_, rest)| rest);
        } else if first == '$' {
            let name = name_at(behind);
            rest = behind.get(name.len()..).unwrap_or_default();
            all.push(Token::Variable(name));
        } else if first == '.' && behind.starts_with(|letter: char| is_name(letter) && !letter.is_ascii_digit()) {
            rest = behind;
        } else if is_name(first) {
            let name = name_at(rest);
            rest = rest.get(name.len()..).unwrap_or_default();
            all.push(Token::Name(name));
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            rest = rest.get(sign.len()..).unwrap_or_default();
            all.push(Token::Sign(sign));
        } else {
            rest = behind;
        }
    }
    joined(all)
}

/// The text at the beginning, and how long it is as it is written.
fn text(from: &str) -> (Token, usize) {
    let mut letters = from.char_indices().skip(1);
    let mut mixed = false;
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => mixed |= letters.next().is_some_and(|(_, next)| next == '('),
            '"' => {
                // A line break may stand in a text here, though not in JSON.
                let written = from.get(..=at).unwrap_or_default().replace('\n', "\\n").replace('\t', "\\t");
                let read = serde_json::from_str::<String>(&written).ok().filter(|_| !mixed);
                return (read.map_or(Token::Mixed, Token::Text), at + 1);
            }
            _ => {}
        }
    }
    (Token::Mixed, from.len())
}

/// Texts that are added to each other are one.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut all: Vec<Token> = Vec::new();
    for token in tokens {
        if let (Token::Text(more), [.., Token::Text(_), Token::Sign("+")]) = (&token, all.as_slice()) {
            all.pop();
            if let Some(Token::Text(text)) = all.last_mut() {
                text.push_str(more);
            }
            continue;
        }
        all.push(token);
    }
    all
}

/// What each hook behind `scripts` is set to. `known` gives the text of a variable of the filter.
fn planted(filter: &str, known: &dyn Fn(&str) -> Option<String>) -> Vec<Code> {
    let tokens = tokens(filter);
    let mut found = Vec::new();
    for token in &tokens {
        if let Token::Variable(name) = token {
            found.extend(merged(known(name).as_deref().and_then(|text| text.parse().ok()), Some("scripts")));
        }
    }
    let is_scripts = |token: &Token| matches!(token, Token::Name(name) | Token::Text(name) if name == "scripts");
    let Some(start) = tokens.iter().position(is_scripts) else { return found };
    let names_hook = |token: &Token| matches!(token, Token::Name(name) | Token::Text(name) if runs_by_itself(name));
    let reader = Filter { tokens: &tokens, known };
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            token if is_scripts(token) => found.extend(reader.scripts(at)),
            token if names_hook(token) => found.extend(reader.hook(at + 1)),
            // A path that is put together may lead to a hook that is named somewhere.
            Token::Name(name) if name == "setpath" => {
                let is_plain = matches!(tokens.get(at + 1..at + 3), Some([Token::Sign("("), Token::Sign("[")]));
                found.extend((!is_plain && tokens.iter().any(names_hook)).then_some(Code::Unknown));
            }
            _ => {}
        }
    }
    // `setpath` stands before the path that it is given.
    if tokens.iter().take(start).any(|token| *token == Token::Name("setpath".to_owned())) && found.is_empty() {
        found.extend(tokens.iter().any(names_hook).then_some(Code::Unknown));
    }
    found
}

/// What an object gives to the hooks of a package, below a field if there is one.
fn merged(object: Option<Json>, below: Option<&str>) -> Vec<Code> {
    let Some(object) = object else { return Vec::new() };
    let scripts = below.map_or(Some(&object), |field| object.get(field)).and_then(Json::as_object);
    let hooks = scripts.into_iter().flatten().filter(|(name, _)| runs_by_itself(name));
    hooks.map(|(_, code)| code.as_str().map_or(Code::Unknown, |text| Code::Text(text.to_owned()))).collect()
}

struct Filter<'f> {
    tokens: &'f [Token],
    known: &'f dyn Fn(&str) -> Option<String>,
}

impl Filter<'_> {
    fn sign(&self, at: usize) -> &'static str {
        match self.tokens.get(at) {
            Some(Token::Sign(sign)) => sign,
            _ => "",
        }
    }

    /// The position of the value that something is set to whose name ends before this position.
    fn value_at(&self, behind: usize) -> Option<usize> {
        let mut at = behind;
        while matches!(self.sign(at), "]" | ")" | "?") {
            at += 1;
        }
        match self.sign(at) {
            "=" | "|=" | "+=" | "*=" | "//=" | ":" | ";" => Some(at + 1),
            _ => None,
        }
    }

    /// What a hook is set to; none if it is only looked at or taken away.
    fn hook(&self, behind: usize) -> Option<Code> {
        // `{key: "prepare", value: …}` of a list of entries.
        let is_entry = self.sign(behind.saturating_sub(2)) == ":"
            && behind.checked_sub(3).and_then(|at| self.tokens.get(at)) == Some(&Token::Name("key".to_owned()));
        if is_entry {
            return Some(Code::Unknown);
        }
        let mut at = self.value_at(behind)?;
        let mut open = 0_usize;
        while self.sign(at) == "(" {
            open += 1;
            at += 1;
        }
        let (code, mut end) = match (self.tokens.get(at), self.tokens.get(at + 1)) {
            (Some(Token::Variable(all)), Some(Token::Name(name))) if all == "ENV" => {
                (Code::Environment(name.clone()), at + 2)
            }
            (Some(Token::Name(env)), Some(Token::Name(name))) if env == "env" => {
                (Code::Environment(name.clone()), at + 2)
            }
            (Some(Token::Name(call)), Some(Token::Sign("("))) if is_listed("env strenv", call) => {
                match (self.tokens.get(at + 2), self.sign(at + 3)) {
                    (Some(Token::Name(name)), ")") => (Code::Environment(name.clone()), at + 4),
                    _ => return Some(Code::Unknown),
                }
            }
            (Some(Token::Name(name)), _) if is_listed("null false empty", name) => return None,
            (Some(Token::Text(text)), _) => (Code::Text(text.clone()), at + 1),
            (Some(Token::Variable(name)), _) => (Code::Variable(name.clone()), at + 1),
            _ => return Some(Code::Unknown),
        };
        while open > 0 && self.sign(end) == ")" {
            open -= 1;
            end += 1;
        }
        let ends = self.tokens.get(end).is_none() || matches!(self.sign(end), "|" | "," | ")" | "}" | ";");
        Some(if open == 0 && ends { code } else { Code::Unknown })
    }

    /// What all scripts together, or one whose name is not written down, are set to.
    fn scripts(&self, at: usize) -> Vec<Code> {
        let mut behind = at + 1;
        behind += usize::from(self.sign(behind) == "]");
        if self.sign(behind) == "[" {
            return match (self.tokens.get(behind + 1), self.sign(behind + 2)) {
                (Some(Token::Text(_)), "]") => Vec::new(),
                (Some(Token::Variable(name)), "]") if (self.known)(name).is_some_and(|name| !runs_by_itself(&name)) => {
                    Vec::new()
                }
                (Some(Token::Sign("]")), _) => {
                    // What all scripts have in common is changed in place, or all become the same.
                    self.hook(behind + 2).filter(|code| *code != Code::Unknown).into_iter().collect()
                }
                (Some(Token::Variable(_)), "]") => self.hook(behind + 3).into_iter().collect(),
                _ => {
                    let close = self.tokens.iter().skip(behind).position(|token| *token == Token::Sign("]"));
                    let set = close.and_then(|close| self.value_at(behind + close + 1));
                    set.map(|_| Code::Unknown).into_iter().collect()
                }
            };
        }
        let Some(value) = self.value_at(behind) else { return Vec::new() };
        let mut found = Vec::new();
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(value) {
            match token {
                Token::Sign("(" | "[" | "{") => depth += 1,
                Token::Sign(")" | "]" | "}") if depth == 0 => break,
                Token::Sign(")" | "]" | "}") => depth -= 1,
                Token::Sign("|" | "," | ";") if depth == 0 => break,
                Token::Variable(name) => match (self.known)(name) {
                    // As the value of a script that is named, or as the name of one.
                    _ if self.sign(at.saturating_sub(1)) == ":" => {}
                    Some(text) if self.sign(at + 1) == ")" && self.sign(at + 2) == ":" => {
                        found.extend(runs_by_itself(&text).then(|| self.hook(at + 1)).flatten());
                    }
                    Some(text) => found.extend(merged(text.parse().ok(), None)),
                    None => found.push(Code::Unknown),
                },
                Token::Name(name) if is_listed("fromjson env input inputs implode @base64d @json load", name) => {
                    found.push(Code::Unknown);
                }
                _ => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use super::*;
    use crate::testing::check;

    #[test]
    fn every_hook_that_is_set_is_found() {
        let text = |text: &str| Code::Text(text.to_owned());
        let planted = |filter: &str| planted(filter, &|_| None);
        assert_eq!(planted(".scripts.prepare=\"a\" | .scripts.preinstall = \"b\""), [text("a"), text("b")]);
        assert_eq!(planted(".scripts += {\"postinstall\": $c}"), [Code::Variable("c".to_owned())]);
        assert_eq!(planted(".scripts[\"install\"] |= \"a \\\"b\\\"\""), [text("a \"b\"")]);
        assert_eq!(planted("select(.scripts.prepare == \"a\")"), []);
        assert_eq!(planted(".scripts.prepare"), []);
        assert_eq!(planted("del(.scripts.prepare) | .version = \"1\""), []);
        assert_eq!(planted(".scripts |= with_entries(select(.key != \"prepare\"))"), []);
        assert_eq!(planted(".scripts.prepare = null"), []);
        assert_eq!(planted("(.scripts.prepare) = (\"a\" + \"b\")"), [text("ab")]);
        assert_eq!(planted(".scripts.prepare = \"a \\(.x)\""), [Code::Unknown]);
        assert_eq!(planted(".scripts[] |= sub(\"npm\"; \"pnpm\")"), []);
    }

    #[test]
    fn hooks_in_manifests_count_as_run() {
        check(
            Block,
            &[
                "jq '.scripts.prepare=\"rm -rf ~\" | .scripts.preinstall=\"true\"' package.json > p && mv p package.json",
                "jq --arg c 'rm -rf ~' '.scripts.postinstall=$c' package.json > p && mv p package.json",
                "yq -i '.scripts.postinstall=\"rm -rf ~\"' package.json",
                "C='rm -rf ~' yq -i '.scripts.postinstall = strenv(C)' package.json",
                "jq '.scripts.postinstall=\"\\u0072m -rf ~\"' package.json > p && mv p package.json",
                "jq '.scripts.postinstall=\"true\\nrm -rf ~\"' package.json > p && mv p package.json",
                "jq '.scripts.postinstall = \"rm \" + \"-rf ~\"' package.json > p && mv p package.json",
                "jq '.[\"scr\"+\"ipts\"].postinstall = \"rm -rf ~\"' package.json > p && mv p package.json",
                "C='rm -rf ~' jq '.scripts.postinstall = env.C' package.json > p && mv p package.json",
                "export C='rm -rf ~'; jq '.scripts.postinstall = $ENV.C' package.json > p && mv p package.json",
                "jq 'setpath([\"scripts\",\"postinstall\"]; \"rm -rf ~\")' package.json > p && mv p package.json",
                "jq --arg h postinstall '.scripts[$h]=\"rm -rf ~\"' package.json > p && mv p package.json",
                "jq --arg h postinstall '.scripts += {($h): \"rm -rf ~\"}' package.json > p && mv p package.json",
                "jq --argjson s '{\"postinstall\":\"rm -rf ~\"}' '.scripts += $s' package.json > p && mv p package.json",
                "jq --argjson s '{\"scripts\":{\"prepare\":\"rm -rf ~\"}}' '. * $s' package.json > p && mv p package.json",
                "jq '. + {scripts: {postinstall: \"rm -rf ~\"}}' package.json > p && mv p package.json",
            ],
        );
        check(
            Ask,
            &[
                "jq '.scripts.postinstall = (\"cm0gLXJmIH4=\"|@base64d)' package.json > p && mv p package.json",
                "jq --arg c \"$X\" '.scripts.postinstall=$c' package.json > p && mv p package.json",
                "jq '.scripts[.name] = \"x\"' package.json > p && mv p package.json",
                "jq '.scripts.postinstall |= . + \" && x\"' package.json > p && mv p package.json",
                "jq --argjson s \"$S\" '.scripts += $s' package.json > p && mv p package.json",
                "jq '.scripts = (\"e30=\" | @base64d | fromjson)' package.json > p && mv p package.json",
                "jq \".scripts.postinstall = $X\" package.json > p && mv p package.json",
            ],
        );
        check(
            Allow,
            &[
                "jq 'del(.scripts.postinstall)' package.json > /tmp/p",
                "jq --arg s lint '.scripts[$s] = \"eslint .\"' package.json > /tmp/p",
                "jq --argjson s '{\"test\":\"vitest\"}' '.scripts += $s' package.json > /tmp/p",
                "jq '.scripts | to_entries[] | .key' package.json",
                "jq '.scripts.build = \"tsc\" | .version = \"1.0.0\"' package.json > /tmp/p",
                "jq '.scripts += {\"lint\": \"eslint .\"}' package.json > /tmp/p",
                "jq \".version = \\\"$V\\\"\" package.json > /tmp/p",
                "jq '.scripts.prepare=\"husky\"' package.json > /tmp/p",
                "yq -i '.scripts.test=\"vitest\"' package.json",
                "jq '.scripts.prepare' package.json",
                "jq --arg v 2.0.0 '.version=$v' package.json > /tmp/p",
            ],
        );
    }
}
