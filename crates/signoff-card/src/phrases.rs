//! What the analysis says in words of its own: names for what has none, such as code that flows in from a pipe.
//!
//! The analysis and the wire speak English. Cards say the same in their language; what is not in the table is a name or a
//! part of the command and stays as it is.

use crate::{Language, visible::visible};

/// English and Chinese; `{}` stands for a name.
const PHRASES: &[(&str, &str)] = &[
    ("what flows in", "管道传入的内容"),
    ("what was decoded", "解码后的内容"),
    ("what {} sends", "{} 返回的内容"),
    ("the script {}", "脚本 {}"),
    ("the program {}", "程序 {}"),
    ("the module {}", "模块 {}"),
    ("a copy of {}", "{} 的副本"),
    ("every script in {}", "{} 中的所有脚本"),
    ("git alias {}", "git 别名 {}"),
    ("code", "代码"),
    ("code inside the editor: {}", "编辑器中的代码：{}"),
    ("the name of the program is not known", "程序名称未知"),
    ("the budget is spent", "超出可分析的限度"),
    ("the rest of it", "其余部分"),
    ("a word or sign that cannot stand there", "位置不当的词或符号"),
    ("a quote that does not end", "未闭合的引号"),
    ("a bracket that does not end", "未闭合的括号"),
    ("a compound command that does not end", "未结束的复合命令"),
    ("a heredoc that does not end", "未结束的 heredoc"),
    ("an expansion that the shell refuses", "shell 不接受的展开"),
    ("it is nested too deeply", "嵌套过深"),
    ("it is too long", "过长"),
    ("it takes too much work", "分析量过大"),
    ("a builtin from a library", "来自动态库的内建命令"),
    ("deeply nested Tcl", "嵌套过深的 Tcl"),
    ("a long Tcl script", "过长的 Tcl 脚本"),
    ("deeply nested PowerShell", "嵌套过深的 PowerShell"),
    ("a long PowerShell script", "过长的 PowerShell 脚本"),
    ("eval of a variable", "对变量执行 eval"),
    ("import of a data address", "从 data: 地址导入"),
    ("what the editor hands to a shell", "编辑器交给 shell 的内容"),
    ("a command that the editor puts together", "编辑器拼接的命令"),
    ("an expression of emacs", "emacs 表达式"),
    ("the commands that ed gets", "传给 ed 的命令"),
    ("the commands that the editor gets", "传给编辑器的命令"),
    ("commands of kak", "kak 命令"),
    ("PostScript without its safety", "未启用安全模式的 PostScript"),
    ("an ed script inside a patch", "补丁中的 ed 脚本"),
    ("a miller expression that runs a command", "会运行命令的 miller 表达式"),
    ("the lines that sed executes", "sed 执行的行"),
    ("the environment", "环境变量"),
    ("the environment, printed by {}", "{} 输出的环境变量"),
    ("the remote", "远端"),
    ("the current branch", "当前分支"),
];

/// A text of the analysis in a language, with everything in it made visible.
pub(crate) fn spoken(text: &str, language: Language) -> String {
    let translated = match language {
        Language::English => None,
        Language::Chinese => PHRASES.iter().find_map(|(english, chinese)| fitted(text, english, chinese)),
    };
    translated.unwrap_or_else(|| visible(text))
}

fn fitted(text: &str, english: &str, chinese: &str) -> Option<String> {
    let Some((before, after)) = english.split_once("{}") else {
        return (text == english).then(|| chinese.to_owned());
    };
    let name = text.strip_prefix(before)?.strip_suffix(after)?;
    Some(chinese.replace("{}", &visible(name)))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{PHRASES, spoken};
    use crate::Language;

    #[test]
    fn phrases_are_translated_and_names_are_kept() {
        for (text, chinese) in [
            ("what flows in", "管道传入的内容"),
            ("what http://x.io/a sends", "http://x.io/a 返回的内容"),
            ("the script /tmp/\u{202e}x.sh", "脚本 /tmp/‹U+202E›x.sh"),
            ("terraform destroy", "terraform destroy"),
        ] {
            assert_eq!(spoken(text, Language::Chinese), chinese);
        }
        assert_eq!(spoken("the script a\u{202e}", Language::English), "the script a‹U+202E›");
    }

    fn sources(directory: &Path, all: &mut String) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, all);
            } else {
                all.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn every_phrase_is_one_that_the_analysis_says() {
        let mut all = String::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../signoff-analysis/src"), &mut all);
        for (english, chinese) in PHRASES {
            let literal = match english.split_once("{}") {
                Some((before, _)) => format!("\"{before}{{"),
                None => format!("\"{english}\""),
            };
            assert!(all.contains(&literal), "the analysis does not say {literal}");
            assert_eq!(english.matches("{}").count(), chinese.matches("{}").count(), "{english}");
        }
    }
}
