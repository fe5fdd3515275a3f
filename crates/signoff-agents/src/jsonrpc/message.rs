//! One message, read as far as a door has to know it: its method, its id, and where its parts lie. Whatever two readers could read in two
//! ways is a fault: what one of them takes for a ping may be a call for the other.

use std::{borrow::Cow, fmt};

use serde::{
    Deserializer as _,
    de::{self, IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// Why a message is not passed on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is no text.
    #[error("it is not UTF-8")]
    NotText,
    /// It is no JSON, or not only that.
    #[error("it is no JSON: {0}")]
    NotJson(String),
    /// Several messages at once.
    #[error("several messages in one array are not taken; send each by itself")]
    Batch,
    /// Something else than a message.
    #[error("it is no JSON object")]
    NotAnObject,
    /// Some readers end a line there.
    #[error("there is a carriage return inside of it")]
    SeveralLines,
    /// Something is wrong with a name: it stands there twice, or in a spelling that some readers take for it.
    #[error("{0}")]
    Name(String),
    /// A part of it is something else than it has to be.
    #[error("`{0}` is not what it has to be")]
    Wrong(&'static str),
}

/// What tells a request from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

impl Id {
    fn read(raw: &RawValue) -> Option<Self> {
        match serde_json::from_str(raw.get()).ok()? {
            serde_json::Value::Number(number) => number.as_i64().map(Self::Number),
            serde_json::Value::String(text) => Some(Self::Text(text)),
            _ => None,
        }
    }
}

/// A message.
#[derive(Debug)]
pub struct Message<'m> {
    /// What is wanted or told; none in an answer.
    pub method: Option<String>,
    /// The id, where it is one that everybody takes for the same.
    pub id: Option<Id>,
    /// The id as it stands there.
    pub raw_id: Option<&'m RawValue>,
    /// What the method is given.
    pub params: Option<&'m RawValue>,
    /// What came of a request.
    pub result: Option<&'m RawValue>,
    /// Whether it says that a request has failed.
    pub failed: bool,
}

/// The parts that have a meaning.
const PARTS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

impl<'m> Message<'m> {
    /// Reads a line, without its end.
    ///
    /// # Errors
    ///
    /// When it is not one message, or one that others could read in another way.
    pub fn read(line: &'m [u8]) -> Result<Self, Fault> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = str::from_utf8(line).map_err(|_| Fault::NotText)?;
        match text.trim_start_matches([' ', '\t']).bytes().next() {
            Some(b'{') => {}
            Some(b'[') => return Err(Fault::Batch),
            _ => return Err(Fault::NotAnObject),
        }
        // Strings hold none, so it stands between the parts: Python reads three lines where there is `\r` twice.
        if text.contains('\r') {
            return Err(Fault::SeveralLines);
        }
        let fields = Fields::read(text, &PARTS)?;
        let method = match fields.get("method") {
            None => None,
            Some(raw) => Some(serde_json::from_str(raw.get()).map_err(|_| Fault::Wrong("method"))?),
        };
        let raw_id = fields.get("id");
        Ok(Self {
            method,
            id: raw_id.and_then(Id::read),
            raw_id,
            params: fields.get("params"),
            result: fields.get("result"),
            failed: fields.get("error").is_some(),
        })
    }
}

/// The parts of an object that have a meaning, where they stand.
#[derive(Debug)]
pub struct Fields<'m> {
    known: Vec<(&'static str, &'m RawValue)>,
    others: Vec<(String, &'m RawValue)>,
}

impl<'m> Fields<'m> {
    /// Reads an object.
    ///
    /// # Errors
    ///
    /// When it is none, when one of these names stands there twice, or something that some readers take for it.
    pub fn read(text: &'m str, names: &[&'static str]) -> Result<Self, Fault> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = reader.deserialize_map(FieldsVisitor { names });
        let fields = read.and_then(|fields| reader.end().map(|()| fields));
        fields.map_err(|error| match error.is_data() {
            true => Fault::Name(without_place(&error.to_string())),
            false => Fault::NotJson(error.to_string()),
        })
    }

    /// A part, where it stands.
    pub fn get(&self, name: &str) -> Option<&'m RawValue> {
        self.known.iter().find(|(known, _)| *known == name).map(|(_, raw)| *raw)
    }

    /// What else stands there.
    pub fn others(&self) -> &[(String, &'m RawValue)] {
        &self.others
    }
}

fn without_place(said: &str) -> String {
    said.rsplit_once(" at line ").map_or(said, |(said, _)| said).to_owned()
}

struct FieldsVisitor<'n> {
    names: &'n [&'static str],
}

impl<'de> Visitor<'de> for FieldsVisitor<'_> {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields<'de>, A::Error> {
        let mut fields = Fields { known: Vec::new(), others: Vec::new() };
        while let Some(key) = entries.next_key::<Cow<'de, str>>()? {
            let Some(name) = self.names.iter().find(|name| **name == key).copied() else {
                if let Some(name) = self.names.iter().find(|name| folded(&key) == **name) {
                    return Err(de::Error::custom(format!("some readers take `{}` for `{name}`", key.escape_debug())));
                }
                if fields.others.iter().any(|(other, _)| *other == *key) {
                    return Err(de::Error::custom(format!("`{}` stands there twice", key.escape_debug())));
                }
                // So many have no meaning for anybody.
                if fields.others.len() >= OTHERS_AT_MOST {
                    entries.next_value::<IgnoredAny>()?;
                    return Err(de::Error::custom("it has too many parts"));
                }
                fields.others.push((key.into_owned(), entries.next_value()?));
                continue;
            };
            if fields.get(name).is_some() {
                return Err(de::Error::custom(format!("`{name}` stands there twice")));
            }
            fields.known.push((name, entries.next_value()?));
        }
        Ok(fields)
    }
}

/// More parts without a meaning are a fault.
const OTHERS_AT_MOST: usize = 64;

/// A name as readers see it for whom upper and lower case are the same, as Go's are: with two signs that are not ASCII.
fn folded(name: &str) -> String {
    let fold = |letter: char| match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        other => other.to_ascii_lowercase(),
    };
    name.chars().map(fold).collect()
}

/// Whether a line holds nothing.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The same message where every reader sees one line: characters at which some end a line can only stand in texts, and are written there in
/// the other way that JSON has for them.
pub(super) fn on_one_line(line: &[u8]) -> Cow<'_, [u8]> {
    // U+0085, U+2028 and U+2029.
    let has = line.windows(2).any(|pair| pair == [0xc2, 0x85] || pair == [0xe2, 0x80]);
    let Some(text) = has.then(|| str::from_utf8(line).ok()).flatten() else { return Cow::Borrowed(line) };
    if !text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return Cow::Borrowed(line);
    }
    let text = text.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    Cow::Owned(text.into_bytes())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn parts_are_found_as_they_stand() {
        let line = b" {\"jsonrpc\":\"2.0\", \"id\" : \"\\u0061\", \"method\":\"tools\\/call\",\"params\":{ \"a\": 1 },\"x\":[]}\r\n";
        let message = Message::read(line).unwrap();
        assert_eq!(message.method.as_deref(), Some("tools/call"));
        assert_eq!((message.id, message.raw_id.unwrap().get()), (Some(Id::Text("a".to_owned())), "\"\\u0061\""));
        assert_eq!(message.params.unwrap().get(), "{ \"a\": 1 }");
        let answer = Message::read(br#"{"id":7,"error":{"code":1}}"#).unwrap();
        assert_eq!((answer.method, answer.id, answer.failed), (None, Some(Id::Number(7)), true));
        let deep = format!(r#"{{"result":{}{}}}"#, "[".repeat(90_000), "]".repeat(90_000));
        assert!(Message::read(deep.as_bytes()).unwrap().result.is_some());
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_a_fault() {
        let fault = |text: &[u8]| Message::read(text).unwrap_err();
        for (text, words) in [
            (r#"{"method":"ping","method":"tools/call"}"#, "`method` stands there twice"),
            (r#"{"method":"ping","Method":"tools/call"}"#, "take `Method` for `method`"),
            (r#"{"method":"ping","m\u0065thod":"tools/call"}"#, "`method` stands there twice"),
            ("{\"method\":\"ping\",\"param\u{17f}\":{}}", "for `params`"),
            (r#"{"id":1,"ID":2}"#, "take `ID` for `id`"),
            (r#"{"x":1,"x":2}"#, "stands there twice"),
            (r#"{"method":"ping"} {"method":"tools/call"}"#, "no JSON"),
            (r#"{"method":"ping""#, "no JSON"),
            ("", "no JSON object"),
            ("\u{feff}{}", "no JSON object"),
            ("null", "no JSON object"),
            (r#"[{"method":"tools/call"}]"#, "several messages"),
            ("{\"x\":\r{\"method\":\"tools/call\"}\r}", "carriage return"),
            (r#"{"method":["tools/call"]}"#, "`method` is not"),
            (r#"{"method":null}"#, "`method` is not"),
        ] {
            let said = fault(text.as_bytes()).to_string();
            assert!(said.contains(words), "{text}: {said}");
        }
        assert_eq!(fault(b"{\"method\":\"\xff\"}"), Fault::NotText);
    }

    #[test]
    fn ids_are_what_everybody_takes_for_the_same() {
        let id = |text: &str| Message::read(format!(r#"{{"id":{text}}}"#).as_bytes()).unwrap().id;
        assert_eq!(id("-3"), Some(Id::Number(-3)));
        for other in ["null", "1.0", "1e3", "true", "[1]", "{}", "99999999999999999999"] {
            assert_eq!(id(other), None, "{other}");
        }
    }

    #[test]
    fn a_message_is_one_line_for_everybody() {
        let same = "{\"x\":\"\u{2014} é\"}\n".as_bytes();
        assert!(matches!(on_one_line(same), Cow::Borrowed(line) if line == same));
        let split = "{\"x\":\"a\u{2028}b\u{85}c\u{2029}\"}\n";
        let one: serde_json::Value = serde_json::from_slice(&on_one_line(split.as_bytes())).unwrap();
        assert_eq!(one, serde_json::from_str::<serde_json::Value>(split).unwrap());
        assert!(on_one_line(split.as_bytes()).is_ascii());
    }
}
