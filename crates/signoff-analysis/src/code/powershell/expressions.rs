//! The text of a script as a tree: expressions.

use std::rc::Rc;

use super::{
    parse::Parser,
    tree::{Element, ElementKind, Expression, Part, Statement},
};

/// Signs between two values, from those that bind least to those that bind most.
const LEVELS: &[&str] = &[
    "??",
    "-and -or -xor",
    "-band -bor -bxor",
    "-eq -ne -gt -ge -lt -le -like -notlike -match -notmatch -replace -split -join -contains -notcontains -in -notin -is \
        -isnot -as -shl -shr -ceq -cne -ieq -ine -cmatch -imatch -clike -ilike -creplace -ireplace -csplit -isplit -igt -ilt \
        -cgt -clt -ige -ile -cnotmatch -inotmatch -cnotlike -inotlike -ccontains -icontains",
    "+ -",
    "* / %",
    "-f",
    "..",
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Expression {
        let first = self.expression_without_commas();
        self.blanks();
        first
    }

    /// An expression; a comma binds its neighbours only where a list may stand.
    pub(super) fn expression_without_commas(&mut self) -> Expression {
        self.depth += 1;
        let mut found = if self.depth > 64 {
            self.lost = true;
            self.at = self.text.len();
            Expression::text("")
        } else {
            self.level(0)
        };
        self.blanks();
        // `a ? b : c`.
        if self.peek() == Some('?') && self.second() == Some(' ') {
            self.bump();
            self.blanks();
            let yes = self.level(0);
            self.blanks();
            if !self.eat(":") {
                self.lost = true;
            }
            self.blanks();
            let no = self.level(0);
            found = Expression::Binary("?:".to_owned(), Box::new(yes), Box::new(no));
        }
        self.depth -= 1;
        found
    }

    fn level(&mut self, level: usize) -> Expression {
        let Some(signs) = LEVELS.get(level) else { return self.list() };
        let mut left = self.level(level + 1);
        let mut count = 0;
        loop {
            let before = self.at;
            self.blanks();
            let Some(sign) = self.sign(signs) else {
                self.at = before;
                return left;
            };
            count += 1;
            if self.is_too_long(count) {
                return left;
            }
            self.at += sign.len();
            self.lines();
            let right = self.level(level + 1);
            left = Expression::Binary(sign.to_owned(), Box::new(left), Box::new(right));
        }
    }

    /// A chain that is longer than this is not read: its tree would be as deep.
    fn is_too_long(&mut self, count: usize) -> bool {
        let long = count > 100;
        if long {
            self.lost = true;
            self.at = self.text.len();
        }
        long
    }

    fn sign(&self, signs: &'static str) -> Option<&'static str> {
        let rest = self.rest();
        // Every expression ends with the question for each of the signs, and nearly always with none of them.
        if !matches!(rest.as_bytes().first(), Some(b'?' | b'-' | b'+' | b'*' | b'/' | b'%' | b'.')) {
            return None;
        }
        let assigns = rest.get(1..2) == Some("=") && !rest.starts_with('-');
        let assigns = assigns || rest.starts_with("-=") || rest.starts_with("??=");
        if assigns {
            return None;
        }
        signs.split_whitespace().find(|sign| {
            let Some(head) = rest.get(..sign.len()) else { return false };
            if !head.eq_ignore_ascii_case(sign) {
                return false;
            }
            let behind = rest.get(sign.len()..).and_then(|rest| rest.chars().next());
            let word = sign.len() > 1 && sign.starts_with('-');
            if *sign == "-" {
                return !behind.is_some_and(char::is_alphabetic);
            }
            if word { !behind.is_some_and(|letter| letter.is_alphanumeric() || letter == '_') } else { true }
        })
    }

    /// `a, b, c`.
    fn list(&mut self) -> Expression {
        let mut all = vec![self.unary()];
        loop {
            let before = self.at;
            self.blanks();
            if self.peek() != Some(',') || self.in_arguments {
                self.at = before;
                break;
            }
            self.bump();
            self.lines();
            all.push(self.unary());
        }
        match all.len() {
            1 => all.pop().unwrap_or_else(|| Expression::text("")),
            _ => Expression::List(all),
        }
    }

    fn unary(&mut self) -> Expression {
        self.blanks();
        let rest = self.rest();
        for sign in ["-not", "-bnot", "-join", "-split", "-csplit", "-isplit"] {
            let word = rest.get(..sign.len()).is_some_and(|head| head.eq_ignore_ascii_case(sign));
            if word && !rest.get(sign.len()..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric)) {
                self.at += sign.len();
                let inner = self.nested_unary();
                return Expression::Unary(sign.to_owned(), Box::new(inner));
            }
        }
        for sign in ["++", "--", "!", "+", "-", ","] {
            if rest.starts_with(sign) {
                self.at += sign.len();
                let inner = self.nested_unary();
                return match sign {
                    "," => Expression::List(vec![inner]),
                    sign => Expression::Unary(sign.to_owned(), Box::new(inner)),
                };
            }
        }
        if self.peek() == Some('[') {
            let before = self.at;
            let name = self.type_name();
            let cast = match self.peek() {
                Some('$' | '(' | '\'' | '"' | '@' | '[' | '{') => true,
                Some(letter) => letter.is_ascii_digit(),
                None => false,
            };
            if cast {
                let inner = self.nested_unary();
                return Expression::Cast(name, Box::new(inner));
            }
            // `[int] $x`.
            let here = self.at;
            self.blanks();
            if here != self.at && matches!(self.peek(), Some('$' | '(' | '\'' | '"' | '@')) {
                let inner = self.nested_unary();
                return Expression::Cast(name, Box::new(inner));
            }
            self.at = before;
        }
        self.postfixed()
    }

    fn nested_unary(&mut self) -> Expression {
        self.depth += 1;
        let inner = if self.depth > 64 {
            self.lost = true;
            self.at = self.text.len();
            Expression::text("")
        } else {
            self.unary()
        };
        self.depth -= 1;
        inner
    }

    /// A value with its members, calls and indexes.
    pub(super) fn postfixed(&mut self) -> Expression {
        let mut found = self.primary();
        let mut count = 0;
        loop {
            count += 1;
            if self.is_too_long(count) {
                return found;
            }
            let rest = self.rest();
            if rest.starts_with("++") || rest.starts_with("--") && !rest.starts_with("--%") {
                self.at += 2;
                found = Expression::Unary("++".to_owned(), Box::new(found));
                continue;
            }
            let dots = if rest.starts_with("::") || rest.starts_with("?.") {
                2
            } else if rest.starts_with('.') && !rest.starts_with("..") {
                1
            } else {
                0
            };
            let behind = rest.get(dots..).and_then(|rest| rest.chars().next());
            if dots > 0 && behind.is_some_and(|letter| letter.is_alphabetic() || "_$('\"".contains(letter)) {
                // `file.'txt'` is nothing that anybody writes about a text.
                self.at += dots;
                let name = match behind {
                    Some('$' | '(' | '\'' | '"') => self.primary(),
                    _ => {
                        let rest = self.rest();
                        let end = rest
                            .find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                            .unwrap_or(rest.len());
                        self.at += end;
                        Expression::text(rest.get(..end).unwrap_or_default())
                    }
                };
                found = match self.peek() {
                    Some('(') => {
                        let args = self.call_arguments();
                        Expression::Call(Box::new(found), Box::new(name), args)
                    }
                    Some('{') => {
                        let block = self.primary();
                        Expression::Call(Box::new(found), Box::new(name), vec![block])
                    }
                    _ => Expression::Member(Box::new(found), Box::new(name)),
                };
                continue;
            }
            if rest.starts_with('[') && !matches!(found, Expression::Type(_)) {
                self.bump();
                let outer = std::mem::take(&mut self.in_arguments);
                self.inside += 1;
                let index = self.expression();
                self.inside -= 1;
                self.in_arguments = outer;
                self.blanks();
                if !self.eat("]") {
                    self.lost = true;
                }
                found = Expression::Index(Box::new(found), Box::new(index));
                continue;
            }
            return found;
        }
    }

    fn call_arguments(&mut self) -> Vec<Expression> {
        let mut all = Vec::new();
        self.bump();
        self.inside += 1;
        let outer = std::mem::replace(&mut self.in_arguments, true);
        loop {
            self.blanks();
            match self.peek() {
                Some(')') => {
                    self.bump();
                    break;
                }
                Some(',') => self.bump(),
                None => {
                    self.lost = true;
                    break;
                }
                Some(_) => {
                    let before = self.at;
                    all.push(self.expression_without_commas());
                    self.blanks();
                    if !matches!(self.peek(), Some(',' | ')')) || self.at == before {
                        self.lost = true;
                        self.bump();
                    }
                }
            }
        }
        self.in_arguments = outer;
        self.inside -= 1;
        all
    }

    /// `[Name]` in small letters, without its brackets. What is written in it besides is of no interest.
    pub(super) fn type_name(&mut self) -> String {
        let rest = self.rest();
        let mut depth = 0_usize;
        for (at, letter) in rest.char_indices() {
            match letter {
                '[' => depth += 1,
                ']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.at += at + 1;
                        let name: String = rest
                            .get(1..at)
                            .unwrap_or_default()
                            .chars()
                            .filter(|letter| !letter.is_whitespace() && *letter != '`')
                            .collect();
                        let name = name.to_ascii_lowercase();
                        return name.strip_prefix("system.").map(str::to_owned).unwrap_or(name);
                    }
                }
                _ => {}
            }
        }
        self.lost = true;
        self.at = self.text.len();
        String::new()
    }

    pub(super) fn primary(&mut self) -> Expression {
        let rest = self.rest();
        match self.peek() {
            Some('$') if rest.starts_with("$(") => {
                self.bump();
                self.group()
            }
            Some('$') => self.variable(),
            Some('@') if rest.starts_with("@(") => {
                self.bump();
                match self.group() {
                    Expression::Group(body) => {
                        let inner = Statement::Pipeline(vec![Element {
                            kind: ElementKind::Expression(Expression::Group(body)),
                            redirects: Vec::new(),
                        }]);
                        Expression::Group(Rc::new(vec![inner]))
                    }
                    other => other,
                }
            }
            Some('@') if rest.starts_with("@{") => self.table(),
            Some('@') if rest.starts_with("@'") || rest.starts_with("@\"") => self.here_text(),
            Some('(') => self.group(),
            Some('{') => {
                let start = self.at + 1;
                let body = self.body();
                let source = self.text.get(start..self.at.saturating_sub(1)).unwrap_or_default();
                Expression::Block(body, Rc::from(source))
            }
            Some('\'' | '‘' | '’') => self.plain_text(),
            Some('"' | '“' | '”') => self.filled_text(),
            Some('[') => Expression::Type(self.type_name()),
            Some(letter) if letter.is_ascii_digit() => match self.number_length() {
                Some(length) => {
                    self.at += length;
                    Expression::text(rest.get(..length).unwrap_or_default())
                }
                None => {
                    self.lost = true;
                    self.bump();
                    Expression::text("")
                }
            },
            Some(letter) if letter.is_alphabetic() || letter == '_' => {
                // A bare word where a value should stand: only a value that a shell has taken out is read like that.
                let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(rest.len());
                self.lost |= rest.get(..end) != Some("__unknown__");
                self.at += end;
                Expression::Variable("__unknown__".to_owned())
            }
            _ => {
                self.lost = true;
                Expression::text("")
            }
        }
    }

    fn group(&mut self) -> Expression {
        self.bump();
        let outer = std::mem::take(&mut self.in_arguments);
        let inner = self.statements(Some(')'));
        self.in_arguments = outer;
        self.eat(")");
        Expression::Group(Rc::new(inner))
    }

    /// `@{ name = value; … }`.
    fn table(&mut self) -> Expression {
        self.at += 2;
        let mut all = Vec::new();
        let outer = std::mem::take(&mut self.in_arguments);
        let inside = std::mem::take(&mut self.inside);
        loop {
            self.lines();
            match self.peek() {
                Some('}') => {
                    self.bump();
                    break;
                }
                Some(';' | ',') => self.bump(),
                None => {
                    self.lost = true;
                    break;
                }
                Some(_) => {
                    let before = self.at;
                    let key = self.key();
                    self.blanks();
                    if !self.eat("=") || self.at == before {
                        self.lost = true;
                        self.bump();
                        continue;
                    }
                    self.lines();
                    let value = self.statement();
                    all.push((key, value));
                }
            }
        }
        self.inside = inside;
        self.in_arguments = outer;
        Expression::Table(all)
    }

    fn key(&mut self) -> Expression {
        match self.peek() {
            Some('\'' | '"' | '$' | '(' | '[') => self.postfixed(),
            _ => {
                let rest = self.rest();
                let end =
                    rest.find(|letter: char| letter.is_whitespace() || "=;}{".contains(letter)).unwrap_or(rest.len());
                self.at += end;
                Expression::text(rest.get(..end).unwrap_or_default())
            }
        }
    }

    /// `$name`, `${name}`, `$env:name`, `$_`, `$?`.
    pub(super) fn variable(&mut self) -> Expression {
        self.bump();
        let rest = self.rest();
        if let Some(inner) = rest.strip_prefix('{') {
            let end = inner.find('}').unwrap_or(inner.len());
            self.lost |= end == inner.len();
            self.at += end + 2;
            return Expression::Variable(inner.get(..end).unwrap_or_default().to_ascii_lowercase());
        }
        if rest.starts_with(['?', '$', '^']) {
            self.bump();
            return Expression::Variable("?".to_owned());
        }
        let name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut end = rest.find(|letter: char| !name(letter)).unwrap_or(rest.len());
        if end == 0 {
            self.lost = true;
            return Expression::text("$");
        }
        let tail = rest.get(end..).unwrap_or_default();
        if let Some(behind) = tail.strip_prefix(':')
            && behind.starts_with(name)
        {
            end += 1 + behind.find(|letter: char| !name(letter)).unwrap_or(behind.len());
        }
        self.at += end;
        let full = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        // `$script:x` is `$x` for all that is known here.
        let plain = ["script:", "global:", "local:", "private:", "using:", "variable:"]
            .iter()
            .find_map(|scope| full.strip_prefix(scope));
        Expression::Variable(plain.unwrap_or(&full).to_owned())
    }

    fn plain_text(&mut self) -> Expression {
        self.bump();
        let mut text = String::new();
        loop {
            match self.peek() {
                None => {
                    self.lost = true;
                    break;
                }
                Some('\'' | '‘' | '’') => {
                    self.bump();
                    if self.peek() != Some('\'') {
                        break;
                    }
                    text.push('\'');
                    self.bump();
                }
                Some(letter) => {
                    text.push(letter);
                    self.bump();
                }
            }
        }
        Expression::text(text)
    }

    fn filled_text(&mut self) -> Expression {
        self.bump();
        let mut parts = Vec::new();
        let mut text = String::new();
        loop {
            match self.peek() {
                None => {
                    self.lost = true;
                    break;
                }
                Some('"' | '“' | '”') => {
                    self.bump();
                    if self.peek() != Some('"') {
                        break;
                    }
                    text.push('"');
                    self.bump();
                }
                Some(_) => self.filling(&mut parts, &mut text),
            }
        }
        parts.push(Part::Text(text));
        parts.retain(|part| *part != Part::Text(String::new()));
        Expression::Text(parts)
    }

    /// One letter of a text in double quotes, or what is put in there.
    fn filling(&mut self, parts: &mut Vec<Part>, text: &mut String) {
        match self.peek() {
            Some('`') => {
                self.bump();
                let letter = match self.peek() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('r') => '\r',
                    Some('0') => '\0',
                    other => other.unwrap_or('`'),
                };
                text.push(letter);
                self.bump();
            }
            Some('$') if self.second().is_some_and(|next| next.is_alphanumeric() || "_({".contains(next)) => {
                parts.push(Part::Text(std::mem::take(text)));
                let inserted = self.primary();
                parts.push(Part::Inserted(inserted));
            }
            letter => {
                text.extend(letter);
                self.bump();
            }
        }
    }

    fn here_text(&mut self) -> Expression {
        let filled = self.rest().starts_with("@\"");
        let mark = if filled { "\n\"@" } else { "\n'@" };
        let rest = self.rest();
        let Some(start) = rest.find('\n') else {
            self.lost = true;
            self.at = self.text.len();
            return Expression::text("");
        };
        let inner = rest.get(start..).unwrap_or_default();
        let Some(end) = inner.find(mark) else {
            self.lost = true;
            self.at = self.text.len();
            return Expression::text("");
        };
        let content = inner.get(1..end).unwrap_or_default();
        let behind = self.at + start + end + mark.len();
        if !filled {
            self.at = behind;
            return Expression::text(content);
        }
        let mut parts = Vec::new();
        let mut text = String::new();
        let stop = self.at + start + end;
        self.at += start + 1;
        while self.at < stop {
            self.filling(&mut parts, &mut text);
        }
        self.at = behind;
        parts.push(Part::Text(text));
        Expression::Text(parts)
    }

    /// The length of the number that comes next, unless a word begins with its digits.
    pub(super) fn number_length(&self) -> Option<usize> {
        let rest = self.rest();
        let hex = rest.get(..2).is_some_and(|head| head.eq_ignore_ascii_case("0x"));
        let start = if hex { 2 } else { 0 };
        let digits = rest.get(start..)?;
        let digit = |letter: char| if hex { letter.is_ascii_hexdigit() } else { letter.is_ascii_digit() };
        let mut end = start + digits.find(|letter: char| !digit(letter)).unwrap_or(digits.len());
        if end == start {
            return None;
        }
        let tail = rest.get(end..).unwrap_or_default();
        if let Some(fraction) = tail.strip_prefix('.')
            && fraction.starts_with(|letter: char| letter.is_ascii_digit())
        {
            end += 1 + fraction.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(fraction.len());
        }
        for unit in ["kb", "mb", "gb", "tb", "l", "d"] {
            if rest.get(end..end + unit.len()).is_some_and(|found| found.eq_ignore_ascii_case(unit)) {
                end += unit.len();
                break;
            }
        }
        let behind = rest.get(end..).and_then(|rest| rest.chars().next());
        let word = behind.is_some_and(|letter| letter.is_alphanumeric() || "_\\/:-@".contains(letter));
        let range = rest.get(end..).is_some_and(|rest| rest.starts_with(".."));
        let dotted = behind == Some('.') && !range;
        ((!word || self.in_arguments) && !dotted).then_some(end)
    }
}
