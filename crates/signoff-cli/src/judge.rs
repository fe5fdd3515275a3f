//! The judge behind the gate, under what the command line asked for.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use signoff_analysis::facts::Whereabouts;
use signoff_card::{Language, visible};
use signoff_facts::{Evidence, WhereaboutsError};
pub(crate) use signoff_gate::judging::Judged;
use signoff_gate::{
    Places, Scores,
    judging::{self, JudgeError},
};
use signoff_model::{Operation, PersonId, Risk, Sight, Stock};
use signoff_policy::Posture;

use crate::{arguments::FactsSource, failure::Failure, output::Progress, policies};

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
    judge: judging::Judge<'p>,
    here: Whereabouts,
    language: Language,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(terms: &Terms<'_>, places: &'p Places) -> Result<Self, Failure> {
        let sight = match terms.facts {
            FactsSource::Local => Sight::Local,
            FactsSource::None => Sight::TextAlone,
        };
        let intent = terms.intent.map(str::to_owned);
        let asked = judging::Terms { sight, posture: terms.posture, intent, home: None, scores: Scores::default() };
        let judge = judging::Judge::new(asked, places);
        let here = match (sight, terms.cwd) {
            (Sight::TextAlone, None) => Whereabouts::assumed(),
            (_, Some(cwd)) => judge.whereabouts(cwd).map_err(|error| failure(&error))?,
            (Sight::Local, None) => judge.whereabouts(&current_directory()?).map_err(|error| failure(&error))?,
        };
        Ok(Self { judge, here, language: terms.language })
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
        let own = cwd.map(|cwd| self.judge.whereabouts(Path::new(cwd))).transpose().map_err(|error| failure(&error))?;
        let whereabouts = own.as_ref().unwrap_or(&self.here);
        self.telling(|told| self.judge.judge(operation, whereabouts, told))
    }

    /// Where what is judged runs.
    pub(crate) fn whereabouts(&self) -> &Whereabouts {
        &self.here
    }

    /// Whether the word of whoever sits here is enough for something as grave as this: nobody else has to agree.
    pub(crate) fn owner_decides(&self, risk: Risk) -> Result<bool, Failure> {
        let policy = self.judge.policies().of(Some(self.project())).map_err(|fault| policies::failure(&fault))?;
        let name = PersonId::new(signoff_facts::user_name().unwrap_or_default()).ok();
        Ok(name.is_none_or(|name| signoff_gate::owner_decides_alone(&policy.settings.approval, risk, &name)))
    }

    /// How long a person has to answer.
    pub(crate) fn patience(&self) -> Result<Duration, Failure> {
        let policy = self.judge.policies().of(Some(self.project())).map_err(|fault| policies::failure(&fault))?;
        Ok(policy.settings.approval.timeout.value)
    }

    /// Judges an operation that is to run here, by a fresh look.
    pub(crate) fn judge_to_run(&self, operation: Operation) -> Result<(Judged, Evidence), Failure> {
        let look = self.telling(|told| self.judge.look(operation, self.directory(), told))?;
        Ok((look.judged, look.evidence))
    }

    /// Judges, with a line that says how far the counting of what would be lost is, and tells what does not count in files of
    /// settings.
    fn telling<T>(&self, judge: impl FnOnce(judging::Progress<'_>) -> Result<T, JudgeError>) -> Result<T, Failure> {
        let mut progress = Progress::new();
        let judged = judge(&mut |stock: &Stock| {
            let files = stock.whole().files;
            progress.tell(|| match self.language {
                Language::English => format!("looking at what would be lost: {files} files so far"),
                Language::Chinese => format!("正在统计会失去的内容：目前 {files} 个文件"),
            });
        });
        progress.clear();
        policies::tell(&self.judge.notices(), self.language);
        judged.map_err(|error| failure(&error))
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

fn failure(error: &JudgeError) -> Failure {
    match error {
        JudgeError::Configuration(fault) => policies::failure(fault),
        JudgeError::NoDirectory => Failure::usage("the working directory has no name", "工作目录为空").hint(
            "name the directory that the operation would run in, or leave it out",
            "请指定操作运行所在的目录，或省略它",
        ),
        JudgeError::Whereabouts(error) => Failure::usage(visible(&error.to_string()), chinese(error)).hint(
            "name the directory that the operation would run in, or judge the text alone with --facts none",
            "请指定操作运行所在的目录，或用 --facts none 仅凭文本判断",
        ),
        JudgeError::Defect => Failure::defect(),
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
