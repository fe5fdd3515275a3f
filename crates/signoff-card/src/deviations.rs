//! What is no longer as it was shown, in words: which thing, what it was, and what it is.

use signoff_model::{Aspect, Deviation, Measure, Tally};

use crate::{Language, bytes, risk_name, visible, visible_name};

/// The words of one language. `{}` stands for what it is about.
struct Words {
    total: &'static str,
    text: &'static str,
    content: &'static str,
    directory: &'static str,
    link: &'static str,
    listing: &'static str,
    matches: &'static str,
    names: &'static str,
    surroundings: &'static str,
    risk: &'static str,
    policy: &'static str,
    further: &'static str,
    absent: &'static str,
    there: &'static str,
    another: &'static str,
    was: &'static str,
}

const ENGLISH: Words = Words {
    total: "lost for good, in all",
    text: "the change of {}",
    content: "what {} holds",
    directory: "the directory {}",
    link: "where {} leads",
    listing: "what is in {}",
    matches: "what {} stands for",
    names: "the other names of {}",
    surroundings: "the environment or the schema of the tool",
    risk: "the risk",
    policy: "the policy",
    further: "and {} more",
    absent: "nothing",
    there: "something",
    another: "{} is another one now",
    was: "{about}: was {was}, is {is}",
};

const CHINESE: Words = Words {
    total: "总计永久丢失",
    text: "{} 的改动",
    content: "{} 的内容",
    directory: "目录 {}",
    link: "{} 指向的位置",
    listing: "{} 中的内容",
    matches: "{} 匹配到的内容",
    names: "{} 的其他名称",
    surroundings: "环境或工具的模式",
    risk: "风险",
    policy: "策略",
    further: "另有 {} 处",
    absent: "无",
    there: "有",
    another: "{}已变成另一个",
    was: "{about}：原为 {was}，现为 {is}",
};

/// A difference on one line, with everything in it made visible.
pub fn deviation_line(deviation: &Deviation, language: Language) -> String {
    let words = match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    };
    let Deviation { aspect, about, was, is } = deviation;
    let named = |template: &str| template.replace("{}", &visible(about));
    let about = match aspect {
        Aspect::Total => words.total.to_owned(),
        Aspect::Loss => visible_name(about),
        Aspect::Text => named(words.text),
        Aspect::Content => named(words.content),
        Aspect::Directory => named(words.directory),
        Aspect::Link => named(words.link),
        Aspect::Listing => named(words.listing),
        Aspect::Matches => named(words.matches),
        Aspect::Names => named(words.names),
        Aspect::Surroundings => words.surroundings.to_owned(),
        Aspect::Risk => words.risk.to_owned(),
        Aspect::Policy => words.policy.to_owned(),
        Aspect::Further => {
            let count = if let Measure::Amount(Tally { files, .. }) = is { *files } else { 0 };
            return words.further.replace("{}", &count.to_string());
        }
    };
    if (was, is) == (&Measure::There, &Measure::There) {
        return words.another.replace("{}", &about);
    }
    let told = |measure: &Measure| match measure {
        Measure::Absent => words.absent.to_owned(),
        Measure::There => words.there.to_owned(),
        Measure::Amount(tally) => amount(*tally, language),
        Measure::Grave(risk) => risk_name(*risk, language).to_owned(),
    };
    // What it is about comes last: it is the agent's, and may hold any text.
    words.was.replace("{was}", &told(was)).replace("{is}", &told(is)).replace("{about}", &about)
}

fn amount(Tally { files, bytes: length }: Tally, language: Language) -> String {
    let length = bytes(length);
    match (language, files) {
        (Language::English, 1) => format!("1 file ({length})"),
        (Language::English, _) => format!("{files} files ({length})"),
        (Language::Chinese, _) => format!("{files} 个文件（{length}）"),
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::Risk;

    use super::*;

    #[test]
    fn each_difference_is_told_in_both_languages() {
        let so_much = |files, bytes| Measure::Amount(Tally { files, bytes });
        for (aspect, about, was, is, english, chinese) in [
            (
                Aspect::Total,
                "",
                so_much(3, 12),
                so_much(3_000, 120_000),
                "lost for good, in all: was 3 files (12 B), is 3000 files (120 kB)",
                "总计永久丢失：原为 3 个文件（12 B），现为 3000 个文件（120 kB）",
            ),
            (
                Aspect::Loss,
                "build/{was}\u{202e}",
                Measure::Absent,
                so_much(1, 5),
                "build/{was}‹U+202E›: was nothing, is 1 file (5 B)",
                "build/{was}‹U+202E›：原为 无，现为 1 个文件（5 B）",
            ),
            (
                Aspect::Content,
                "/p/a.sh",
                Measure::There,
                Measure::There,
                "what /p/a.sh holds is another one now",
                "/p/a.sh 的内容已变成另一个",
            ),
            (
                Aspect::Risk,
                "",
                Measure::Grave(Risk::Medium),
                Measure::Grave(Risk::Critical),
                "the risk: was medium, is critical",
                "风险：原为 中，现为 严重",
            ),
            (Aspect::Further, "", Measure::Absent, so_much(7, 0), "and 7 more", "另有 7 处"),
        ] {
            let deviation = Deviation { aspect, about: about.to_owned(), was, is };
            assert_eq!(deviation_line(&deviation, Language::English), english);
            assert_eq!(deviation_line(&deviation, Language::Chinese), chinese);
        }
    }
}
