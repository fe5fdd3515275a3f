//! Arithmetic on known numbers. What it cannot compute is unknown.

/// Brackets and signs nested deeper than this are not computed.
const MAX_DEPTH: usize = 64;

/// The value of an arithmetic expression; `variable` gives the value of a name.
pub(super) fn evaluate(text: &str, variable: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let mut reader = Reader { rest: text.trim(), variable, depth: 0 };
    let value = reader.expression(0)?;
    reader.rest.trim_start().is_empty().then_some(value)
}

/// The variables that an arithmetic text assigns.
pub(super) fn assigned(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    if !text.contains('=') && !text.contains("++") && !text.contains("--") {
        return names;
    }
    let letters: Vec<char> = text.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut index = 0;
    while index < letters.len() {
        if !is_name(at(index)) {
            index += 1;
            continue;
        }
        let start = index;
        while is_name(at(index)) {
            index += 1;
        }
        if at(start).is_ascii_digit() {
            continue;
        }
        let mut behind = index;
        // The subscript of an element.
        if at(behind) == '[' {
            while behind < letters.len() && at(behind) != ']' {
                behind += 1;
            }
            behind += 1;
        }
        while behind < letters.len() && at(behind).is_whitespace() {
            behind += 1;
        }
        let mut before = start;
        while before > 0 && at(before - 1).is_whitespace() {
            before -= 1;
        }
        let twice = |from: usize, sign: char| at(from) == sign && at(from + 1) == sign;
        let assigns = match (at(behind), at(behind + 1), at(behind + 2)) {
            ('=', next, _) => next != '=',
            ('+' | '-' | '*' | '/' | '%' | '|' | '&' | '^', '=', _) => true,
            ('<', '<', '=') | ('>', '>', '=') => true,
            _ => {
                twice(behind, '+')
                    || twice(behind, '-')
                    || before > 1 && (twice(before - 2, '+') || twice(before - 2, '-'))
            }
        };
        if assigns {
            names.push(letters.get(start..index).unwrap_or_default().iter().collect());
        }
    }
    names
}

struct Reader<'t> {
    rest: &'t str,
    variable: &'t dyn Fn(&str) -> Option<i64>,
    depth: usize,
}

/// Operators by how strongly they bind; longer ones before their prefixes.
const OPERATORS: &[(&str, u8)] = &[
    ("**", 11),
    ("<<", 8),
    (">>", 8),
    ("<=", 7),
    (">=", 7),
    ("==", 6),
    ("!=", 6),
    ("&&", 2),
    ("||", 1),
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("+", 9),
    ("-", 9),
    ("<", 7),
    (">", 7),
    ("&", 5),
    ("^", 4),
    ("|", 3),
];

impl Reader<'_> {
    fn take(&mut self, text: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expression(&mut self, weakest: u8) -> Option<i64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.operand()?;
        loop {
            self.rest = self.rest.trim_start();
            let found = OPERATORS.iter().find(|(operator, _)| self.rest.starts_with(operator));
            let Some((operator, strength)) = found.filter(|(_, strength)| *strength > weakest) else { break };
            self.take(operator);
            let right = self.expression(if *operator == "**" { strength - 1 } else { *strength })?;
            left = apply(operator, left, right)?;
        }
        self.depth -= 1;
        Some(left)
    }

    /// The operand behind a sign.
    fn deeper(&mut self) -> Option<i64> {
        self.depth += 1;
        let value = if self.depth > MAX_DEPTH { None } else { self.operand() };
        self.depth -= 1;
        value
    }

    fn operand(&mut self) -> Option<i64> {
        self.rest = self.rest.trim_start();
        if self.take("(") {
            let value = self.expression(0)?;
            return self.take(")").then_some(value);
        }
        if self.take("-") {
            return self.deeper()?.checked_neg();
        }
        if self.take("+") {
            return self.deeper();
        }
        if self.rest.starts_with('!') && !self.rest.starts_with("!=") && self.take("!") {
            return Some(i64::from(self.deeper()? == 0));
        }
        if self.take("~") {
            return Some(!self.deeper()?);
        }
        let end = self
            .rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '#')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        if word.is_empty() {
            return None;
        }
        if word.starts_with(|letter: char| letter.is_ascii_digit()) { number(word) } else { (self.variable)(word) }
    }
}

fn number(word: &str) -> Option<i64> {
    if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16).ok();
    }
    if let Some((base, digits)) = word.split_once('#') {
        let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
        return i64::from_str_radix(digits, base).ok();
    }
    if word.len() > 1 && word.starts_with('0') {
        return i64::from_str_radix(word, 8).ok();
    }
    word.parse().ok()
}

fn apply(operator: &str, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "**" => left.checked_pow(u32::try_from(right).ok()?)?,
        "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
        ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "&&" => i64::from(left != 0 && right != 0),
        "||" => i64::from(left != 0 || right != 0),
        "&" => left & right,
        "^" => left ^ right,
        "|" => left | right,
        _ => return None,
    })
}
