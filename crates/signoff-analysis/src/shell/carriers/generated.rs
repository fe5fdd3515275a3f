//! `go generate` runs the commands in the comments of the sources: `//go:generate stringer -type=Pill`.

use super::{Call, Shell, Written};
use crate::value::Arg;

/// More files, and more commands of one of them, are not looked at.
const MAX_SOURCES: usize = 64;
const MAX_COMMANDS: usize = 64;

impl Shell<'_> {
    /// Runs what the sources of Go that the text has written hold for `go generate`.
    pub(super) fn generate(&mut self, call: &Call) {
        if !call.has_any(&["generate"]) || call.has_any(&["-n", "-h", "--help"]) {
            return;
        }
        let mut sources: Vec<(String, String)> = self
            .state
            .written
            .iter()
            .filter(|(path, _)| path.ends_with(".go"))
            .flat_map(|(path, written)| texts(written).into_iter().map(|text| (path.to_owned(), text)))
            .collect();
        sources.sort();
        for (path, text) in self.first_of(sources, MAX_SOURCES, call.span) {
            let (directory, file) = path.rsplit_once('/').unwrap_or(("", &path));
            let commands = commands(&text, file);
            for words in self.first_of(commands, MAX_COMMANDS, call.span) {
                let argv: Vec<Arg> = words.into_iter().map(|word| Arg::text(word, call.span)).collect();
                self.subshell(|shell| {
                    shell.go_to(Arg::text(directory, call.span), call.span);
                    shell.run(&argv, call.stdin.clone(), call.span)
                });
            }
        }
    }
}

/// The texts that the text has put into a file.
fn texts(written: &Written) -> Vec<String> {
    let mut all = Vec::new();
    for one in written.alternatives() {
        match one {
            Written::Content(feed) => {
                all.extend(feed.text.iter().chain(feed.alternatives()).map(|text| text.shown().into_owned()));
            }
            Written::Edited(texts) => all.extend(texts.iter().map(|text| text.shown().into_owned())),
            _ => {}
        }
    }
    all
}

/// The commands of a source, each as its words. `-command name words…` gives words a name for the lines below.
fn commands(text: &str, file: &str) -> Vec<Vec<String>> {
    let mut names: Vec<(String, Vec<String>)> = Vec::new();
    let mut all = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//go:generate")) {
        if !line.starts_with([' ', '\t']) {
            continue;
        }
        let mut words = words(line, file);
        if let [first, name, rest @ ..] = words.as_slice()
            && first == "-command"
        {
            names.push((name.clone(), rest.to_vec()));
            continue;
        }
        let named = words.first().and_then(|first| names.iter().rev().find(|(name, _)| name == first));
        if let Some((_, meant)) = named {
            words.splice(..1, meant.iter().cloned());
        }
        if !words.is_empty() {
            all.push(words);
        }
    }
    all
}

/// The words of a line: apart by spaces or in double quotes, with the variables that go itself sets. No shell reads them.
fn words(line: &str, file: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => word.get_or_insert_default().extend(letters.next()),
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            letter if letter.is_whitespace() && !quoted => all.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    all.extend(word);
    let set = |word: String| match word.contains('$') {
        true => word
            .replace("${GOFILE}", file)
            .replace("$GOFILE", file)
            .replace("${DOLLAR}", "\u{1}")
            .replace("$DOLLAR", "\u{1}")
            .replace('\u{1}', "$"),
        false => word,
    };
    all.into_iter().map(set).collect()
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn the_commands_of_a_source_are_found() {
        let text = "package a\n//go:generate rm -rf \"a b\" $GOFILE\n// go:generate not this\n //go:generate nor this\n\
            //go:generate -command foo rm -r\n//go:generate foo x\n//go:generated\n";
        assert_eq!(commands(text, "a.go"), [vec!["rm", "-rf", "a b", "a.go"], vec!["rm", "-r", "x"]]);
    }
}
