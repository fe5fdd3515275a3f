//! From an operation to what becomes of it, under what the command line asked for.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use signoff_analysis::facts::{Facts, NoFacts, Whereabouts};
use signoff_card::{Language, visible};
use signoff_facts::{Evidence, LocalFacts, WhereaboutsError, WitnessedFacts};
use signoff_model::{Assessment, Operation, Preview, Verdict};
use signoff_policy::{Judgement, Posture};

use crate::{
    arguments::FactsSource,
    failure::{Failure, guarded},
    output::Progress,
    places::Places,
    policies::Policies,
};

/// An operation with what it would do and what becomes of it.
pub(crate) struct Judged {
    pub(crate) operation: Operation,
    pub(crate) assessment: Assessment,
    pub(crate) judgement: Judgement,
}

/// What the command line says about how to judge.
pub(crate) struct Terms<'a> {
    pub(crate) facts: FactsSource,
    pub(crate) cwd: Option<&'a Path>,
    /// Another posture than the configured one.
    pub(crate) posture: Option<Posture>,
    /// What was asked for, in the user's words.
    pub(crate) intent: Option<&'a str>,
    pub(crate) language: Language,
}

pub(crate) struct Judge<'p> {
    facts: FactsSource,
    here: Whereabouts,
    policies: Policies<'p>,
    posture: Option<Posture>,
    intent: Option<String>,
    language: Language,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(terms: &Terms<'_>, places: &'p Places) -> Result<Self, Failure> {
        let here = match (terms.facts, terms.cwd) {
            (FactsSource::None, None) => Whereabouts::assumed(),
            (facts, Some(cwd)) => whereabouts(facts, cwd)?,
            (facts @ FactsSource::Local, None) => whereabouts(facts, &current_directory()?)?,
        };
        Ok(Self {
            facts: terms.facts,
            here,
            policies: Policies::new(places, terms.language),
            posture: terms.posture,
            intent: terms.intent.map(str::to_owned),
            language: terms.language,
        })
    }

    /// The working directory of what is judged.
    pub(crate) fn directory(&self) -> &Path {
        Path::new(&self.here.cwd)
    }

    /// The root of the project that it lies in.
    pub(crate) fn project(&self) -> &Path {
        Path::new(&self.here.project)
    }

    /// Judges an operation in the directory of the command line, or in its own.
    pub(crate) fn judge(&self, operation: Operation, cwd: Option<&str>) -> Result<Judged, Failure> {
        let own = cwd.map(|cwd| whereabouts(self.facts, Path::new(cwd))).transpose()?;
        let whereabouts = own.as_ref().unwrap_or(&self.here);
        let local = LocalFacts::default();
        let facts: &dyn Facts = match self.facts {
            FactsSource::Local => &local,
            FactsSource::None => &NoFacts,
        };
        self.judge_by(operation, whereabouts, facts, &local)
    }

    /// Where what is judged runs.
    pub(crate) fn whereabouts(&self) -> &Whereabouts {
        &self.here
    }

    /// How long a person has to answer.
    pub(crate) fn patience(&self) -> Result<Duration, Failure> {
        Ok(self.policies.of(Some(self.project()))?.settings.approval.timeout.value)
    }

    /// Judges an operation that is to run here, and remembers what the judgement rests on. Nothing is taken over from an
    /// earlier look: a file of settings may have been tightened meanwhile, and another directory may stand in this place.
    pub(crate) fn judge_to_run(&self, operation: Operation) -> Result<(Judged, Evidence), Failure> {
        self.policies.forget();
        let facts = WitnessedFacts::default();
        facts.stand_on(&self.here.cwd);
        let here = whereabouts(FactsSource::Local, self.directory())?;
        let mut judged = self.judge_by(operation, &here, &facts, facts.local())?;
        judged.judgement = judged.judgement.before_running(&judged.assessment);
        Ok((judged, facts.evidence()))
    }

    fn judge_by(
        &self,
        operation: Operation,
        whereabouts: &Whereabouts,
        facts: &dyn Facts,
        local: &LocalFacts,
    ) -> Result<Judged, Failure> {
        // A project of which only the text is known has no file to read.
        let project = match self.facts {
            FactsSource::Local => Some(Path::new(&whereabouts.project)),
            FactsSource::None => None,
        };
        let policy = self.policies.of(project)?;
        let (assessment, judgement) = guarded(|| {
            let mut assessment = signoff_analysis::assess(&operation, whereabouts, facts);
            if let Some(intent) = &self.intent {
                signoff_analysis::intent::heed(intent, &mut assessment);
            }
            let mut judgement = policy.judge(&operation, &assessment, self.posture);
            if judgement.decision.verdict() == Verdict::Ask {
                assessment.preview = self.preview(&assessment, whereabouts, local);
                judgement = judgement.with_preview(&assessment);
            }
            (assessment, judgement)
        })?;
        Ok(Judged { operation, assessment, judgement })
    }

    /// What would be lost, with a line that says how far the counting is.
    fn preview(&self, assessment: &Assessment, whereabouts: &Whereabouts, local: &LocalFacts) -> Option<Preview> {
        let mut progress = Progress::new();
        let preview = local.preview(assessment, whereabouts, &mut |stock| {
            let files = stock.whole().files;
            progress.tell(|| match self.language {
                Language::English => format!("looking at what would be lost: {files} files so far"),
                Language::Chinese => format!("正在统计会失去的内容：目前 {files} 个文件"),
            });
        });
        progress.clear();
        preview
    }
}

/// The language for people: the one asked for, else that of the locale.
pub(crate) fn language(asked: Option<Language>) -> Language {
    asked.unwrap_or_else(|| {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(env::var_os)
            .find(|value| !value.is_empty())
            .unwrap_or_default();
        Language::from_locale(&locale.to_string_lossy())
    })
}

fn current_directory() -> Result<PathBuf, Failure> {
    env::current_dir().map_err(|error| {
        Failure::usage(format!("cannot tell the current directory: {error}"), format!("无法确定当前目录：{error}"))
            .hint("name a directory with --cwd DIR", "请用 --cwd DIR 指定目录")
    })
}

fn whereabouts(facts: FactsSource, cwd: &Path) -> Result<Whereabouts, Failure> {
    if cwd.as_os_str().is_empty() {
        return Err(Failure::usage("the working directory has no name", "工作目录为空").hint(
            "name the directory that the operation would run in, or leave it out",
            "请指定操作运行所在的目录，或省略它",
        ));
    }
    match facts {
        FactsSource::None => Ok(Whereabouts::assumed_in(&cwd.to_string_lossy())),
        FactsSource::Local => signoff_facts::whereabouts(cwd).map_err(|error| {
            Failure::usage(visible(&error.to_string()), chinese(&error)).hint(
                "name the directory that the operation would run in, or judge the text alone with --facts none",
                "请指定操作运行所在的目录，或用 --facts none 仅凭文本判断",
            )
        }),
    }
}

fn chinese(error: &WhereaboutsError) -> String {
    let shown = |path: &Path| visible(&path.to_string_lossy());
    match error {
        WhereaboutsError::Missing { path } => format!("没有目录 `{}`", shown(path)),
        WhereaboutsError::NotADirectory { path } => format!("`{}` 不是目录", shown(path)),
        WhereaboutsError::Unreadable { path, source } => format!("无法查看目录 `{}`：{source}", shown(path)),
        WhereaboutsError::NotUnicode { path } => format!("目录名 `{}` 不是有效的 Unicode", shown(path)),
    }
}
