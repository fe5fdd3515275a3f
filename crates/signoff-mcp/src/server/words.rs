//! What the server says by itself, to agents and to whoever reads over their shoulder.

use signoff_card::{Language, visible};

/// The words of one language.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) Language);

impl Words {
    const fn either(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self.0 {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    pub(super) fn waiting(self, id: &str) -> String {
        self.either("waiting for a person to decide about {}", "正在等待有人决定 {}").replace("{}", id)
    }

    pub(super) fn asked_about(self, tool: &str) -> String {
        self.either("`{}` is being decided about", "正在决定 `{}`").replace("{}", &visible(tool))
    }

    pub(super) fn for_its_user(self, tool: &str) -> String {
        let told = self.either(
            "`{}` is a question to the user, and nobody in front of this client can answer it; nothing was approved. Put a plan to \
             people with `plan_review`, and a question with `ask_user`",
            "`{}` 是给用户的提问，而此客户端前无人可回答；未批准任何内容。请用 `plan_review` 提交计划，用 `ask_user` 提问",
        );
        told.replace("{}", &visible(tool))
    }

    pub(super) const fn running(self) -> &'static str {
        self.either("still running", "仍在运行")
    }

    pub(super) const fn cancelled(self) -> &'static str {
        self.either("the call was taken back", "调用已被撤回")
    }

    pub(super) const fn allowed(self) -> &'static str {
        self.either("nobody has to be asked about this", "无需询问任何人")
    }

    pub(super) const fn approved(self) -> &'static str {
        self.either("a person said yes; it has not been used yet", "已获批准，尚未使用")
    }

    pub(super) const fn approved_for_safe_exec(self) -> &'static str {
        self.either(
            "approved: `safe_exec` with this `approval_id` runs exactly what was shown, once",
            "已批准：用 `safe_exec` 并给出此 `approval_id`，将恰好运行所示内容一次",
        )
    }

    pub(super) const fn approved_for_caller(self) -> &'static str {
        self.either("approved: do exactly this now, once", "已批准：现在恰好执行此操作一次")
    }

    pub(super) fn otherwise(self, form: &str) -> String {
        self.either("not approved as asked, but: {}", "未按原样批准，而是：{}").replace("{}", &visible(form))
    }

    pub(super) const fn only_with_backup(self) -> &'static str {
        self.either("only after a copy of what would be lost was made", "须先备份将会失去的内容")
    }

    pub(super) fn denied(self, by: &str, said: &str) -> String {
        let told = self.either("{by} said no: {}", "{by} 拒绝：{}").replace("{by}", &visible(by));
        told.replace("{}", &visible(said))
    }

    pub(super) fn blocked(self, why: &str) -> String {
        self.either("blocked, and nobody can allow it here: {}", "已禁止，且无人可在此放行：{}")
            .replace("{}", &visible(why))
    }

    pub(super) const fn expired(self) -> &'static str {
        self.either(
            "nobody decided in time, or it was not run in time; that is no person's no",
            "超时：这并不代表有人拒绝",
        )
    }

    pub(super) const fn pending(self) -> &'static str {
        self.either(
            "nobody has answered yet; it stays open, and the same call or `approval_status` finds it again",
            "尚无人回答；问题保持开放，重复此调用或用 `approval_status` 可再次查到",
        )
    }

    pub(super) const fn used(self) -> &'static str {
        self.either("the yes was used before; ask again for another run", "批准已被使用；再次运行须重新询问")
    }

    pub(super) const fn over(self) -> &'static str {
        self.either("the question is over, and nothing may run by it", "问题已结束，不得据此运行任何内容")
    }

    pub(super) fn unreadable(self, complaint: &str) -> String {
        let told = self.either("Signoff could not decide about this call: {}", "Signoff 无法判断此调用：{}");
        told.replace("{}", &visible(complaint.trim()))
    }

    pub(super) fn question(self, question: &str) -> String {
        let told = self.either(
            "The agent asks:\n\n{}\n\n(Signoff passes this on. Your answer is for the agent; it approves nothing that the agent runs.)",
            "智能体提问：\n\n{}\n\n（由 Signoff 转达。回答仅供智能体参考，不批准它运行的任何内容。）",
        );
        told.replace("{}", question)
    }

    pub(super) const fn in_front(self) -> &'static str {
        self.either("waiting for the user's answer", "正在等待用户回答")
    }

    pub(super) const fn misfit(self) -> &'static str {
        self.either("what came back is no answer to the question", "收到的内容并非对该问题的回答")
    }

    pub(super) const fn no_form(self) -> &'static str {
        self.either(
            "this client cannot ask its user with a form, and only yes or no can be asked elsewhere: ask so, or in your own words",
            "此客户端无法用表单询问用户，其他途径只能问是或否：请改问是否，或直接用文字提问",
        )
    }

    pub(super) const fn nobody_asked(self) -> &'static str {
        self.either("nobody could be asked this, so that there is no answer", "无法就此询问任何人，因此没有回答")
    }

    pub(super) const fn nothing_runs(self) -> &'static str {
        self.either("nothing is run over the network", "不会通过网络运行任何内容")
    }

    pub(super) const fn start_a_gateway(self) -> &'static str {
        self.either("start one: signoff serve", "请启动网关：signoff serve")
    }
}
