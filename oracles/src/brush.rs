//! What `brush-parser` sees. Its words are strings that are parsed on demand, so the walk descends into them.

use brush_parser::{Parser, ParserOptions, word};

use crate::debug_text::Node;

/// The commands of a text, each as its words; none if brush refuses it.
pub(crate) fn commands(text: &str) -> Option<Vec<Vec<String>>> {
    let mut walk = Walk { options: ParserOptions::default(), commands: Vec::new(), refused: false };
    walk.script(text);
    (!walk.refused).then_some(walk.commands)
}

struct Walk {
    options: ParserOptions,
    commands: Vec<Vec<String>>,
    refused: bool,
}

impl Walk {
    fn script(&mut self, text: &str) {
        match Parser::new(std::io::Cursor::new(text.as_bytes()), &self.options).parse_program() {
            Ok(program) => self.node(&Node::of(&program)),
            Err(_) => self.refused = true,
        }
    }

    fn word(&mut self, text: &str) {
        match word::parse(text, &self.options) {
            Ok(pieces) => self.node(&Node::of(&pieces)),
            Err(_) => self.refused = true,
        }
    }

    fn node(&mut self, node: &Node) {
        match node.name.as_str() {
            "SimpleCommand" => self.simple(node),
            "Word" | "UnexpandedArithmeticExpr" => {
                if let Some(value) = node.field("value") {
                    self.word(&value.name);
                    return;
                }
            }
            "IoHereDocument" => {
                let expands = node.field("requires_expansion").is_some_and(|expands| expands.name == "true");
                let body = node.field("doc").and_then(|doc| doc.field("value")).filter(|_| expands);
                if let Some(body) = body {
                    match word::parse_heredoc(&body.name, &self.options) {
                        Ok(pieces) => self.node(&Node::of(&pieces)),
                        Err(_) => self.refused = true,
                    }
                }
                return;
            }
            // The second value is the same assignment as a word.
            "AssignmentWord" => {
                node.child(0).into_iter().for_each(|assignment| self.node(assignment));
                return;
            }
            "ArrayElementName" => {
                node.child(1).into_iter().for_each(|index| self.word(&index.name));
                return;
            }
            "FunctionDefinition" => {
                node.field("body").into_iter().for_each(|body| self.node(body));
                return;
            }
            "Coprocess" => {
                let body = node.child(0).and_then(|command| command.field("body"));
                body.into_iter().for_each(|body| self.node(body));
                return;
            }
            "CommandSubstitution" | "BackquotedCommandSubstitution" => {
                node.child(0).into_iter().for_each(|inside| self.script(&inside.name));
                return;
            }
            "ParameterExpansion" => return self.operands(node),
            _ => {}
        }
        for (_, child) in &node.children {
            self.node(child);
        }
    }

    /// The words in a parameter expansion are plain strings.
    fn operands(&mut self, node: &Node) {
        for (field, child) in &node.children {
            let operand = matches!(
                field.as_str(),
                "default_value" | "alternative_value" | "error_message" | "pattern" | "replacement" | "index"
            );
            match child.child(0).filter(|_| operand && child.name == "Some").unwrap_or(child) {
                text if operand && text.is_string => self.word(&text.name),
                arithmetic if arithmetic.name == "UnexpandedArithmeticExpr" => self.node(arithmetic),
                other => self.operands(other),
            }
        }
    }

    fn simple(&mut self, node: &Node) {
        let value = |word: &Node| word.field("value").map(|value| value.name.clone());
        let Some(name) = node.field("word_or_name").and_then(|name| name.child(0)).and_then(value) else { return };
        let mut words = vec![name];
        let suffix = node.field("suffix").and_then(|suffix| suffix.child(0)).and_then(|items| items.child(0));
        for (_, item) in suffix.map(|items| items.children.as_slice()).unwrap_or_default() {
            let word = match item.name.as_str() {
                "Word" => item.child(0),
                "AssignmentWord" => item.child(1),
                _ => None,
            };
            words.extend(word.and_then(value));
        }
        self.commands.push(words);
    }
}
