//! What `jq` prints, where all that it is given is known: a small part of its language, which is enough to put texts
//! together and to decode them. Everything else gives nothing, and the output is then not known.

use serde_json::Value as Json;

use super::{MOST, codec::Alphabet};

/// How deep filters nest at most, how many parts one has, and how many steps are taken.
const MAX_DEPTH: usize = 32;
const MAX_PARTS: usize = 256;
const MAX_STEPS: usize = 1 << 16;

/// Greater numbers are not exact there.
const EXACT: u64 = 1 << 53;

/// What the options of a call say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// There is no input.
    pub nothing: bool,
    /// Lines are texts, and no JSON.
    pub lines: bool,
    /// Texts are printed as they are.
    pub raw: bool,
    /// And nothing stands between them.
    pub joined: bool,
    /// Lists and maps are printed in a line.
    pub compact: bool,
}

/// What a filter prints of an input.
pub fn output(filter: &str, input: &str, manner: Manner) -> Option<String> {
    let mut parser = Parser { rest: filter, depth: 0, left: MAX_PARTS };
    let filter = parser.pipe()?;
    if !parser.rest.trim().is_empty() || input.len() > MOST {
        return None;
    }
    let inputs: Vec<Json> = match manner {
        Manner { nothing: true, .. } => vec![Json::Null],
        Manner { lines: true, .. } => input.lines().map(|line| Json::String(line.to_owned())).collect(),
        _ => serde_json::Deserializer::from_str(input).into_iter().collect::<Result<_, _>>().ok()?,
    };
    let mut machine = Machine { steps: MAX_STEPS };
    let mut all = String::new();
    for input in inputs {
        for value in machine.run(&filter, &input)? {
            match &value {
                Json::String(text) if manner.raw => all.push_str(text),
                // Objects come out in an order of their own.
                value if is_flat(value) || manner.compact && keeps_order(value) => all.push_str(&value.to_string()),
                Json::Array(values) if values.iter().all(is_flat) => {
                    all.push_str(&serde_json::to_string_pretty(&value).ok()?)
                }
                _ => return None,
            }
            if !manner.joined {
                all.push('\n');
            }
            if all.len() > MOST {
                return None;
            }
        }
    }
    Some(all)
}

/// Whether there is nothing in it that could stand in another order.
fn keeps_order(value: &Json) -> bool {
    match value {
        Json::Array(values) => values.iter().all(keeps_order),
        Json::Object(map) => map.len() < 2 && map.values().all(keeps_order),
        _ => true,
    }
}

/// How much there is to a value: each part of it, and more for long texts.
fn weight(value: &Json) -> usize {
    match value {
        Json::String(text) => 1 + text.len() / 64,
        Json::Array(values) => 1 + values.iter().map(weight).sum::<usize>(),
        Json::Object(map) => 1 + map.values().map(weight).sum::<usize>(),
        _ => 1,
    }
}

fn is_flat(value: &Json) -> bool {
    !matches!(value, Json::Array(_) | Json::Object(_))
}

#[derive(Clone, Debug)]
enum Filter {
    Identity,
    Literal(Json),
    /// A text with filters in it.
    Text(Vec<(String, Option<Filter>)>),
    List(Option<Box<Filter>>),
    Pipe(Box<Filter>, Box<Filter>),
    Comma(Box<Filter>, Box<Filter>),
    Sum(Box<Filter>, char, Box<Filter>),
    /// `.name`, `.["name"]`, `.[0]`
    At(Box<Filter>, Box<Filter>),
    Each(Box<Filter>),
    Call(String, Vec<Filter>),
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
    /// How many more parts the filter may have.
    left: usize,
}

impl Parser<'_> {
    fn take(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<String> {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn pipe(&mut self) -> Option<Filter> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let mut left = self.comma()?;
        while self.rest.trim_start().starts_with('|') && !self.rest.trim_start().starts_with("|=") {
            self.take("|");
            left = Filter::Pipe(Box::new(left), Box::new(self.comma()?));
        }
        self.depth -= 1;
        Some(left)
    }

    fn comma(&mut self) -> Option<Filter> {
        let mut left = self.sum()?;
        while self.take(",") {
            left = Filter::Comma(Box::new(left), Box::new(self.sum()?));
        }
        Some(left)
    }

    fn sum(&mut self) -> Option<Filter> {
        let mut left = self.member()?;
        loop {
            let sign = if self.take("+") {
                '+'
            } else if self.take("-") {
                '-'
            } else {
                return Some(left);
            };
            if self.rest.starts_with('=') {
                return None;
            }
            left = Filter::Sum(Box::new(left), sign, Box::new(self.member()?));
        }
    }

    fn member(&mut self) -> Option<Filter> {
        let mut left = self.term()?;
        loop {
            self.left = self.left.checked_sub(1)?;
            let bracket = self.rest.starts_with('[') || self.rest.starts_with(".[");
            if bracket {
                self.take(".");
                self.take("[");
                left = match self.take("]") {
                    true => Filter::Each(Box::new(left)),
                    false => {
                        let at = self.pipe()?;
                        self.take("]").then_some(())?;
                        Filter::At(Box::new(left), Box::new(at))
                    }
                };
            } else if self.rest.starts_with('.') {
                self.take(".");
                let name = self.name()?;
                left = Filter::At(Box::new(left), Box::new(Filter::Literal(Json::String(name))));
            } else {
                return Some(left);
            }
        }
    }

    /// The name behind a dot, in quotes or not.
    fn name(&mut self) -> Option<String> {
        if self.rest.starts_with('"') {
            return match self.text()? {
                Filter::Literal(Json::String(text)) => Some(text),
                _ => None,
            };
        }
        self.word().filter(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()))
    }

    fn term(&mut self) -> Option<Filter> {
        self.left = self.left.checked_sub(1)?;
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        match first {
            '"' => self.text(),
            '(' => {
                self.take("(");
                let inner = self.pipe()?;
                self.take(")").then_some(inner)
            }
            '[' => {
                self.take("[");
                if self.take("]") {
                    return Some(Filter::List(None));
                }
                let inner = self.pipe()?;
                self.take("]").then_some(Filter::List(Some(Box::new(inner))))
            }
            '.' => {
                let next = self.rest.chars().nth(1);
                if next.is_some_and(|letter| letter == '"' || letter == '_' || letter.is_ascii_alphabetic()) {
                    self.take(".");
                    let name = self.name()?;
                    let name = Filter::Literal(Json::String(name));
                    return Some(Filter::At(Box::new(Filter::Identity), Box::new(name)));
                }
                // `.[0]` has the dot as what it is taken out of; two of them are something else.
                (next != Some('.')).then_some(())?;
                self.take(".");
                Some(Filter::Identity)
            }
            '-' | '0'..='9' => {
                let minus = self.take("-");
                let number: i64 = self.word()?.parse().ok()?;
                Some(Filter::Literal(Json::from(if minus { -number } else { number })))
            }
            '@' => {
                self.take("@");
                let name = format!("@{}", self.word()?);
                // In front of a text it is done to what is put into that.
                (!self.rest.trim_start().starts_with('"')).then_some(Filter::Call(name, Vec::new()))
            }
            _ => {
                let name = self.word()?;
                if matches!(name.as_str(), "if" | "def" | "reduce" | "foreach" | "try" | "label" | "import" | "include")
                {
                    return None;
                }
                let mut given = Vec::new();
                if self.rest.starts_with('(') {
                    self.take("(");
                    given.push(self.pipe()?);
                    while self.take(";") {
                        given.push(self.pipe()?);
                    }
                    self.take(")").then_some(())?;
                }
                Some(Filter::Call(name, given))
            }
        }
    }

    fn text(&mut self) -> Option<Filter> {
        self.rest = self.rest.strip_prefix('"')?;
        let (mut parts, mut text) = (Vec::new(), String::new());
        loop {
            let letter = self.rest.chars().next()?;
            self.rest = self.rest.get(letter.len_utf8()..)?;
            match letter {
                '"' => break,
                '\\' => {
                    let escaped = self.rest.chars().next()?;
                    self.rest = self.rest.get(escaped.len_utf8()..)?;
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        '"' | '\\' | '/' => text.push(escaped),
                        'u' => {
                            let (digits, rest) = self.rest.split_at_checked(4)?;
                            text.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
                            self.rest = rest;
                        }
                        '(' => {
                            let inner = self.pipe()?;
                            self.take(")").then_some(())?;
                            parts.push((std::mem::take(&mut text), Some(inner)));
                        }
                        _ => return None,
                    }
                }
                letter => text.push(letter),
            }
        }
        if parts.is_empty() {
            return Some(Filter::Literal(Json::String(text)));
        }
        parts.push((text, None));
        Some(Filter::Text(parts))
    }
}

struct Machine {
    steps: usize,
}

impl Machine {
    /// Every output of a filter; none if it fails or is not followed.
    fn run(&mut self, filter: &Filter, input: &Json) -> Option<Vec<Json>> {
        self.steps = self.steps.checked_sub(1)?;
        let all = self.outputs(filter, input)?;
        for value in &all {
            self.steps = self.steps.checked_sub(weight(value))?;
        }
        Some(all)
    }

    fn outputs(&mut self, filter: &Filter, input: &Json) -> Option<Vec<Json>> {
        Some(match filter {
            Filter::Identity => vec![input.clone()],
            Filter::Literal(value) => vec![value.clone()],
            Filter::Text(parts) => {
                let mut all = String::new();
                for (text, inner) in parts {
                    all.push_str(text);
                    if let Some(inner) = inner {
                        all.push_str(&shown(&self.one(inner, input)?)?);
                        if all.len() > MOST {
                            return None;
                        }
                    }
                }
                vec![Json::String(all)]
            }
            Filter::List(None) => vec![Json::Array(Vec::new())],
            Filter::List(Some(inner)) => vec![Json::Array(self.run(inner, input)?)],
            Filter::Pipe(first, second) => {
                let mut all = Vec::new();
                for value in self.run(first, input)? {
                    all.extend(self.run(second, &value)?);
                }
                all
            }
            Filter::Comma(first, second) => {
                let mut all = self.run(first, input)?;
                all.extend(self.run(second, input)?);
                all
            }
            Filter::Sum(first, sign, second) => {
                let (first, second) = (self.one(first, input)?, self.one(second, input)?);
                vec![sum(first, *sign, second)?]
            }
            Filter::At(of, at) => {
                let (of, at) = (self.one(of, input)?, self.one(at, input)?);
                vec![match (of, at) {
                    (Json::Object(map), Json::String(name)) => map.get(&name).cloned().unwrap_or_default(),
                    (Json::Array(values), Json::Number(at)) => {
                        let at = at.as_i64()?;
                        let at = if at < 0 { at.checked_add(i64::try_from(values.len()).ok()?)? } else { at };
                        usize::try_from(at).ok().and_then(|at| values.get(at).cloned()).unwrap_or_default()
                    }
                    (Json::Null, _) => Json::Null,
                    _ => return None,
                }]
            }
            Filter::Each(of) => {
                let mut all = Vec::new();
                for value in self.run(of, input)? {
                    match value {
                        Json::Array(values) => all.extend(values),
                        Json::Object(map) if map.len() < 2 => all.extend(map.into_iter().map(|(_, value)| value)),
                        _ => return None,
                    }
                }
                all
            }
            Filter::Call(name, given) => return self.call(name, given, input),
        })
    }

    /// The output of a filter that has one.
    fn one(&mut self, filter: &Filter, input: &Json) -> Option<Json> {
        let mut all = self.run(filter, input)?.into_iter();
        all.next().filter(|_| all.next().is_none())
    }

    fn call(&mut self, name: &str, given: &[Filter], input: &Json) -> Option<Vec<Json>> {
        let argument = match given {
            [only] if name != "map" => Some(self.one(only, input)?),
            _ => None,
        };
        let argument = argument.as_ref();
        let word = |value: String| Some(vec![Json::String(value)]);
        match (name, given.len(), input) {
            ("empty", 0, _) => Some(Vec::new()),
            ("null", 0, _) => Some(vec![Json::Null]),
            ("true" | "false", 0, _) => Some(vec![Json::Bool(name == "true")]),
            ("tostring" | "@text", 0, _) => word(shown(input)?),
            ("tonumber", 0, Json::String(text)) => Some(vec![Json::from(text.trim().parse::<i64>().ok()?)]),
            ("fromjson", 0, Json::String(text)) => Some(vec![serde_json::from_str(text).ok()?]),
            ("join", 1, Json::Array(values)) => {
                let parts: Option<Vec<String>> = values
                    .iter()
                    .map(|value| if value.is_null() { Some(String::new()) } else { shown(value) })
                    .collect();
                let (parts, mark) = (parts?, argument?.as_str()?);
                let length: usize = parts.iter().map(|part| part.len() + mark.len()).sum();
                if length > MOST {
                    return None;
                }
                word(parts.join(mark))
            }
            ("implode", 0, Json::Array(values)) => word(
                values
                    .iter()
                    .map(|value| char::from_u32(u32::try_from(value.as_u64()?).ok()?))
                    .collect::<Option<_>>()?,
            ),
            ("explode", 0, Json::String(text)) => {
                Some(vec![Json::Array(text.chars().map(|letter| Json::from(u32::from(letter))).collect())])
            }
            ("reverse", 0, Json::Array(values)) => Some(vec![Json::Array(values.iter().rev().cloned().collect())]),
            ("add", 0, Json::Array(values)) => {
                let mut values = values.iter().cloned();
                let mut all = values.next().unwrap_or_default();
                for value in values {
                    self.steps = self.steps.checked_sub(1)?;
                    all = sum(all, '+', value)?;
                }
                Some(vec![all])
            }
            ("first", 0, Json::Array(values)) => Some(vec![values.first().cloned().unwrap_or_default()]),
            ("last", 0, Json::Array(values)) => Some(vec![values.last().cloned().unwrap_or_default()]),
            ("map", 1, Json::Array(values)) => {
                let mut all = Vec::new();
                for value in values {
                    all.extend(self.run(given.first()?, value)?);
                }
                Some(vec![Json::Array(all)])
            }
            ("split", 1, Json::String(text)) => {
                let mark = argument?.as_str().filter(|mark| !mark.is_empty())?;
                Some(vec![Json::Array(text.split(mark).map(Json::from).collect())])
            }
            ("ascii_downcase", 0, Json::String(text)) => word(text.to_ascii_lowercase()),
            ("ascii_upcase", 0, Json::String(text)) => word(text.to_ascii_uppercase()),
            ("ltrimstr", 1, Json::String(text)) => {
                let mark = argument?.as_str()?;
                word(text.strip_prefix(mark).unwrap_or(text).to_owned())
            }
            ("rtrimstr", 1, Json::String(text)) => {
                let mark = argument?.as_str()?;
                word(text.strip_suffix(mark).unwrap_or(text).to_owned())
            }
            ("@base64d", 0, Json::String(text)) => {
                // What is none of its letters, or one too many, is a mistake.
                let body = text.trim_end_matches('=');
                let is_whole = !body.is_empty() && body.len() % 4 != 1;
                let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/');
                let bytes =
                    super::codec::decode(body, Alphabet::Base64).filter(|_| is_whole && body.chars().all(fits))?;
                word(String::from_utf8(bytes).ok()?)
            }
            _ => None,
        }
    }
}

/// A value as a text.
fn shown(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        value if is_flat(value) => Some(value.to_string()),
        _ => None,
    }
}

fn sum(first: Json, sign: char, second: Json) -> Option<Json> {
    Some(match (first, sign, second) {
        (Json::String(first), '+', Json::String(second)) if first.len() + second.len() <= MOST => {
            Json::String(first + &second)
        }
        (Json::Array(mut first), '+', Json::Array(second)) if first.len() + second.len() <= MAX_STEPS => {
            first.extend(second);
            Json::Array(first)
        }
        (Json::Number(first), sign, Json::Number(second)) => {
            let (first, second) = (first.as_i64()?, second.as_i64()?);
            let whole = if sign == '+' { first.checked_add(second)? } else { first.checked_sub(second)? };
            if [first, second, whole].iter().any(|number| number.unsigned_abs() > EXACT) {
                return None;
            }
            Json::from(whole)
        }
        (Json::Null, '+', other) | (other, '+', Json::Null) => other,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Manner, output};

    const RAW: Manner = Manner { nothing: false, lines: false, raw: true, joined: false, compact: false };

    #[track_caller]
    fn check(filter: &str, input: &str, expected: Option<&str>) {
        assert_eq!(output(filter, input, RAW).as_deref(), expected, "{filter}");
    }

    #[test]
    fn what_grows_without_end_gives_nothing() {
        check(&format!("[1,1]{}", "|[.,.]".repeat(33)), "1", None);
        check(&format!("\"aaaaaaaa\"{}", r#"|"\(.)\(.)""#.repeat(31)), "1", None);
        check("9007199254740993 - 9007199254740879", "1", None);
        check(".", r#"{"b":1,"a":2}"#, None);
    }

    #[test]
    fn texts_are_put_together_and_decoded() {
        check(r#"["rm","-rf","/"]|join(" ")"#, "1", Some("rm -rf /\n"));
        check(r#""rm -rf " + "/""#, "1", Some("rm -rf /\n"));
        check(r#""\("a"+"b")c\u0064", 1 + 2 - 4"#, "1", Some("abcd\n-1\n"));
        check(r#""cm0=" | @base64d"#, "1", Some("rm\n"));
        check("map(. - 1) | implode", "[115, 110]", Some("rm\n"));
        check("explode | reverse | implode", "\"mr\"", Some("rm\n"));
        check(
            r#".a[1].b, (.c | split(",") | add), .["d"][-1]"#,
            r#"{"a":[0,{"b":"x"}],"c":"y,z","d":["p","q"]}"#,
            Some("x\nyz\nq\n"),
        );
        check(".[]", "[\"a\",\"b\"] [1]", Some("a\nb\n1\n"));
    }

    #[test]
    fn what_is_not_followed_gives_nothing() {
        for filter in [
            "",
            "|",
            "if . then 1 else 2 end",
            ". as $x | $x",
            "env",
            "input",
            "{a: 1}",
            ".a |= 1",
            "(",
            "\"",
            "\"\\(",
            "..",
            "test(\"a\")",
            "@sh \"a\"",
            ".[",
            "map(",
            "[range(9)]",
        ] {
            check(filter, "{\"a\":\"b\"}", None);
        }
        check(&"[".repeat(9000), "1", None);
        check(&format!(".{}", "|.".repeat(9000)), "1", None);
        check(".", "{", None);
        check(".", "{\"a\":1,\"b\":2}", None);
    }
}
