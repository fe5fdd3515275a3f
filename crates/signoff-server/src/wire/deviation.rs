//! What is no longer as it was shown.

use serde::Serialize;
use signoff_card::{Language, deviation_line};
use signoff_model::{Deviation, Measure, Tally};
use utoipa::ToSchema;

/// One thing that is not what was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct WireDeviation {
    /// total, loss, text, content, directory, link, listing, matches, names, surroundings, risk, policy or further.
    aspect: &'static str,
    /// The path or the pattern that it is about.
    #[serde(skip_serializing_if = "String::is_empty")]
    about: String,
    /// What was shown; none where that was nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<WireMeasure>,
    /// What is there now; none where that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<WireMeasure>,
    /// The same in words.
    pub(crate) words: String,
}

/// How much there is of something, as far as that is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct WireMeasure {
    /// So many files.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<u64>,
    /// So many bytes in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// So grave.
    #[serde(skip_serializing_if = "Option::is_none")]
    risk: Option<&'static str>,
}

impl WireDeviation {
    /// All of them, in words of a language.
    pub(crate) fn all(deviations: &[Deviation], language: Language) -> Vec<Self> {
        deviations.iter().map(|one| Self::new(one, language)).collect()
    }

    fn new(deviation: &Deviation, language: Language) -> Self {
        let Deviation { aspect, about, was, is } = deviation;
        Self {
            aspect: aspect.name(),
            about: about.clone(),
            was: measure(*was),
            now: measure(*is),
            words: deviation_line(deviation, language),
        }
    }
}

fn measure(measure: Measure) -> Option<WireMeasure> {
    let unknown = WireMeasure { files: None, bytes: None, risk: None };
    match measure {
        Measure::Absent => None,
        Measure::There => Some(unknown),
        Measure::Amount(Tally { files, bytes }) => {
            Some(WireMeasure { files: Some(files), bytes: Some(bytes), ..unknown })
        }
        Measure::Grave(risk) => Some(WireMeasure { risk: Some(risk.name()), ..unknown }),
    }
}
