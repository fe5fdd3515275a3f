//! What is wrong with arguments, for people who read Chinese. In English the parser of the arguments says it itself.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use signoff_card::visible;

/// What the parser complains about, and what to do next.
pub(crate) fn in_chinese(error: &clap::Error) -> String {
    let said = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => visible(text),
        Some(ContextValue::Strings(texts)) => texts.iter().map(|text| visible(text)).collect::<Vec<_>>().join("、"),
        Some(other) => visible(&other.to_string()),
        None => String::new(),
    };
    let (argument, value) = (said(ContextKind::InvalidArg), said(ContextKind::InvalidValue));
    let message = match error.kind() {
        ErrorKind::UnknownArgument => format!("未知参数 `{argument}`"),
        ErrorKind::InvalidSubcommand => format!("未知子命令 `{}`", said(ContextKind::InvalidSubcommand)),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "缺少子命令".to_owned(),
        ErrorKind::InvalidValue if value.is_empty() => format!("`{argument}` 需要一个值"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => format!("`{argument}` 的值 `{value}` 无效"),
        ErrorKind::MissingRequiredArgument => format!("缺少参数：{argument}"),
        ErrorKind::ArgumentConflict => {
            format!("`{argument}` 不能与 `{}` 同时使用", said(ContextKind::PriorArg))
        }
        ErrorKind::TooManyValues | ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("`{argument}` 的值的个数不对")
        }
        ErrorKind::NoEquals => format!("`{argument}` 需要写作 `{argument}=值`"),
        ErrorKind::InvalidUtf8 => "参数不是有效的 UTF-8".to_owned(),
        _ => format!("参数有误：{}", visible(error.to_string().trim())),
    };
    let known = said(ContextKind::ValidValue);
    let meant = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue]
        .map(said)
        .into_iter()
        .find(|text| !text.is_empty());
    let mut text = format!("错误：{message}");
    if !known.is_empty() {
        text.push_str(&format!("\n可用：{known}"));
    } else if let Some(meant) = meant {
        text.push_str(&format!("\n提示：是否想用 `{meant}`？"));
    }
    text.push_str("\n用法见 `signoff --help`\n");
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::in_chinese;
    use crate::arguments::Arguments;

    #[test]
    fn every_complaint_is_told_in_chinese() {
        for (arguments, told) in [
            (&["check", "--postur", "strict", "ls"][..], "未知参数 `--postur`\n提示：是否想用 `--posture`？"),
            (&["check", "--posture", "lax", "ls"], "的值 `lax` 无效\n可用：strict、balanced、permissive"),
            (&["check", "--posture"], "需要一个值\n可用：strict"),
            (&["chek", "ls"], "未知子命令 `chek`\n提示：是否想用 `check`？"),
            (&["completions"], "缺少参数：<SHELL>"),
            (&[], "缺少子命令\n用法见"),
            (&["people"], "缺少子命令\n用法见"),
        ] {
            let error =
                Arguments::try_parse_from(std::iter::once("signoff").chain(arguments.iter().copied())).err().unwrap();
            let text = in_chinese(&error);
            assert!(text.contains(told), "{arguments:?}: {text}");
            assert!(text.starts_with("错误：") && text.ends_with("`signoff --help`\n"), "{text}");
        }
    }
}
