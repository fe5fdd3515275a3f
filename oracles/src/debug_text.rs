//! Reads what `{:?}` prints. The trees of other parsers are large and change with every release; all that is wanted of
//! them is a few nodes by name, and their debug text has those in one uniform shape.

use std::iter::Peekable;
use std::str::Chars;

/// One value of a debug text.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// The name of the struct or variant, a number, or the text of a string.
    pub(crate) name: String,
    /// Whether it is a string.
    pub(crate) is_string: bool,
    /// What is in it: with a name in a struct, without one in a tuple or list.
    pub(crate) children: Vec<(String, Node)>,
}

impl Node {
    pub(crate) fn of(value: &impl std::fmt::Debug) -> Self {
        let text = format!("{value:?}");
        Reader { rest: text.chars().peekable() }.value()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|(field, _)| field == name).map(|(_, node)| node)
    }

    pub(crate) fn child(&self, at: usize) -> Option<&Node> {
        self.children.get(at).map(|(_, node)| node)
    }
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    fn blanks(&mut self) {
        while self.rest.next_if(|character| character.is_whitespace()).is_some() {}
    }

    fn value(&mut self) -> Node {
        self.blanks();
        let mut node = Node::default();
        if let Some(quote) = self.rest.next_if(|character| matches!(character, '"' | '\'')) {
            node.name = self.string(quote);
            node.is_string = true;
            return node;
        }
        while let Some(character) = self.rest.next_if(|character| !" ,:{}()[]\n".contains(*character)) {
            node.name.push(character);
        }
        self.blanks();
        if let Some(open) = self.rest.next_if(|character| matches!(character, '{' | '(' | '[')) {
            self.children(
                if open == '{' {
                    '}'
                } else if open == '(' {
                    ')'
                } else {
                    ']'
                },
                &mut node,
            );
        }
        node
    }

    fn children(&mut self, close: char, node: &mut Node) {
        loop {
            self.blanks();
            match self.rest.peek() {
                None => return,
                Some(character) if *character == close => {
                    self.rest.next();
                    return;
                }
                Some(',') => {
                    self.rest.next();
                    continue;
                }
                Some(_) => {}
            }
            let value = self.value();
            self.blanks();
            if self.rest.next_if_eq(&':').is_some() {
                let named = self.value();
                node.children.push((value.name, named));
            } else {
                node.children.push((String::new(), value));
            }
        }
    }

    fn string(&mut self, quote: char) -> String {
        let mut text = String::new();
        while let Some(character) = self.rest.next() {
            match character {
                '\\' => match self.rest.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('0') => text.push('\0'),
                    Some('u') => {
                        let digits: String = self.rest.by_ref().skip(1).take_while(|digit| *digit != '}').collect();
                        text.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
                    }
                    Some(other) => text.push(other),
                    None => {}
                },
                _ if character == quote => break,
                _ => text.push(character),
            }
        }
        text
    }
}
