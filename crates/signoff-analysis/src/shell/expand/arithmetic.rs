//! Arithmetic on known numbers. What it cannot compute is unknown.

/// Brackets and signs nested deeper than this are not computed.
const MAX_DEPTH: usize = 64;

/// The value of an arithmetic expression; `variable` gives the value of a name.
pub(super) fn evaluate(text: &str, variable: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let mut reader = Reader { rest: text.trim(), variable, depth: 0 };
    let value = reader.expression(0)?;
    reader.rest.trim_start().is_empty().then_some(value)
}

/// Whether a shell refuses an expression, as far as its text tells: it divides by nothing, or by a name that nobody has
/// set, or it has no names and no value. `is_set` says whether a name has a value.
pub(super) fn may_be_refused(text: &str, is_set: &dyn Fn(&str) -> bool) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let divides = text.bytes().enumerate().filter(|(_, byte)| matches!(byte, b'/' | b'%'));
    let divides_by_nothing = divides.map(|(at, _)| at).any(|at| {
        let behind = text.get(at + 1..).unwrap_or_default().trim_start_matches(['=', ' ', '\t', '(']);
        let word = behind.find(|letter| !is_name(letter)).map_or(Some(behind), |end| behind.get(..end));
        word.is_some_and(|word| {
            let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
            let is_element = behind.get(word.len()..).is_some_and(|rest| rest.starts_with('['));
            if is_number {
                number(word).is_none_or(|number| number == 0)
            } else {
                !word.is_empty() && !is_element && !is_set(word)
            }
        })
    });
    // What other signs mean is not computed here.
    let plain =
        |letter: char| letter.is_ascii_digit() || letter.is_ascii_whitespace() || "+-*/%()<>&|^!~".contains(letter);
    let has_no_value = || !text.trim().is_empty() && text.chars().all(plain) && evaluate(text, &|_| None).is_none();
    divides_by_nothing || has_no_value()
}

/// The variables that an arithmetic text assigns.
pub(super) fn assigned(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let bytes = text.as_bytes();
    let counts = |pair: &[u8]| matches!(pair, b"++" | b"--");
    if !bytes.contains(&b'=') && !bytes.windows(2).any(counts) {
        return names;
    }
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let behind_subscripts = behind_subscripts(bytes);
    let mut subscripts = behind_subscripts.iter().peekable();
    let mut index = 0;
    while index < bytes.len() {
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
        let behind = if at(index) == b'[' {
            while subscripts.next_if(|(open, _)| *open < index).is_some() {}
            subscripts.peek().map_or(bytes.len(), |(_, behind)| *behind)
        } else {
            skip_blanks(bytes, index)
        };
        let mut before = start;
        while before > 0 && at(before - 1).is_ascii_whitespace() {
            before -= 1;
        }
        let twice = |from: usize, sign: u8| at(from) == sign && at(from + 1) == sign;
        let assigns = match (at(behind), at(behind + 1), at(behind + 2)) {
            (b'=', next, _) => next != b'=',
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'|' | b'&' | b'^', b'=', _) => true,
            (b'<', b'<', b'=') | (b'>', b'>', b'=') => true,
            _ => {
                twice(behind, b'+')
                    || twice(behind, b'-')
                    || before > 1 && (twice(before - 2, b'+') || twice(before - 2, b'-'))
            }
        };
        if assigns {
            names.extend(text.get(start..index).map(str::to_owned));
        }
    }
    names
}

/// Where each bracket of a subscript opens, in order, and where something stands behind its end. All of them are found in
/// one pass: a text may be nothing but brackets, and looking for the end of each would take the square of its length.
fn behind_subscripts(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'[' => {
                open.push(found.len());
                // One that never ends reaches to the end of the text.
                found.push((at, bytes.len()));
            }
            b']' => {
                if let Some(found) = open.pop().and_then(|index| found.get_mut(index)) {
                    found.1 = skip_blanks(bytes, at + 1);
                }
            }
            _ => {}
        }
    }
    found
}

/// The first place from here on where something else than a blank stands.
fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let blanks = bytes.iter().skip(from).take_while(|byte| byte.is_ascii_whitespace()).count();
    (from + blanks).min(bytes.len())
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

#[cfg(test)]
mod tests {
    use super::{assigned, may_be_refused};

    #[test]
    fn what_shells_refuse_is_known() {
        let is_set = |name: &str| name == "total";
        for text in ["1/0", "1 % 0", "5/(0)", "x /= 0", "08", "1 +", "1/zz", "(1", "1/00"] {
            assert!(may_be_refused(text, &is_set), "{text}");
        }
        for text in
            ["1/2", "a/total", "x++", "a[1]/2", "n / a[0]", "(3*4)%5", "", " ", "1 ? 2 : 3", "100*done/total", "-(2)"]
        {
            assert!(!may_be_refused(text, &is_set), "{text}");
        }
    }

    #[test]
    fn what_is_assigned_is_found_behind_any_subscript() {
        for (text, names) in [
            ("i = 1", "i"),
            ("a[1] = 2", "a"),
            ("a[b[1]]=5", "a"),
            ("a[ i++ ]  += 2", "a i"),
            ("a[b=1]", "b"),
            ("++a[1], b--, c == d, e <<= 1", "a b e"),
            ("a[b[c=1", "c"),
            ("a]=1", ""),
            ("0x1=2", ""),
        ] {
            assert_eq!(assigned(text).join(" "), names, "{text}");
        }
    }
}
