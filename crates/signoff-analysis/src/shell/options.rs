//! Options as programs read them: clustered, separated, long, abbreviated, and ended by `--`.

use crate::value::Arg;

/// How a program reads its options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax {
    /// Short options that take a value, each a character.
    pub short_values: &'static str,
    /// Long options that take a value, without dashes. They may be abbreviated.
    pub long_values: &'static [&'static str],
    /// Long options without a value that matter to the caller, so that abbreviations of them are recognised.
    pub long_flags: &'static [&'static str],
    /// Whether the first operand ends the options (`sudo`, `env`, `timeout`, `xargs`, …).
    pub stops_at_operand: bool,
    /// Whether a single dash begins a long option (`terraform -auto-approve`, `find -delete`, `java -jar`).
    pub single_dash_long: bool,
}

/// One option as it was given.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    /// Its name: one character for a short option, the full word for a long one; without dashes.
    pub name: String,
    /// Its value: the next argument, or what follows `=` or the letter.
    pub value: Option<Arg>,
    /// The argument that it stands in.
    pub arg: &'a Arg,
}

/// Arguments read as options and operands.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The options in order.
    pub given: Vec<Given<'a>>,
    /// The operands in order.
    pub operands: Vec<&'a Arg>,
    /// The index, in the arguments, of the first operand; the length if there is none.
    pub first_operand: usize,
    /// Whether some argument is unknown and might be an option.
    pub uncertain: bool,
}

impl<'a> Options<'a> {
    /// Reads arguments (without the program itself).
    pub fn read(args: &'a [Arg], syntax: &Syntax) -> Self {
        let mut options = Self { first_operand: args.len(), ..Self::default() };
        let mut rest = args.iter().enumerate();
        let mut ended = false;
        while let Some((index, arg)) = rest.next() {
            let text = arg.value.prefix();
            let is_operand = ended || !text.starts_with('-') || text == "-" && arg.known() == Some("-");
            if is_operand {
                if !ended && text.is_empty() && arg.value.has_unknown() {
                    options.uncertain = true;
                }
                options.first_operand = options.first_operand.min(index);
                options.operands.push(arg);
                if syntax.stops_at_operand {
                    ended = true;
                }
                continue;
            }
            if arg.known() == Some("--") {
                ended = true;
                continue;
            }
            if let Some(body) = text.strip_prefix("--") {
                options.read_long(body, arg, &mut rest, syntax);
            } else if syntax.single_dash_long && text.len() > 2 {
                options.read_long(text.trim_start_matches('-'), arg, &mut rest, syntax);
            } else {
                options.read_cluster(arg, &mut rest, syntax);
            }
        }
        options
    }

    fn read_long(
        &mut self,
        body: &str,
        arg: &'a Arg,
        rest: &mut impl Iterator<Item = (usize, &'a Arg)>,
        syntax: &Syntax,
    ) {
        let (name, inline) = match body.split_once('=') {
            Some((name, _)) => (name, Some(behind(arg, "="))),
            None => (body, None),
        };
        let full = complete(name, syntax);
        let takes = syntax.long_values.contains(&full);
        let value = match inline {
            Some(value) => Some(value),
            None if takes => rest.next().map(|(_, next)| next.clone()),
            None => None,
        };
        self.given.push(Given { name: full.to_owned(), value, arg });
    }

    fn read_cluster(&mut self, arg: &'a Arg, rest: &mut impl Iterator<Item = (usize, &'a Arg)>, syntax: &Syntax) {
        let text = arg.value.prefix();
        let letters = text.char_indices().skip(1);
        for (at, letter) in letters {
            let mut value = None;
            if syntax.short_values.contains(letter) {
                let after = at + letter.len_utf8();
                let attached = Arg { value: strip(&arg.value, after), span: arg.span };
                value =
                    if attached.value.is_empty() { rest.next().map(|(_, next)| next.clone()) } else { Some(attached) };
                self.given.push(Given { name: letter.to_string(), value, arg });
                return;
            }
            self.given.push(Given { name: letter.to_string(), value: value.take(), arg });
        }
        if arg.value.has_unknown() {
            self.uncertain = true;
        }
    }

    /// Whether one of these options was given; short ones by their letter, long ones by their word.
    pub fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name.as_str()))
    }

    /// The last value of one of these options.
    pub fn value(&self, names: &[&str]) -> Option<&Arg> {
        self.given
            .iter()
            .rev()
            .find(|given| names.contains(&given.name.as_str()))
            .and_then(|given| given.value.as_ref())
    }

    /// Every value of one of these options.
    pub fn values(&self, names: &[&str]) -> impl Iterator<Item = &Arg> {
        self.given
            .iter()
            .filter(move |given| names.contains(&given.name.as_str()))
            .filter_map(|given| given.value.as_ref())
    }

    /// The known text of the operand at this position.
    pub fn operand(&self, index: usize) -> Option<&str> {
        self.operands.get(index).and_then(|arg| arg.known())
    }
}

/// The full word that an abbreviation of a long option stands for.
fn complete<'n>(name: &'n str, syntax: &Syntax) -> &'n str {
    if name.len() < 3 || syntax.long_values.contains(&name) || syntax.long_flags.contains(&name) {
        return name;
    }
    let mut candidates = syntax.long_values.iter().chain(syntax.long_flags).filter(|full| full.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (Some(full), None) => full,
        _ => name,
    }
}

/// What follows the first `mark` in an argument.
fn behind(arg: &Arg, mark: &str) -> Arg {
    let at = arg.value.prefix().find(mark).map_or(0, |at| at + mark.len());
    Arg { value: strip(&arg.value, at), span: arg.span }
}

/// A value without the first `bytes` of its leading text.
pub fn strip(value: &crate::value::Value, bytes: usize) -> crate::value::Value {
    use crate::value::{Piece, Value};
    let mut rest = Value::default();
    for (index, piece) in value.pieces().iter().enumerate() {
        match piece {
            Piece::Text(text) if index == 0 => rest.push(Piece::text(text.get(bytes..).unwrap_or_default())),
            piece => rest.push(piece.clone()),
        }
    }
    rest
}
