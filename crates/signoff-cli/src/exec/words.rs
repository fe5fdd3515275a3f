//! What is said to the person at the terminal.

use signoff_card::Language;

/// The texts of one language.
pub(super) struct Words {
    pub(super) run_it: &'static str,
    pub(super) no: [&'static str; 2],
    pub(super) yes: [&'static str; 2],
    pub(super) back_up: [&'static str; 2],
    pub(super) show: [&'static str; 2],
    pub(super) type_this: &'static str,
    pub(super) back_up_too: &'static str,
    pub(super) not_understood: &'static str,
    pub(super) nothing_run: &'static str,
    pub(super) late: &'static str,
    pub(super) ended: &'static str,
    pub(super) backing_up: &'static str,
    pub(super) backed_up: &'static str,
    pub(super) entries: [&'static str; 2],
    pub(super) undo_hint: &'static str,
    pub(super) changed: &'static str,
    pub(super) came: &'static str,
    pub(super) went: &'static str,
    pub(super) differs: &'static str,
    pub(super) left_running: &'static str,
    pub(super) cut: &'static str,
    pub(super) withheld: &'static str,
    pub(super) asked_elsewhere: &'static str,
    pub(super) denied_elsewhere: &'static str,
    pub(super) changed_elsewhere: &'static str,
}

const ENGLISH: Words = Words {
    run_it: "Run it?",
    no: ["n", "no"],
    yes: ["y", "yes"],
    back_up: ["b", "back up first"],
    show: ["s", "show everything"],
    type_this: "Type `{}` to run it, `s` to show everything, or anything else to leave it: ",
    back_up_too: "Back up first? [Y/n] ",
    not_understood: "Please answer with one of the letters.\n",
    nothing_run: "Nothing was run.\n",
    late: "Nobody answered in time; nothing was run.\n",
    ended: "The input ended before an answer; nothing was run.\n",
    backing_up: "backing up: {}",
    backed_up: "Backed up as {}: {}, {}.\n",
    entries: ["{} entry", "{} entries"],
    undo_hint: "Bring it back with: signoff undo {}\n",
    changed: "Nothing was run: it is no longer what you were shown.\n",
    came: "  new      {}\n",
    went: "  gone     {}\n",
    differs: "  changed  {}\n",
    left_running: "note: something that the command started may still be running\n",
    cut: "\n[… {} bytes left out …]\n",
    withheld: "note: not as in your environment, since it would change what runs: {}\n hint: write it into the command itself\n",
    asked_elsewhere: "asked at the gateway as {}; waiting for the answer\n",
    denied_elsewhere: "Denied at the gateway; nothing was run. {}\n",
    changed_elsewhere: "Approved at the gateway in another form: {}\n",
};

const CHINESE: Words = Words {
    run_it: "要运行吗？",
    no: ["n", "否"],
    yes: ["y", "是"],
    back_up: ["b", "先备份"],
    show: ["s", "全部显示"],
    type_this: "输入 `{}` 才会运行，输入 `s` 全部显示，输入其他任何内容则不运行：",
    back_up_too: "先备份吗？[Y/n] ",
    not_understood: "请用上述字母之一回答。\n",
    nothing_run: "未运行任何内容。\n",
    late: "没有人及时回答；未运行任何内容。\n",
    ended: "输入在回答之前已结束；未运行任何内容。\n",
    backing_up: "正在备份：{}",
    backed_up: "已备份为 {}：{}，{}。\n",
    entries: ["{} 项", "{} 项"],
    undo_hint: "恢复命令：signoff undo {}\n",
    changed: "未运行：它已不是刚才展示的内容。\n",
    came: "  新增  {}\n",
    went: "  消失  {}\n",
    differs: "  变化  {}\n",
    left_running: "注意：该命令启动的某些进程可能仍在运行\n",
    cut: "\n[… 省略 {} 字节 …]\n",
    withheld: "注意：以下变量会改变实际运行的内容，未按您的环境传给命令：{}\n提示：请将其写在命令之中\n",
    asked_elsewhere: "已在网关提问（{}）；正在等待回答\n",
    denied_elsewhere: "已在网关被拒绝；未运行任何内容。{}\n",
    changed_elsewhere: "已在网关以另一形式批准：{}\n",
};

impl Words {
    pub(super) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }
}
