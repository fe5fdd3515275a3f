//! The trees of YAML, and so of JSON, as far as files of settings use them: maps and lists in lines or in brackets, texts
//! with or without quotes, blocks, anchors. A text that is none of this gives what can be made of it and never fails.

use std::collections::HashMap;

/// What stands at a place of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Node {
    /// Nothing.
    #[default]
    Empty,
    /// A text, a number, a truth.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in its order.
    Map(Vec<(String, Node)>),
}

/// Trees are read this deep.
const MAX_DEPTH: usize = 32;

/// A tree has at most so many nodes, those counted again that stand for an anchor.
const MAX_NODES: usize = 4096;

impl Node {
    /// Reads the first document of a text.
    pub(crate) fn read(text: &str) -> Self {
        let lines = text
            .lines()
            .skip_while(|line| line.starts_with("---") || line.starts_with('%') || is_blank(line))
            .take_while(|line| !line.starts_with("---") && !line.starts_with("..."))
            .map(str::to_owned)
            .collect();
        Reader { lines, at: 0, anchors: HashMap::new(), left: MAX_NODES }.block(0, 0)
    }

    /// What a map has under a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(pairs) => pairs.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The pairs of a map.
    pub(crate) fn pairs(&self) -> &[(String, Self)] {
        match self {
            Self::Map(pairs) => pairs,
            _ => &[],
        }
    }

    /// The elements of a list; a single thing is a list of one.
    pub(crate) fn elements(&self) -> &[Self] {
        match self {
            Self::List(nodes) => nodes,
            Self::Empty => &[],
            single => std::slice::from_ref(single),
        }
    }

    /// The text.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn size(&self) -> usize {
        1 + match self {
            Self::Empty | Self::Text(_) => 0,
            Self::List(nodes) => nodes.iter().map(Self::size).sum(),
            Self::Map(pairs) => pairs.iter().map(|(_, node)| node.size()).sum(),
        }
    }
}

struct Reader {
    lines: Vec<String>,
    at: usize,
    anchors: HashMap<String, Node>,
    /// How many more nodes there may be.
    left: usize,
}

impl Reader {
    /// The next line that says something.
    fn next(&mut self) -> Option<(usize, String)> {
        while let Some(line) = self.lines.get(self.at) {
            if !is_blank(line) {
                return Some((indent_of(line), line.trim().to_owned()));
            }
            self.at += 1;
        }
        None
    }

    /// A line gives way to another one, which is its rest: `- a: b` holds `a: b`.
    fn put_back(&mut self, indent: usize, rest: &str) {
        if let Some(line) = self.lines.get_mut(self.at) {
            *line = format!("{}{rest}", " ".repeat(indent));
        }
    }

    /// What the lines from here on hold that are indented at least so far.
    fn block(&mut self, least: usize, depth: usize) -> Node {
        let Some((indent, text)) = self.next().filter(|(indent, _)| *indent >= least) else { return Node::Empty };
        if depth >= MAX_DEPTH || self.left == 0 {
            self.at = self.lines.len();
            return Node::Empty;
        }
        self.left -= 1;
        if is_item(&text) {
            self.list(indent, depth)
        } else if pair(&text).is_some() {
            self.map(indent, depth)
        } else {
            self.at += 1;
            self.value(&text, least, depth)
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Node {
        let mut all = Vec::new();
        while let Some((here, text)) = self.next()
            && here == indent
            && is_item(&text)
            && self.left > 0
        {
            let rest = text.get(1..).unwrap_or_default();
            let inner = rest.trim_start();
            if inner.is_empty() {
                self.at += 1;
                all.push(self.block(indent + 1, depth + 1));
            } else if is_item(inner) || pair(inner).is_some() {
                let deeper = indent + 1 + rest.len() - inner.len();
                self.put_back(deeper, inner);
                all.push(self.block(deeper, depth + 1));
            } else {
                self.at += 1;
                all.push(self.value(inner, indent + 1, depth + 1));
            }
        }
        Node::List(all)
    }

    fn map(&mut self, indent: usize, depth: usize) -> Node {
        let mut all: Vec<(String, Node)> = Vec::new();
        while let Some((here, text)) = self.next()
            && here == indent
            && let Some((key, rest)) = pair(&text)
            && self.left > 0
        {
            self.at += 1;
            // The items of a list may stand as deep as its key.
            let beside = self.next().is_some_and(|(here, text)| here == indent && is_item(&text));
            let least = if beside && rest.is_empty() { indent } else { indent + 1 };
            let node = self.value(rest, least, depth + 1);
            match (key.as_str(), node) {
                ("<<", Node::Map(merged)) => {
                    all.extend(
                        merged
                            .into_iter()
                            .filter(|(name, _)| !all.iter().any(|(own, _)| own == name))
                            .collect::<Vec<_>>(),
                    );
                }
                (_, node) => {
                    all.retain(|(name, _)| *name != key);
                    all.push((key, node));
                }
            }
        }
        // A line that is no part of a map ends it, and is looked at no more.
        if self.next().is_some_and(|(here, _)| here > indent) {
            self.at += 1;
        }
        Node::Map(all)
    }

    /// What stands behind a key or a dash, on the line or below it.
    fn value(&mut self, text: &str, least: usize, depth: usize) -> Node {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || depth >= MAX_DEPTH {
            return Node::Empty;
        }
        let text = without_comment(text).trim();
        if let Some(rest) = text.strip_prefix('&') {
            let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let node = self.value(rest.trim(), least, depth + 1);
            self.anchors.insert(name.to_owned(), node.clone());
            return node;
        }
        if let Some(name) = text.strip_prefix('*') {
            let node = self.anchors.get(name).cloned().unwrap_or_default();
            self.left = self.left.saturating_sub(node.size());
            return if self.left == 0 { Node::Empty } else { node };
        }
        if let Some(rest) = text.strip_prefix('!') {
            let rest = rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
            return self.value(rest, least, depth + 1);
        }
        match text.chars().next() {
            None => self.block(least, depth),
            Some('|') => Node::Text(self.lines_below(least, "\n")),
            Some('>') => Node::Text(self.lines_below(least, " ")),
            Some('[' | '{') => self.flow(text, depth),
            Some(quote @ ('"' | '\'')) => {
                let mut whole = text.to_owned();
                while closing(&whole, quote).is_none() && self.at < self.lines.len() {
                    whole.push(' ');
                    whole.push_str(self.lines.get(self.at).map_or("", |line| line.trim()));
                    self.at += 1;
                }
                Node::Text(unquoted(&whole, quote))
            }
            Some(_) => {
                // A text without quotes goes on in lines that are indented deeper.
                let mut whole = text.to_owned();
                while let Some((here, more)) = self.next()
                    && here >= least
                    && least > 0
                {
                    whole.push(' ');
                    whole.push_str(without_comment(&more).trim());
                    self.at += 1;
                }
                Node::Text(whole)
            }
        }
    }

    fn lines_below(&mut self, least: usize, mark: &str) -> String {
        let from = self.at;
        while self.lines.get(self.at).is_some_and(|line| line.trim().is_empty() || indent_of(line) >= least) {
            self.at += 1;
        }
        let inside = self.lines.get(from..self.at).unwrap_or_default();
        let cut = inside.iter().filter(|line| !line.trim().is_empty()).map(|line| indent_of(line)).min().unwrap_or(0);
        inside.iter().map(|line| line.get(cut..).unwrap_or_default()).collect::<Vec<_>>().join(mark)
    }

    /// What stands in brackets, which may close lines later.
    fn flow(&mut self, text: &str, depth: usize) -> Node {
        let mut whole = text.to_owned();
        while let Some(line) = self.lines.get(self.at)
            && is_open(&whole)
        {
            whole.push('\n');
            whole.push_str(without_comment(line));
            self.at += 1;
        }
        let mut letters = Flow { rest: &whole, left: &mut self.left };
        letters.node(depth)
    }
}

/// What stands in brackets and braces.
struct Flow<'t, 'l> {
    rest: &'t str,
    left: &'l mut usize,
}

impl Flow<'_, '_> {
    fn step(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn node(&mut self, depth: usize) -> Node {
        *self.left = self.left.saturating_sub(1);
        if *self.left == 0 || depth >= MAX_DEPTH {
            self.rest = "";
            return Node::Empty;
        }
        if self.step('[') {
            let mut all = Vec::new();
            while !self.step(']') && !self.rest.is_empty() {
                all.push(self.node(depth + 1));
                if !self.step(',') && !self.rest.starts_with(']') && self.rest.starts_with([':', '}']) {
                    self.rest = self.rest.get(1..).unwrap_or_default();
                }
            }
            return Node::List(all);
        }
        if self.step('{') {
            let mut all = Vec::new();
            while !self.step('}') && !self.rest.is_empty() {
                let key = self.word(true);
                let node = if self.step(':') { self.node(depth + 1) } else { Node::Empty };
                all.push((key, node));
                if !self.step(',') && self.rest.starts_with(']') {
                    self.rest = self.rest.get(1..).unwrap_or_default();
                }
                *self.left = self.left.saturating_sub(1);
                if *self.left == 0 {
                    self.rest = "";
                }
            }
            return Node::Map(all);
        }
        Node::Text(self.word(false))
    }

    /// A text; as a key it ends before a colon.
    fn word(&mut self, is_key: bool) -> String {
        self.rest = self.rest.trim_start();
        if let Some(quote) = self.rest.chars().next().filter(|letter| matches!(letter, '"' | '\'')) {
            let end = closing(self.rest, quote).map_or(self.rest.len(), |at| at + 1);
            let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
            self.rest = rest;
            return unquoted(word, quote);
        }
        let ends = |(at, letter): (usize, char)| {
            let spaced = || {
                self.rest
                    .get(at + 1..)
                    .is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', '\n', '{', '[', '"']))
            };
            matches!(letter, ',' | ']' | '}') || letter == ':' && is_key && spaced()
        };
        let end = self.rest.char_indices().find(|found| ends(*found)).map_or(self.rest.len(), |(at, _)| at);
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        word.trim().to_owned()
    }
}

fn is_blank(line: &str) -> bool {
    let text = line.trim_start();
    text.is_empty() || text.starts_with('#')
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// The key and the rest of `key: value`.
fn pair(text: &str) -> Option<(String, &str)> {
    if let Some(quote) = text.chars().next().filter(|letter| matches!(letter, '"' | '\'')) {
        let end = closing(text, quote)?;
        let rest = text.get(end + 1..)?.trim_start().strip_prefix(':')?;
        return Some((unquoted(text.get(..=end)?, quote), rest.trim()));
    }
    if text.starts_with(['[', '{', '|', '>']) {
        return None;
    }
    let at = text.char_indices().find(|(at, letter)| {
        *letter == ':' && text.get(at + 1..).is_none_or(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    })?;
    Some((text.get(..at.0)?.trim().to_owned(), text.get(at.0 + 1..)?.trim()))
}

/// Where a quoted text ends that begins with this quote.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if quote == '"' => {
                letters.next();
            }
            '\'' if quote == '\'' && letters.peek().is_some_and(|(_, next)| *next == '\'') => {
                letters.next();
            }
            letter if letter == quote => return Some(at),
            _ => {}
        }
    }
    None
}

/// A text without the quotes around it.
fn unquoted(text: &str, quote: char) -> String {
    let end = closing(text, quote).unwrap_or(text.len());
    let inside = text.get(1..end).unwrap_or_default();
    if quote == '\'' {
        return inside.replace("''", "'");
    }
    let mut all = String::new();
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => all.extend(letters.next().map(|letter| match letter {
                'n' => '\n',
                't' => '\t',
                letter => letter,
            })),
            letter => all.push(letter),
        }
    }
    all
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') if before.is_whitespace() => return line.get(..at).unwrap_or_default(),
            // Within a word, it is an apostrophe.
            (None, '"' | '\'') if !before.is_alphanumeric() => quote = Some(letter),
            (Some(open), letter) if letter == open => quote = None,
            _ => {}
        }
        before = letter;
    }
    line
}

/// Whether brackets are open at the end of a text.
fn is_open(text: &str) -> bool {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for letter in text.chars() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    depth > 0 || quote.is_some()
}

#[cfg(test)]
mod tests {
    use super::{MAX_NODES, Node};

    /// The tree in the notation of JSON, without quotes.
    fn shown(node: &Node) -> String {
        match node {
            Node::Empty => "~".to_owned(),
            Node::Text(text) => text.clone(),
            Node::List(nodes) => format!("[{}]", nodes.iter().map(shown).collect::<Vec<_>>().join(",")),
            Node::Map(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|(key, node)| format!("{key}:{}", shown(node))).collect();
                format!("{{{}}}", pairs.join(","))
            }
        }
    }

    #[track_caller]
    fn check(text: &str, tree: &str) {
        assert_eq!(shown(&Node::read(text)), tree, "{text:?}");
    }

    #[test]
    fn maps_and_lists_are_read_in_lines() {
        check("a: b\nc:\n  d: e # f\n  g: 'h #'\n", "{a:b,c:{d:e,g:h #}}");
        check("a:\n- b\n- c\nd: e\n", "{a:[b,c],d:e}");
        check("a:\n  - b: c\n    d: e\n  - f\n", "{a:[{b:c,d:e},f]}");
        check("- - a\n  - b\n-\n  c: d\n", "[[a,b],{c:d}]");
        check(
            "services:\n c:\n  image: x:1\n  volumes: [\".:/w\"]\n  command: rm -rf /w\n",
            "{services:{c:{image:x:1,volumes:[.:/w],command:rm -rf /w}}}",
        );
    }

    #[test]
    fn brackets_blocks_and_quotes_are_read() {
        check("{a: [b, \"c\", {d: e}], f: 'g''h', \"i\":{\"j\":\"k\"}}", "{a:[b,c,{d:e}],f:g'h,i:{j:k}}");
        check("a: [\n  b,\n  c,\n]\nd: {e: f,\n  g: h}\n", "{a:[b,c],d:{e:f,g:h}}");
        check("a: |\n  b\n    c\nd: >-\n  e\n  f\ng: \"h\\ti\"\n", "{a:b\n  c,d:e f,g:h\ti}");
        check("a: b\n  c\nd: \"e\n  f\"\n", "{a:b c,d:e f}");
    }

    #[test]
    fn anchors_stand_for_what_they_name() {
        check("x: &x\n  a: b\n  c: d\ny:\n  <<: *x\n  a: e\nz: *x\n", "{x:{a:b,c:d},y:{c:d,a:e},z:{a:b,c:d}}");
        check("a: *nothing\nb: !tag c\n", "{a:~,b:c}");
        let bomb: String =
            (1..20).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(","))).collect();
        assert!(Node::read(&format!("a0: &a0 x\n{bomb}")).size() <= 2 * MAX_NODES);
    }

    #[test]
    fn anything_else_is_read_as_far_as_it_goes() {
        for text in [
            "",
            ":",
            "- ",
            "[",
            "{a",
            "{a: [}",
            "a: [b}",
            "\"",
            "a: '",
            "a:\n b\n  c: d\n e",
            "|",
            "? x",
            "&",
            "*",
            "{{{{",
            "]",
            "a: |",
        ] {
            let _ = Node::read(text);
        }
        let _ = Node::read(&"[".repeat(9000));
        let _ = Node::read(&"- ".repeat(9000));
        let _ = Node::read(&"a:\n".repeat(9000));
    }
}
