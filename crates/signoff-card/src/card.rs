use std::borrow::Cow;

use signoff_analysis::rule::{self, About};
use signoff_model::{
    Assessment, Choice, Coverage, Decision, Effect, EffectKind, Operation, Reason, Risk, Side, Span, Verdict,
};
use signoff_policy::{Judgement, Says, Voice};

use crate::{
    Language, Source, changes, effects, losses, names, reason_message, rule_text, subject_name, texts::Texts,
    visible::visible, voice_message,
};

/// How many reasons and how many unread parts get a row.
const ROWS_AT_MOST: usize = 6;
/// A rule that speaks about several things names so many of them.
const NAMES_AT_MOST: usize = 3;
/// A row of more characters than this is shown in part, with so many of its beginning and of its end.
const TEXT_AT_MOST: usize = 600;
const TEXT_ENDS: usize = 150;

/// How much of an operation is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// What a person takes in at a glance. What is left out is said.
    #[default]
    Brief,
    /// Everything, and what every rule says.
    Full,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Something that would happen.
    Effect(EffectKind),
    /// What there is of the things that would go.
    Loss,
    /// A file that would differ from what it is.
    Difference,
    /// One of its lines.
    Line(Side),
    /// Rows that are not shown.
    More,
    /// Why it is not harmless.
    Why,
    /// What the user permits beforehand.
    Permitted,
    /// What could not be read.
    Unread,
    /// Another way to the same end.
    Safer,
    /// How it has to be answered.
    Answer,
    /// The question that it comes from.
    Origin,
}

/// One line of the table below the operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub kind: RowKind,
    /// The word at its beginning.
    pub label: Cow<'static, str>,
    /// What stands before it: nothing, blanks for its depth in a tree, or the number of a line.
    pub margin: String,
    /// What it says.
    pub text: String,
    /// The words at its end.
    pub note: Option<Cow<'static, str>>,
}

/// What a person sees of an operation, before anything is painted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// What became of it.
    pub verdict: Verdict,
    /// The same in words.
    pub verdict_word: &'static str,
    /// How grave it is.
    pub risk: Risk,
    /// The same in words.
    pub risk_words: String,
    /// The text of the operation.
    pub source: Source,
    /// What there is to say about it.
    pub rows: Vec<Row>,
}

impl Card {
    /// Draws an operation with what it would do and what becomes of it.
    pub fn draw(
        operation: &Operation,
        assessment: &Assessment,
        judgement: &Judgement,
        language: Language,
        detail: Detail,
    ) -> Self {
        let texts = Texts::of(language);
        let decision = &judgement.decision;
        let verdict = decision.verdict();
        let risk = assessment.effective_risk();
        let marks: Vec<Span> = assessment.reasons.iter().map(|reason| reason.span).collect();
        let text = operation.text();
        let (mut rows, told) = effects::draw(assessment, &text, detail, language);
        rows.extend(assessment.preview.iter().flat_map(|preview| losses::draw(preview, detail, language)));
        let changes = assessment.preview.iter().map(|preview| preview.changes.as_slice());
        rows.extend(changes.flat_map(|changes| changes::draw(changes, detail, language)));
        rows.extend(bounded(configured(&judgement.voices, language), detail, texts));
        rows.extend(bounded(why(assessment, judgement, &told, language, detail), detail, texts));
        rows.extend(bounded(unread(assessment, language), detail, texts));
        rows.extend(
            assessment.safer.iter().map(|safer| plain_row(RowKind::Safer, texts.safer, visible(&safer.command))),
        );
        rows.extend(answer(decision, texts));
        if detail == Detail::Brief {
            rows.iter_mut().for_each(|row| shorten(&mut row.text, texts));
        }
        Self {
            verdict,
            verdict_word: texts.verdict(verdict),
            risk,
            risk_words: texts.risk(risk),
            source: Source::new(&text, &marks, detail, language),
            rows,
        }
    }
}

const fn plain_row(kind: RowKind, label: &'static str, text: String) -> Row {
    Row { kind, label: Cow::Borrowed(label), margin: String::new(), text, note: None }
}

/// Takes the middle out of a long text and says how much that was.
fn shorten(text: &mut String, texts: &Texts) {
    let count = text.chars().count();
    if count > TEXT_AT_MOST {
        let beginning: String = text.chars().take(TEXT_ENDS).collect();
        let end: String = text.chars().skip(count - TEXT_ENDS).collect();
        let note = texts.characters_omitted.replace("{}", &(count - 2 * TEXT_ENDS).to_string());
        *text = format!("{beginning}{note}{end}");
    }
}

/// The first rows of a list, with how many more there are.
fn bounded(mut rows: Vec<Row>, detail: Detail, texts: &Texts) -> Vec<Row> {
    let omitted = match detail {
        Detail::Brief => rows.len().saturating_sub(ROWS_AT_MOST),
        Detail::Full => 0,
    };
    if omitted > 0 {
        rows.truncate(ROWS_AT_MOST);
        rows.push(plain_row(RowKind::More, "", texts.more_rows.replace("{}", &omitted.to_string())));
    }
    rows
}

/// What the user's own rules say, each with the line that it stands in: whoever wrote it may want to change it.
fn configured(voices: &[Voice], language: Language) -> Vec<Row> {
    let texts = Texts::of(language);
    let row = |voice: &Voice| {
        let (kind, label) = match voice.says {
            Says::Raises(_) | Says::MayRaise(_) => (RowKind::Why, texts.why),
            Says::Lifts(_) | Says::WaivesQuestions => (RowKind::Permitted, texts.permitted),
        };
        let message = voice_message(voice, language);
        let text = format!("{}{}{message}", visible(&voice.id), texts.colon);
        Row { note: Some(visible(&voice.origin.to_string()).into()), ..plain_row(kind, label, text) }
    };
    voices.iter().map(row).collect()
}

/// What the rules say, those first that tell what no other row does where not all of them have room. At a glance, a rule
/// says once what rows have told of several things, and of one whose words are a row already the name is enough.
fn why(
    assessment: &Assessment,
    judgement: &Judgement,
    told: &[&Effect],
    language: Language,
    detail: Detail,
) -> Vec<Row> {
    let texts = Texts::of(language);
    let mut spoken: Vec<Spoken<'_>> = Vec::new();
    for reason in &assessment.reasons {
        let is_told = is_told(reason, told);
        let is_quoted = detail == Detail::Brief && is_quoted(reason, told, assessment);
        let alike = |other: &&mut Spoken<'_>| {
            let is_brief = other.is_told && is_told && detail == Detail::Brief;
            other.first.rule == reason.rule && is_brief && other.is_quoted == is_quoted
        };
        let subject = subject_name(&reason.subject, language);
        match spoken.iter_mut().find(alike) {
            Some(other) if other.subjects.contains(&subject) => {}
            Some(other) => other.subjects.push(subject),
            None => spoken.push(Spoken { first: reason, subjects: vec![subject], is_told, is_quoted }),
        }
    }
    let mut messages: Vec<String> = Vec::new();
    if detail == Detail::Brief && spoken.len() > ROWS_AT_MOST {
        spoken.sort_by_key(|spoken| spoken.is_told);
    }
    let mut names: Vec<String> = Vec::new();
    let quoted = spoken.iter().filter(|spoken| spoken.is_quoted).map(|spoken| visible(spoken.first.rule.as_str()));
    for name in quoted {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for spoken in &spoken {
        let message = if spoken.is_quoted { names.join(texts.comma) } else { spoken.message(assessment, language) };
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    let asks_by_itself = assessment.reasons.is_empty()
        && assessment.coverage == Coverage::Full
        && judgement.decision.verdict() != Verdict::Allow
        && judgement.raised_by.is_none();
    if asks_by_itself {
        let changes = assessment.risk > Risk::None;
        messages.push(if changes { texts.posture_asks } else { texts.policy_asks }.to_owned());
    }
    messages.into_iter().map(|text| plain_row(RowKind::Why, texts.why, text)).collect()
}

/// What one rule says about one thing or several.
struct Spoken<'a> {
    first: &'a Reason,
    subjects: Vec<String>,
    /// Whether rows have told already that it happens to them.
    is_told: bool,
    /// Whether a row is written in its words.
    is_quoted: bool,
}

impl Spoken<'_> {
    fn message(&self, assessment: &Assessment, language: Language) -> String {
        let texts = Texts::of(language);
        let says = match (self.subjects.as_slice(), rule::find(self.first.rule.as_str())) {
            ([_, _, ..], Some(rule)) => {
                let mut names: Vec<String> = self.subjects.iter().take(NAMES_AT_MOST).cloned().collect();
                let omitted = self.subjects.len().saturating_sub(names.len());
                if omitted > 0 {
                    names.push(texts.more_names.replace("{}", &omitted.to_string()));
                }
                rule_text(rule, language).replace("{}", &names.join(texts.comma))
            }
            _ => reason_message(self.first, assessment, language),
        };
        format!("{}{}{says}", visible(self.first.rule.as_str()), texts.colon)
    }
}

/// Whether a row already says what the rule has to say: the same happens, because of the same words.
fn is_told(reason: &Reason, told: &[&Effect]) -> bool {
    let rule = rule::find(reason.rule.as_str());
    let kind = rule.map(|rule| rule.kind);
    // What is said about the target itself is more than that something happens to it.
    let says_more = rule.is_some_and(|rule| rule.en.starts_with("{}") || rule.about == About::Request);
    !says_more
        && told.iter().any(|effect| {
            effect.span == reason.span && (effect.target.subject() == reason.subject || Some(effect.kind) == kind)
        })
}

/// Whether the row of what it is about is written in its own words.
fn is_quoted(reason: &Reason, told: &[&Effect], assessment: &Assessment) -> bool {
    told.iter().any(|effect| {
        let rule = effects::words_in_row(effect, assessment);
        effect.span == reason.span
            && effect.target.subject() == reason.subject
            && rule.is_some_and(|rule| rule.id == reason.rule.as_str())
    })
}

fn unread(assessment: &Assessment, language: Language) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    if let Coverage::Partial(gaps) = &assessment.coverage {
        for gap in gaps {
            let row = plain_row(RowKind::Unread, Texts::of(language).unread, names::of_unread(&gap.what, language));
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows
}

/// How it has to be answered, where yes or no is not enough.
fn answer(decision: &Decision, texts: &Texts) -> Option<Row> {
    let text = match decision {
        Decision::ExecuteDirectly | Decision::RequireConfirmation { .. } | Decision::Reject { .. } => return None,
        Decision::RequireChoice { options, default, .. } => {
            let shown = options.iter().map(|option| {
                let name = choice(*option, texts);
                if option == default { texts.default_choice.replace("{}", name) } else { name.to_owned() }
            });
            shown.collect::<Vec<_>>().join(" · ")
        }
        Decision::RequireInput { validation, .. } => texts.type_this.replace("{}", &visible(validation)),
    };
    Some(plain_row(RowKind::Answer, texts.answer, text))
}

const fn choice(choice: Choice, texts: &Texts) -> &'static str {
    match choice {
        Choice::Cancel => texts.choice_cancel,
        Choice::GoAhead => texts.choice_go_ahead,
        Choice::BackUpFirst => texts.choice_back_up,
        Choice::ShowDifference => texts.choice_difference,
    }
}
