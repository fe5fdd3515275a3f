//! All words of the cards, in every language.
//!
//! One struct with one constant per language: a word that is missing in a language does not compile, and starting up
//! parses nothing, which a file of messages would have to.

use signoff_model::{EffectKind, Risk, Verdict};

use crate::Language;

/// A verb and what it takes; `{}` stands for the target.
pub(crate) struct Phrase {
    pub(crate) verb: &'static str,
    pub(crate) object: &'static str,
}

const fn phrase(verb: &'static str, object: &'static str) -> Phrase {
    Phrase { verb, object }
}

/// The words of one language. Where a text holds `{}`, a value takes its place.
pub(crate) struct Texts {
    pub(crate) allow: &'static str,
    pub(crate) ask: &'static str,
    pub(crate) block: &'static str,
    /// Holds the name of the risk.
    pub(crate) risk: &'static str,
    pub(crate) risks: [&'static str; 5],

    pub(crate) read: Phrase,
    pub(crate) create: Phrase,
    /// Something comes into a directory that is there.
    pub(crate) add: Phrase,
    pub(crate) overwrite: Phrase,
    pub(crate) delete: Phrase,
    pub(crate) relocate: Phrase,
    pub(crate) permission: Phrase,
    pub(crate) execute: Phrase,
    pub(crate) network_read: Phrase,
    pub(crate) network_write: Phrase,
    pub(crate) publish: Phrase,
    pub(crate) history_rewrite: Phrase,
    pub(crate) process: Phrase,
    pub(crate) privilege: Phrase,
    pub(crate) system: Phrase,
    pub(crate) database_read: Phrase,
    pub(crate) database_write: Phrase,
    pub(crate) database_schema: Phrase,
    pub(crate) database_rights: Phrase,
    pub(crate) secret_read: Phrase,
    pub(crate) secret_send: Phrase,
    pub(crate) self_state: Phrase,
    pub(crate) opaque: Phrase,

    /// Between two names in a list.
    pub(crate) comma: &'static str,
    /// Holds a pattern.
    pub(crate) matches: &'static str,
    /// Holds a program and a directory, in this order.
    pub(crate) listed: [&'static str; 3],
    /// Holds a name.
    pub(crate) branch: &'static str,
    /// Holds a ref and a remote, in this order.
    pub(crate) on_remote: [&'static str; 3],
    pub(crate) unresolved: &'static str,
    pub(crate) outside: &'static str,
    pub(crate) part_of_system: &'static str,
    pub(crate) elsewhere: &'static str,

    pub(crate) undo_yes: &'static str,
    /// What is deleted is made from something else.
    pub(crate) undo_build: &'static str,
    pub(crate) undo_git: &'static str,
    pub(crate) undo_backup: &'static str,
    pub(crate) undo_no: &'static str,
    pub(crate) undo_no_from_here: &'static str,
    pub(crate) undo_unknown: &'static str,

    /// Before how much goes in all.
    pub(crate) in_all: &'static str,
    /// One and several; both hold a number.
    pub(crate) directories: [&'static str; 2],
    pub(crate) files: [&'static str; 2],
    pub(crate) nothing_in_it: &'static str,
    pub(crate) lost_for_good: &'static str,
    /// It has another name that does not go.
    pub(crate) stays_linked: &'static str,
    pub(crate) old_text_lost: &'static str,
    /// Around the number of files that are lost, and of all.
    pub(crate) lost_in_part: [&'static str; 3],
    /// Holds the number of files.
    pub(crate) more_lost: &'static str,
    /// Before the files that are lost, and before those that come back.
    pub(crate) lost_heading: &'static str,
    pub(crate) spared_heading: &'static str,
    /// Files that lie directly in the directory: one and several; both hold a number.
    pub(crate) files_here: [&'static str; 2],
    /// Holds the number of files that come back and are not told.
    pub(crate) more_spared: &'static str,
    pub(crate) not_all_seen: &'static str,

    /// Before a file that would differ from what it is.
    pub(crate) differs: &'static str,
    pub(crate) new_file: &'static str,
    pub(crate) part_missing: &'static str,
    /// Holds how often the part stands there.
    pub(crate) part_repeated: &'static str,
    pub(crate) no_difference: &'static str,
    pub(crate) not_a_text: &'static str,
    pub(crate) too_long_to_compare: &'static str,
    pub(crate) not_compared: &'static str,
    pub(crate) secret_not_shown: &'static str,
    pub(crate) too_many_to_compare: &'static str,
    pub(crate) no_line_break: &'static str,
    /// Holds the number of lines left out.
    pub(crate) lines_differ_too: &'static str,

    /// Stands before what a rule says, in a language where that has no first word to take.
    pub(crate) outcome: &'static str,
    pub(crate) why: &'static str,
    pub(crate) unread: &'static str,
    pub(crate) safer: &'static str,
    pub(crate) answer: &'static str,
    pub(crate) instead: &'static str,
    /// Holds who.
    pub(crate) wants_instead: &'static str,
    pub(crate) refused: &'static str,
    /// Holds who.
    pub(crate) refused_by: &'static str,
    pub(crate) reason: &'static str,
    pub(crate) agent_says: &'static str,
    pub(crate) quotes: [&'static str; 2],
    /// Between two parts of a sentence.
    pub(crate) semicolon: &'static str,
    /// Holds what could not be read.
    pub(crate) part_unread: &'static str,
    /// Why it is refused where no rule says it.
    pub(crate) forbidden: &'static str,
    /// Between the name of a rule and what it says.
    pub(crate) colon: &'static str,
    /// Why it asks about a change although no rule spoke.
    pub(crate) posture_asks: &'static str,
    /// Why it asks although nothing would change.
    pub(crate) policy_asks: &'static str,
    /// The word before what the user permits beforehand.
    pub(crate) permitted: &'static str,
    /// A configured rule that only may be about it, with `{}` for what it says.
    pub(crate) may_be_meant: &'static str,
    /// Holds what to type.
    pub(crate) type_this: &'static str,
    pub(crate) choice_cancel: &'static str,
    pub(crate) choice_go_ahead: &'static str,
    pub(crate) choice_back_up: &'static str,
    pub(crate) choice_difference: &'static str,
    /// Marks the answer that counts when nothing is chosen; holds the answer.
    pub(crate) default_choice: &'static str,

    pub(crate) default_remote: &'static str,
    pub(crate) current_branch: &'static str,
    pub(crate) all_branches: &'static str,
    pub(crate) all_tags: &'static str,

    /// Holds the number of names left out of a list.
    pub(crate) more_names: &'static str,
    /// Holds the number of rows left out.
    pub(crate) more_rows: &'static str,
    /// Holds the number of lines left out.
    pub(crate) lines_omitted: &'static str,
    /// Holds the number of characters left out.
    pub(crate) characters_omitted: &'static str,
}

impl Texts {
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }

    pub(crate) const fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Allow => self.allow,
            Verdict::Ask => self.ask,
            Verdict::Block => self.block,
        }
    }

    pub(crate) fn risk(&self, risk: Risk) -> String {
        self.risk.replace("{}", self.risk_name(risk))
    }

    pub(crate) const fn risk_name(&self, risk: Risk) -> &'static str {
        let [none, low, medium, high, critical] = self.risks;
        match risk {
            Risk::None => none,
            Risk::Low => low,
            Risk::Medium => medium,
            Risk::High => high,
            Risk::Critical => critical,
        }
    }

    pub(crate) const fn phrase(&self, kind: EffectKind) -> &Phrase {
        match kind {
            EffectKind::Read => &self.read,
            EffectKind::Create => &self.create,
            EffectKind::Overwrite => &self.overwrite,
            EffectKind::Delete => &self.delete,
            EffectKind::Move => &self.relocate,
            EffectKind::Permission => &self.permission,
            EffectKind::Execute => &self.execute,
            EffectKind::NetworkRead => &self.network_read,
            EffectKind::NetworkWrite => &self.network_write,
            EffectKind::Publish => &self.publish,
            EffectKind::HistoryRewrite => &self.history_rewrite,
            EffectKind::Process => &self.process,
            EffectKind::Privilege => &self.privilege,
            EffectKind::System => &self.system,
            EffectKind::DatabaseRead => &self.database_read,
            EffectKind::DatabaseWrite => &self.database_write,
            EffectKind::DatabaseSchema => &self.database_schema,
            EffectKind::DatabaseRights => &self.database_rights,
            EffectKind::SecretRead => &self.secret_read,
            EffectKind::SecretSend => &self.secret_send,
            EffectKind::SelfState => &self.self_state,
            EffectKind::Opaque => &self.opaque,
        }
    }
}

static ENGLISH: Texts = Texts {
    allow: "allow",
    ask: "ask",
    block: "block",
    risk: "risk {}",
    risks: ["none", "low", "medium", "high", "critical"],

    read: phrase("reads", "{}"),
    create: phrase("creates", "{}"),
    add: phrase("adds to", "{}"),
    overwrite: phrase("overwrites", "{}"),
    delete: phrase("deletes", "{}"),
    relocate: phrase("moves", "{}"),
    permission: phrase("changes", "the rights of {}"),
    execute: phrase("runs", "{}"),
    network_read: phrase("fetches", "{}"),
    network_write: phrase("sends to", "{}"),
    publish: phrase("publishes", "{}"),
    history_rewrite: phrase("rewrites", "{}"),
    process: phrase("stops", "{}"),
    privilege: phrase("grants", "rights through {}"),
    system: phrase("changes", "{}"),
    database_read: phrase("queries", "{}"),
    database_write: phrase("changes", "rows of {}"),
    database_schema: phrase("changes", "the structure of {}"),
    database_rights: phrase("grants", "rights in {}"),
    secret_read: phrase("shows", "the secret {}"),
    secret_send: phrase("gives away", "a secret: {}"),
    self_state: phrase("touches", "Signoff itself: {}"),
    opaque: phrase("runs", "what nobody has read: {}"),

    comma: ", ",
    matches: "whatever matches {}",
    listed: ["whatever ", " lists under ", ""],
    branch: "branch {}",
    on_remote: ["", " on ", ""],
    unresolved: "{}, known only when it runs",
    outside: "{}, outside this project",
    part_of_system: "{}, part of the system",
    elsewhere: "{}, on another machine",

    undo_yes: "can be undone",
    undo_build: "a build makes it again",
    undo_git: "git can restore it",
    undo_backup: "a backup could restore it",
    undo_no: "cannot be undone",
    undo_no_from_here: "cannot be undone from here",
    undo_unknown: "may be lost for good",

    in_all: "in all",
    directories: ["{} directory", "{} directories"],
    files: ["{} file", "{} files"],
    nothing_in_it: "nothing in it",
    lost_for_good: "NOT in git: lost for good",
    stays_linked: "stays under another name (hard link)",
    old_text_lost: "old text NOT in git: lost",
    lost_in_part: ["", " of ", " files lost for good"],
    more_lost: "and {} more that would be lost; `find` lists them",
    lost_heading: "lost for good:",
    spared_heading: "comes back:",
    files_here: ["{} file here", "{} files here"],
    more_spared: "and {} more files",
    not_all_seen: "not all of it could be looked at",

    differs: "differs",
    new_file: "a new file",
    part_missing: "the part to be replaced is not in it",
    part_repeated: "the part to be replaced stands {} times in it; which is meant is not known",
    no_difference: "nothing differs",
    not_a_text: "no text, so no difference can be shown",
    too_long_to_compare: "longer than 1 MiB, the difference is not shown",
    not_compared: "could not be read, or changes right now",
    secret_not_shown: "holds secrets, the difference is not shown",
    too_many_to_compare: "not compared, there are too many files",
    no_line_break: "no line break at the end",
    lines_differ_too: "{} more lines: show everything (--full)",

    outcome: "would",
    why: "why",
    unread: "unread",
    safer: "safer",
    answer: "answer",
    instead: "instead",
    wants_instead: "{} wants this in place of what was asked first",
    refused: "refused",
    refused_by: "by {} before:",
    reason: "reason",
    agent_says: "the agent says:",
    quotes: ["“", "”"],
    semicolon: "; ",
    part_unread: "a part could not be read: {}",
    forbidden: "no agent may do this",
    colon: ": ",
    posture_asks: "the strict posture and low trust ask about every change",
    policy_asks: "this posture or this level of trust asks about everything",
    permitted: "permitted",
    may_be_meant: "what runs is known only when it runs, and may be: {}",
    type_this: "type `{}` to go ahead",
    choice_cancel: "cancel",
    choice_go_ahead: "go ahead",
    choice_back_up: "back up first",
    choice_difference: "show the difference",
    default_choice: "{} (default)",

    default_remote: "the remote",
    current_branch: "the current branch",
    all_branches: "all branches",
    all_tags: "all tags",

    more_names: "and {} more (--full lists them)",
    more_rows: "{} more, --full lists them",
    lines_omitted: "{} lines not shown here, --full shows them",
    characters_omitted: "‹{} characters not shown here, --full shows them›",
};

static CHINESE: Texts = Texts {
    allow: "放行",
    ask: "询问",
    block: "拦截",
    risk: "{}风险",
    risks: ["无", "低", "中", "高", "严重"],

    read: phrase("读取", "{}"),
    create: phrase("新建", "{}"),
    add: phrase("添加到", "{}"),
    overwrite: phrase("覆盖", "{}"),
    delete: phrase("删除", "{}"),
    relocate: phrase("移动", "{}"),
    permission: phrase("更改", "{} 的权限"),
    execute: phrase("运行", "{}"),
    network_read: phrase("获取", "{}"),
    network_write: phrase("发送到", "{}"),
    publish: phrase("发布", "{}"),
    history_rewrite: phrase("改写", "{}"),
    process: phrase("终止", "{}"),
    privilege: phrase("授予", "权限，经由 {}"),
    system: phrase("更改", "{}"),
    database_read: phrase("查询", "{}"),
    database_write: phrase("更改", "{} 中的数据"),
    database_schema: phrase("更改", "{} 的结构"),
    database_rights: phrase("授予", "{} 中的权限"),
    secret_read: phrase("显示", "机密 {}"),
    secret_send: phrase("外泄", "机密：{}"),
    self_state: phrase("操作", "Signoff 自身：{}"),
    opaque: phrase("运行", "无人看过的内容：{}"),

    comma: "、",
    matches: "所有匹配 {} 的内容",
    listed: ["", " 在 ", " 下列出的一切"],
    branch: "分支 {}",
    on_remote: ["", "（", "）"],
    unresolved: "{}，运行时才能确定",
    outside: "{}，在本项目之外",
    part_of_system: "{}，属于操作系统",
    elsewhere: "{}，在另一台机器上",

    undo_yes: "可以撤销",
    undo_build: "构建会重新生成",
    undo_git: "git 可以恢复",
    undo_backup: "备份可以恢复",
    undo_no: "无法撤销",
    undo_no_from_here: "无法从这里撤销",
    undo_unknown: "可能永久丢失",

    in_all: "合计",
    directories: ["{} 个目录", "{} 个目录"],
    files: ["{} 个文件", "{} 个文件"],
    nothing_in_it: "其中没有内容",
    lost_for_good: "不在 git 中：将永久丢失",
    stays_linked: "仍以其他名称保留（硬链接）",
    old_text_lost: "原内容不在 git 中：将丢失",
    lost_in_part: ["", "/", " 个文件将永久丢失"],
    more_lost: "另有 {} 个文件将丢失，可用 `find` 列出",
    lost_heading: "将永久丢失：",
    spared_heading: "可以恢复：",
    files_here: ["此处 {} 个文件", "此处 {} 个文件"],
    more_spared: "另有 {} 个文件",
    not_all_seen: "未能查看全部内容",

    differs: "差异",
    new_file: "新文件",
    part_missing: "其中没有要替换的内容",
    part_repeated: "要替换的内容在其中出现 {} 次，无法确定是哪一处",
    no_difference: "没有差异",
    not_a_text: "不是文本，无法显示差异",
    too_long_to_compare: "超过 1 MiB，不显示差异",
    not_compared: "无法读取，或正在变化",
    secret_not_shown: "含有机密，不显示差异",
    too_many_to_compare: "文件过多，未作比较",
    no_line_break: "末尾没有换行符",
    lines_differ_too: "另有 {} 行：全部显示（--full）",

    outcome: "后果",
    why: "原因",
    unread: "未读",
    safer: "更安全",
    answer: "回答",
    instead: "代替",
    wants_instead: "{} 希望以此代替最初的请求",
    refused: "曾被拒绝",
    refused_by: "{} 此前拒绝过：",
    reason: "理由",
    agent_says: "智能体称：",
    quotes: ["“", "”"],
    semicolon: "；",
    part_unread: "有一部分无法读取：{}",
    forbidden: "任何代理都不得执行此操作",
    colon: "：",
    posture_asks: "严格策略或低信任等级会询问每项更改",
    policy_asks: "当前策略或信任等级要求每次询问",
    permitted: "许可",
    may_be_meant: "实际运行的内容要到运行时才知道，可能是：{}",
    type_this: "输入「{}」以继续",
    choice_cancel: "取消",
    choice_go_ahead: "继续",
    choice_back_up: "先备份",
    choice_difference: "查看差异",
    default_choice: "{}（默认）",

    default_remote: "远端",
    current_branch: "当前分支",
    all_branches: "所有分支",
    all_tags: "所有标签",

    more_names: "以及另外 {} 项（--full 全部列出）",
    more_rows: "另有 {} 项，--full 全部列出",
    lines_omitted: "此处省略 {} 行，--full 全部显示",
    characters_omitted: "‹此处省略 {} 个字符，--full 全部显示›",
};

#[cfg(test)]
mod tests {
    use signoff_model::{EffectKind, Risk};
    use unicode_width::UnicodeWidthStr;

    use super::Texts;
    use crate::Language;

    #[test]
    fn every_language_keeps_the_places_for_values() {
        for language in Language::ALL {
            let texts = Texts::of(language);
            for text in [
                texts.risk,
                texts.matches,
                texts.branch,
                texts.unresolved,
                texts.outside,
                texts.part_of_system,
                texts.elsewhere,
                texts.part_unread,
                texts.type_this,
                texts.default_choice,
                texts.more_lost,
                texts.more_spared,
                texts.files_here[0],
                texts.files_here[1],
                texts.part_repeated,
                texts.lines_differ_too,
                texts.directories[0],
                texts.directories[1],
                texts.files[0],
                texts.files[1],
                texts.more_names,
                texts.more_rows,
                texts.lines_omitted,
                texts.characters_omitted,
                texts.phrase(EffectKind::Opaque).object,
                texts.phrase(EffectKind::Permission).object,
                texts.phrase(EffectKind::SecretSend).object,
            ] {
                assert_eq!(text.matches("{}").count(), 1, "{language:?}: {text}");
            }
            for risk in Risk::ALL {
                assert!(!texts.risk(risk).contains("{}"));
            }
        }
    }

    #[test]
    fn verdicts_fit_their_column() {
        for language in Language::ALL {
            let texts = Texts::of(language);
            for word in [texts.allow, texts.ask, texts.block] {
                assert!(word.width() <= 5, "{word}");
            }
        }
    }
}
