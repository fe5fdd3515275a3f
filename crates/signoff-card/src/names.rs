//! What things are called that have no name of their own, in the words of a language and with every name made visible.

use signoff_model::{Refs, Secret, Subject, Unread};

use crate::{Language, texts::Texts, visible::visible};

/// What a reason is about.
pub fn of_subject(subject: &Subject, language: Language) -> String {
    match subject {
        Subject::Name(name) => visible(name),
        Subject::Refs(refs) => of_refs(refs, language),
        Subject::DefaultRemote => Texts::of(language).default_remote.to_owned(),
        Subject::Unread(unread) => of_unread(unread, language),
        Subject::Sent { what, to } => of_sent(what, to, language),
    }
}

/// Refs, without a word for what kind of ref they are.
pub(crate) fn of_refs(refs: &Refs, language: Language) -> String {
    let texts = Texts::of(language);
    match refs {
        Refs::Named(name) => visible(name),
        Refs::CurrentBranch => texts.current_branch.to_owned(),
        Refs::AllBranches => texts.all_branches.to_owned(),
        Refs::AllTags => texts.all_tags.to_owned(),
    }
}

/// Something that could not be read.
pub fn of_unread(unread: &Unread, language: Language) -> String {
    let words = match language {
        Language::English => unread.english(),
        Language::Chinese => chinese(unread),
    };
    unread.told(words, visible)
}

/// A secret and where it goes.
pub(crate) fn of_sent(what: &Secret, to: &str, language: Language) -> String {
    let words = match language {
        Language::English => what.english(),
        Language::Chinese => match what {
            Secret::Named(_) => "{}",
            Secret::Environment => "环境变量",
            Secret::EnvironmentBy(_) => "环境变量（由 {} 输出）",
            Secret::Session(_) => "{} 显示的一切内容",
            Secret::History => "命令历史",
            Secret::StoredPassword => "已保存的密码",
            Secret::File => "保存机密的文件",
            Secret::PrivateKeys => "私钥",
            Secret::Typed => "键盘输入的内容",
        },
    };
    let what = words.replace("{}", &what.name().map(visible).unwrap_or_default());
    format!("{what} → {}", visible(to))
}

/// The names stand in the order of the English words.
const fn chinese(unread: &Unread) -> &'static str {
    match unread {
        Unread::Part(_) => "{}",
        Unread::Rest => "其余部分",
        Unread::Budget => "超出可分析的限度",
        Unread::Branches => "取决于过多分支的值",
        Unread::Recursion(_) => "调用自身的函数 {}",
        Unread::Misplaced => "位置不当的词或符号",
        Unread::OpenQuote => "未闭合的引号",
        Unread::OpenBracket => "未闭合的括号",
        Unread::OpenCompound => "未结束的复合命令",
        Unread::OpenHereDocument => "未结束的 heredoc",
        Unread::BadExpansion => "shell 不接受的展开",
        Unread::TooDeep => "嵌套过深",
        Unread::TooLong => "过长",
        Unread::TooMuchWork => "分析量过大",
        Unread::ProgramName => "程序名称未知",
        Unread::Program(_) => "程序 {}",
        Unread::Copy(_) => "{} 的副本",
        Unread::Script(_) => "脚本 {}",
        Unread::Scripts(_) => "{} 中的所有脚本",
        Unread::Module(_) => "模块 {}",
        Unread::Fetched(_, _) => "{}，取自 {}",
        Unread::Sent(_) => "{} 返回的内容",
        Unread::Inflow => "管道传入的内容",
        Unread::NamedBy(_) => "{} 中列出的一切",
        Unread::GivenTo(_) => "传给 {} 的一切",
        Unread::Decoded => "解码后的内容",
        Unread::Code => "代码",
        Unread::DeepCode(_) => "嵌套过深的 {}",
        Unread::LongCode(_) => "过长的 {} 脚本",
        Unread::VariableCode => "对变量执行 eval",
        Unread::DataImport => "从 data: 地址导入",
        Unread::ScriptBlock => "脚本块",
        Unread::LibraryBuiltin => "来自动态库的内建命令",
        Unread::GitAlias(_) => "git 别名 {}",
        Unread::PostScript => "未启用安全模式的 PostScript",
        Unread::SedLines => "sed 执行的行",
        Unread::MillerCommand => "会运行命令的 miller 表达式",
        Unread::EditorInput => "传给编辑器的命令",
        Unread::EditorCode(_) => "编辑器中的代码：{}",
        Unread::EditorOutput => "编辑器交给 shell 的内容",
        Unread::EditorCommand => "编辑器拼接的命令",
        Unread::EdInput => "传给 ed 的命令",
        Unread::EdPatch => "补丁中的 ed 脚本",
        Unread::EmacsExpression => "emacs 表达式",
        Unread::KakCommands => "kak 命令",
        Unread::Arguments(_) => "{} 的参数",
        Unread::FurtherCommands => "参数中的其余命令",
    }
}

#[cfg(test)]
mod tests {
    use signoff_model::{Refs, Secret, Subject, Unread};

    use super::{of_sent, of_subject, of_unread};
    use crate::Language;

    #[test]
    fn every_kind_has_its_words_in_every_language() {
        for unread in Unread::of_each_kind("N\u{202e}") {
            let said = Language::ALL.map(|language| of_unread(&unread, language));
            for said in &said {
                assert_eq!(said.matches("N‹U+202E›").count(), unread.names().len(), "{said}");
                assert!(!said.contains("{}") && !said.is_empty());
            }
            let [english, chinese] = said;
            let is_a_name = matches!(unread, Unread::Part(_));
            assert_eq!(english == chinese, is_a_name, "{english}");
        }
    }

    #[test]
    fn every_secret_has_its_words_in_every_language() {
        for secret in Secret::of_each_kind("N\u{202e}") {
            let said = Language::ALL.map(|language| of_sent(&secret, "x\u{202e}.io", language));
            for said in &said {
                assert!(said.ends_with(" → x‹U+202E›.io") && !said.contains("{}"), "{said}");
                assert_eq!(said.contains("N‹U+202E›"), secret.name().is_some(), "{said}");
            }
            let [english, chinese] = said;
            assert_eq!(english == chinese, matches!(secret, Secret::Named(_)), "{english}");
        }
    }

    #[test]
    fn names_are_kept_and_the_rest_is_translated() {
        for (subject, chinese) in [
            (Subject::Unread(Unread::Inflow), "管道传入的内容"),
            (Subject::Unread(Unread::Sent("http://x.io/a".to_owned())), "http://x.io/a 返回的内容"),
            (Subject::Unread(Unread::Script("/tmp/\u{202e}x.sh".to_owned())), "脚本 /tmp/‹U+202E›x.sh"),
            (Subject::from("terraform destroy"), "terraform destroy"),
            (Subject::from("the script of a file by this name"), "the script of a file by this name"),
            (Subject::Refs(Refs::AllTags), "所有标签"),
        ] {
            assert_eq!(of_subject(&subject, Language::Chinese), chinese);
        }
    }
}
