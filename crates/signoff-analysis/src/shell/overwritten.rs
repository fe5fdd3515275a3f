//! Commands whose output goes to the file that they read: the shell empties it first, and nothing is left to read.

use signoff_model::{EffectKind, Reversible, Risk, Scope, Span};

use super::Shell;
use crate::{
    path_effects::rules,
    place::{Extent, Nature, Place},
    rule::{Priority, Rule},
    value::{Arg, Value},
};

rules! {
    READ_AND_WRITTEN = Rule::new("overwrite-input", EffectKind::Overwrite, Risk::Medium, "empties {} before it is read, since the output goes to the same file", "输出与输入是同一个文件，{} 在读取之前就被清空")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(
            &["sort names.txt > names.txt", "jq . a.json > a.json", "for f in *.md; do tr a b < \"$f\" > \"$f\"; done", "cat notes.md | sed s/a/b/ > notes.md"],
            &["sort -o names.txt names.txt", "cat a.txt > b.txt", "sort names.txt >> names.txt", "sort names.txt > names.new && mv names.new names.txt", "sort names.txt | sponge names.txt"],
        );
}

/// More reads than this are not remembered of one pipeline.
const MAX_READS: usize = 256;

/// What was read in the pipeline at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// Paths, and how the text names them.
    all: Vec<(String, String)>,
    /// The first one of the pipeline at hand.
    start: usize,
    /// How many pipelines are around it.
    nested: usize,
}

impl Reads {
    /// A pipeline begins; what is given back ends it.
    pub(super) fn begin(&mut self) -> usize {
        self.nested += 1;
        std::mem::replace(&mut self.start, self.all.len())
    }

    pub(super) fn end(&mut self, outer: usize) {
        self.nested -= 1;
        self.start = outer;
        if self.nested == 0 {
            self.all.clear();
        }
    }

    /// How many there are; going back to it forgets what was read since.
    pub(super) fn mark(&self) -> usize {
        self.all.len()
    }

    pub(super) fn forget_since(&mut self, mark: usize) {
        self.all.truncate(mark);
    }

    pub(super) fn note(&mut self, place: &Place, value: &Value) {
        // What has no name of its own could be anything, and not the same thing twice.
        let listed = value.origins().any(|origin| origin.list().is_some());
        let nameless = place.path.is_empty() && !listed && value.shown().contains('…');
        if self.all.len() < MAX_READS && !nameless {
            self.all.push((place.path.clone(), name_of(place, value)));
        }
    }

    fn holds(&self, place: &Place, value: &Value) -> bool {
        let here = self.all.get(self.start..).unwrap_or_default();
        if here.is_empty() {
            return false;
        }
        let name = name_of(place, value);
        here.iter().any(|(path, shown)| *path == place.path && *shown == name)
    }
}

/// How the text names it, where the path does not tell.
fn name_of(place: &Place, value: &Value) -> String {
    if place.extent == Extent::Exact { String::new() } else { value.shown().into_owned() }
}

impl Shell<'_> {
    /// What was read in this pipeline is written anew by it.
    pub(super) fn check_input_kept(&mut self, place: &Place, value: &Value, argv: &[Arg], span: Span) {
        let worthless = matches!(
            place.nature,
            Nature::Temporary | Nature::Stream | Nature::Cache | Nature::Rebuilt | Nature::Connection
        );
        if worthless
            || place.scope == Scope::Temp
            || self.state.written.contains_key(&place.path)
            || !self.reads.holds(place, value)
        {
            return;
        }
        self.report(&READ_AND_WRITTEN, place.target(), place.scope, span);
        let words: Option<Vec<&str>> = argv.iter().map(Arg::known).collect();
        let plain =
            |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./=:,%+".contains(letter));
        if let Some(words) = words
            && place.extent == Extent::Exact
            && !words.is_empty()
            && words.iter().all(|word| plain(word))
            && plain(&place.shown)
        {
            let (file, command) = (&place.shown, words.join(" "));
            self.safer(format!("{command} > {file}.new && mv {file}.new {file}"));
        }
    }

    /// A file is emptied by a program that starts together with those that read it.
    pub fn check_read_before(&mut self, file: &Arg) {
        let place = self.place(&file.value);
        self.check_input_kept(&place, &file.value, &[], file.span);
    }
}
