//! The question at the terminal. Whatever is not clearly a yes is a no.

use std::{
    io,
    os::fd::BorrowedFd,
    time::{Duration, Instant},
};

use signoff_card::{Card, Detail, Language, terminal, terminal::Colour, visible};
use signoff_model::Decision;

use super::words::Words;
use crate::{
    judge::Judged,
    person::{Person, Reply},
};

/// After so many answers that say nothing, it is a no.
const TRIES: usize = 5;

/// What the person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    No,
    Yes,
    BackUpFirst,
    /// Nobody answered in time.
    Late,
    /// The input ended before an answer.
    Ended,
    /// Somebody has answered at the gateway.
    Elsewhere,
}

/// Whether what would be lost can be copied before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backup {
    Possible,
    Impossible,
}

/// Shows the card and asks.
pub(super) fn ask(
    person: &mut Person,
    judged: &Judged,
    backup: Backup,
    (within, bell): (Duration, Option<BorrowedFd<'_>>),
    colour: Colour,
    language: Language,
) -> io::Result<Answer> {
    let words = Words::of(language);
    show(person, judged, Detail::Brief, colour, language)?;
    // One time for all questions: whoever keeps asking to be shown things has not decided either.
    let now = Instant::now();
    let until = now.checked_add(within).unwrap_or(now);
    if let Decision::RequireInput { validation, .. } = &judged.judgement.decision {
        let question = words.type_this.replace("{}", &visible(validation));
        for _ in 0..TRIES {
            let typed = match person.answer_beside(&question, until, bell)? {
                Reply::Line(typed) => typed,
                Reply::Late => return Ok(Answer::Late),
                Reply::Ended => return Ok(Answer::Ended),
                Reply::Elsewhere => return Ok(Answer::Elsewhere),
            };
            if typed == *validation {
                return back_up_too(person, backup, until, words);
            }
            if !words.show.contains(&typed.to_lowercase().as_str()) {
                break;
            }
            show(person, judged, Detail::Full, colour, language)?;
        }
        return Ok(Answer::No);
    }
    let question = question(backup, words);
    for _ in 0..TRIES {
        let answer = match person.answer_beside(&question, until, bell)? {
            Reply::Line(answer) => answer.to_lowercase(),
            Reply::Late => return Ok(Answer::Late),
            Reply::Ended => return Ok(Answer::Ended),
            Reply::Elsewhere => return Ok(Answer::Elsewhere),
        };
        let says = |word: [&str; 2]| word.contains(&answer.as_str());
        if answer.is_empty() || says(words.no) {
            return Ok(Answer::No);
        }
        if says(words.yes) {
            return Ok(Answer::Yes);
        }
        if backup == Backup::Possible && says(words.back_up) {
            return Ok(Answer::BackUpFirst);
        }
        if says(words.show) {
            show(person, judged, Detail::Full, colour, language)?;
        } else {
            person.tell(words.not_understood)?;
        }
    }
    Ok(Answer::No)
}

/// Whoever has typed what goes is offered a copy of it, which is made unless they refuse.
fn back_up_too(person: &mut Person, backup: Backup, until: Instant, words: &Words) -> io::Result<Answer> {
    if backup == Backup::Impossible {
        return Ok(Answer::Yes);
    }
    Ok(match person.answer(words.back_up_too, until)? {
        Reply::Late => Answer::Late,
        Reply::Ended => Answer::Ended,
        Reply::Elsewhere => Answer::Elsewhere,
        Reply::Line(answer) if words.no.contains(&answer.to_lowercase().as_str()) => Answer::Yes,
        Reply::Line(_) => Answer::BackUpFirst,
    })
}

/// `Run it? [N] no · [y] yes · [b] back up first · [s] show everything > `: the safe answer first, and in capitals.
fn question(backup: Backup, words: &Words) -> String {
    let mut offered = vec![words.no, words.yes];
    if backup == Backup::Possible {
        offered.push(words.back_up);
    }
    offered.push(words.show);
    let offered: Vec<String> = offered
        .iter()
        .enumerate()
        .map(|(index, [letter, word])| {
            let letter = if index == 0 { letter.to_uppercase() } else { (*letter).to_owned() };
            format!("[{letter}] {word}")
        })
        .collect();
    format!("{}  {} > ", words.run_it, offered.join("  "))
}

fn show(person: &mut Person, judged: &Judged, detail: Detail, colour: Colour, language: Language) -> io::Result<()> {
    let card = Card::draw(&judged.operation, &judged.assessment, &judged.judgement, language, detail);
    let columns = person.columns().unwrap_or(80);
    let mut text = String::new();
    terminal::paint_lines(&card, columns, colour, |line| text.push_str(line));
    person.tell(&text)
}
