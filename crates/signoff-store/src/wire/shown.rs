//! What people were shown, and what differed from it, as it is stored.

use serde::{Deserialize, Serialize};
use signoff_model::{Aspect, Deviation, Measure, PlanStep, Rest, Settled, Shown, ShownFile, ShownThing, Tally};

use super::{
    Unreadable,
    approval::{digest, risk},
    missing,
    operation::WireOperation,
};

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireShown {
    /// Each with its path, its files and its bytes.
    things: Vec<(String, u64, u64)>,
    /// Each with its path and its length.
    lost: Vec<(String, u64)>,
    files: u64,
    bytes: u64,
    complete: bool,
}

/// Nothing was kept of it.
pub(super) fn is_unknown(shown: &WireShown) -> bool {
    !shown.complete && shown.things.is_empty() && shown.lost.is_empty() && shown.files == 0 && shown.bytes == 0
}

impl Default for WireShown {
    fn default() -> Self {
        Self::from(&Shown::default())
    }
}

impl From<&Shown> for WireShown {
    fn from(shown: &Shown) -> Self {
        let Shown { things, lost, total, complete } = shown;
        Self {
            things: things.iter().map(|thing| (thing.path.clone(), thing.all.files, thing.all.bytes)).collect(),
            lost: lost.iter().map(|file| (file.path.clone(), file.bytes)).collect(),
            files: total.files,
            bytes: total.bytes,
            complete: *complete,
        }
    }
}

impl From<WireShown> for Shown {
    fn from(wire: WireShown) -> Self {
        let WireShown { things, lost, files, bytes, complete } = wire;
        let thing = |(path, files, bytes)| ShownThing { path, all: Tally { files, bytes } };
        Self {
            things: things.into_iter().map(thing).collect(),
            lost: lost.into_iter().map(|(path, bytes)| ShownFile { path, bytes }).collect(),
            total: Tally { files, bytes },
            complete,
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireRest {
    aspect: String,
    about: String,
    digest: String,
}

impl From<&Rest> for WireRest {
    fn from(rest: &Rest) -> Self {
        let Rest { aspect, about, digest } = rest;
        Self { aspect: aspect.name().to_owned(), about: about.clone(), digest: digest.to_string() }
    }
}

impl TryFrom<WireRest> for Rest {
    type Error = Unreadable;

    fn try_from(wire: WireRest) -> Result<Self, Unreadable> {
        let WireRest { aspect, about, digest: text } = wire;
        Ok(Self { aspect: aspect_of(&aspect)?, about, digest: digest(&text, "digest")? })
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireDeviation {
    aspect: String,
    about: String,
    was: WireMeasure,
    is: WireMeasure,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", deny_unknown_fields)]
enum WireMeasure {
    Absent,
    There,
    Amount { files: u64, bytes: u64 },
    Grave { risk: String },
}

impl From<&Deviation> for WireDeviation {
    fn from(deviation: &Deviation) -> Self {
        let Deviation { aspect, about, was, is } = deviation;
        Self { aspect: aspect.name().to_owned(), about: about.clone(), was: was.into(), is: is.into() }
    }
}

impl TryFrom<WireDeviation> for Deviation {
    type Error = Unreadable;

    fn try_from(wire: WireDeviation) -> Result<Self, Unreadable> {
        let WireDeviation { aspect, about, was, is } = wire;
        Ok(Self { aspect: aspect_of(&aspect)?, about, was: was.try_into()?, is: is.try_into()? })
    }
}

impl From<&Measure> for WireMeasure {
    fn from(measure: &Measure) -> Self {
        match measure {
            Measure::Absent => Self::Absent,
            Measure::There => Self::There,
            Measure::Amount(Tally { files, bytes }) => Self::Amount { files: *files, bytes: *bytes },
            Measure::Grave(risk) => Self::Grave { risk: risk.name().to_owned() },
        }
    }
}

impl TryFrom<WireMeasure> for Measure {
    type Error = Unreadable;

    fn try_from(wire: WireMeasure) -> Result<Self, Unreadable> {
        Ok(match wire {
            WireMeasure::Absent => Self::Absent,
            WireMeasure::There => Self::There,
            WireMeasure::Amount { files, bytes } => Self::Amount(Tally { files, bytes }),
            WireMeasure::Grave { risk: name } => Self::Grave(risk(&name)?),
        })
    }
}

fn aspect_of(name: &str) -> Result<Aspect, Unreadable> {
    Aspect::from_name(name).ok_or_else(|| missing("aspect"))
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireStep {
    operation: WireOperation,
    directory: String,
    project: String,
    risk: String,
    bound: String,
    shown: WireShown,
    card: String,
    settled: String,
}

impl From<&PlanStep> for WireStep {
    fn from(step: &PlanStep) -> Self {
        let PlanStep { operation, directory, project, risk, bound, shown, card, settled } = step;
        Self {
            operation: operation.into(),
            directory: directory.clone(),
            project: project.clone(),
            risk: risk.name().to_owned(),
            bound: bound.to_string(),
            shown: shown.into(),
            card: card.clone(),
            settled: settled.name().to_owned(),
        }
    }
}

impl TryFrom<WireStep> for PlanStep {
    type Error = Unreadable;

    fn try_from(wire: WireStep) -> Result<Self, Unreadable> {
        Ok(Self {
            operation: wire.operation.try_into()?,
            directory: wire.directory,
            project: wire.project,
            risk: risk(&wire.risk)?,
            bound: digest(&wire.bound, "bound")?,
            shown: wire.shown.into(),
            card: wire.card,
            settled: Settled::from_name(&wire.settled).ok_or_else(|| missing("settled"))?,
        })
    }
}
