//! What a gateway says is wrong, in Chinese: it names each problem by a stable code.

/// What a problem is called in Chinese. The gateway's own words stand behind it only where they say more than the code does,
/// such as a name or a number.
pub(super) fn in_chinese(code: &str, detail: &str) -> String {
    let Some(known) = KNOWN.iter().find(|(known, _)| *known == code) else { return format!("{detail}（{code}）") };
    let mut told = exactly(detail).unwrap_or(known.1).to_owned();
    if let Some(more) = said_more(code, detail) {
        told = format!("{told}：{more}");
    }
    told
}

/// What the code leaves open.
fn said_more(code: &str, detail: &str) -> Option<String> {
    if let Some((_, who)) = detail.rsplit_once(": approved by ") {
        return Some(format!("已由 {who} 批准"));
    }
    if let Some((_, who)) = detail.rsplit_once(": denied by ") {
        return Some(format!("已由 {who} 拒绝"));
    }
    if let Some((_, left)) = detail.rsplit_once("tries left: ") {
        return Some(format!("剩余 {left} 次"));
    }
    match code {
        "taken" | "last-administrator" => {
            let name = detail.split('`').nth(1)?;
            Some(format!("`{name}`"))
        }
        "not-yours" => detail.strip_prefix("that is ")?.split_once("'s: ").map(|(who, _)| who.to_owned()),
        "locked-down" => detail.split_once(" has locked ").map(|(who, _)| who.to_owned()),
        "kept" => {
            let days = detail.split_whitespace().find(|word| word.parse::<u64>().is_ok())?;
            Some(format!("至少保留 {days} 天"))
        }
        "assurance-too-low" => detail.split('`').nth(1).map(|level| format!("`{level}`")),
        "invalid" => exactly(detail).is_none().then(|| detail.to_owned()),
        "malformed" | "internal" | "no-policy" | "broken-ledger" | "bad-permit" | "store-damaged" | "store-full"
        | "store-unavailable" | "store-newer" | "unkeepable" | "in-doubt" | "too-long" | "grant-pattern" => {
            Some(detail.to_owned())
        }
        _ => None,
    }
}

/// Sentences for a code that stands for many things.
fn exactly(detail: &str) -> Option<&'static str> {
    Some(match detail {
        "`number` must be two digits" => "`number` 必须是两位数字",
        "`attempt` must be 64 small hexadecimal digits" => "`attempt` 必须是 64 个小写十六进制数字",
        "`choice` is none of those there are" => "`choice` 不是可选项之一",
        "`covers` must be one of low, medium, high" => "`covers` 必须是 low、medium、high 之一",
        "`seen` must be what the batch was shown with" => "`seen` 必须是展示该批次时给出的值",
        "a grant for a pattern has either `project` or `everywhere`" => {
            "按模式的授权须有 `project` 或 `everywhere` 之一"
        }
        "`stage` names nothing" => "`stage` 不存在",
        "`agent` names nothing" => "`agent` 不存在",
        "`session` names nothing" => "`session` 不存在",
        "that is not the text; there are no tries left" => "输入的文字不对，已没有机会",
        "that is not the number: it is refused" => "数字不对：已拒绝",
        _ => return None,
    })
}

const KNOWN: &[(&str, &str)] = &[
    ("administrators-only", "只有管理员可以这样做：请联系管理员"),
    ("assurance-too-low", "批准此项需要更可靠的登录，请在已登录的地方回答"),
    ("bad-password", "密码须有 10 到 512 个字符"),
    ("bad-permit", "许可无效"),
    ("blocked", "被禁止的操作不因任何回答而放行"),
    ("broken-ledger", "账本已损坏"),
    ("changed-alone", "需多人同意同一内容：一个人不能更改"),
    ("closed", "问题已结束"),
    ("delegation-lasting", "代答时长须在一分钟到 30 天之间"),
    ("delegation-meanwhile", "期间已有改动：请重新查看"),
    ("delegation-nobody", "没有这个人"),
    ("delegation-oneself", "只能交给别人代答"),
    ("expired", "已超时；这不是拒绝"),
    ("forbidden", "凭据不适用于此处：智能体提问，人来回答"),
    ("grant-boundless", "模式须指明程序，且不能是可执行任意内容的程序：否则等于全部放行"),
    ("grant-does-not-fit", "该授权无法回答此问题：旁边有别的命令，或有规则要求每次询问"),
    ("grant-lasting", "授权时长须在一秒到 30 天之间"),
    ("grant-no-project", "项目须用绝对路径指明"),
    ("grant-no-use", "授权至少可用一次"),
    ("grant-not-alone", "此处您一人同意不够，因此也不能授权"),
    ("grant-not-needed", "此操作不会询问：无需授权"),
    ("grant-pattern", "模式有误"),
    ("grant-too-grave", "严重操作每次都要询问"),
    ("grant-too-many", "授权已太多：请先撤销一些"),
    ("grant-typed", "须键入的内容每次都要键入"),
    ("in-doubt", "存储未确认结果：请用同一键再试"),
    ("internal", "网关内部错误"),
    ("invalid", "请求内容无效"),
    ("kept", "账本条目有最短保留期"),
    ("key-taken", "此键之前已用于其他请求"),
    ("last-administrator", "最后一名管理员不能移除，请先邀请另一名管理员"),
    ("locked-down", "已锁定，只放行无害操作"),
    ("malformed", "请求格式有误"),
    ("no-answer", "这不是对该问题的回答；问题仍未结束"),
    ("no-policy", "无法读取策略"),
    ("nobody-to-ask", "没有可以询问的人"),
    ("not-approved", "没有人批准它"),
    ("not-asked", "没有询问您"),
    ("not-found", "没有这样的内容，或它不属于您"),
    ("not-invited", "邀请不存在、已被使用或已过期"),
    ("not-redeemed", "没有兑现过任何许可"),
    ("not-reopenable", "只有被人拒绝且未被更改的问题才能陈述一次理由"),
    ("not-requester", "它属于另一个智能体或会话"),
    ("not-seen", "它已不是您看到的内容：请重新查看后再回答"),
    ("not-yours", "这是别人的，只有本人或管理员可以更改"),
    ("number-needed", "批准此项须输入请求方屏幕上的两位数字；问题仍未结束"),
    ("owners-word", "该智能体为您工作，须由别人审看"),
    ("riskier", "更改后的内容比展示的更严重：须重新询问"),
    ("said-before", "您已经这样回答过"),
    ("stale", "将要运行的与展示的不同：请重新询问"),
    ("store-damaged", "存储已损坏"),
    ("store-full", "存储空间已满"),
    ("store-newer", "存储由更新的版本写入"),
    ("store-unavailable", "存储暂不可用"),
    ("taken", "名称已被占用"),
    ("too-large", "请求内容过大"),
    ("too-long", "时长过长"),
    ("too-many", "尝试次数过多：请等一分钟"),
    ("too-many-waiting", "同时等待的请求过多"),
    ("too-slow", "请求内容到达过慢"),
    ("unauthorized", "此处需要有效的凭据"),
    ("unkeepable", "内容无法保存"),
    ("used-before", "它已被使用过"),
    ("wrong-host", "本服务不以该名称应答；请用 `signoff serve --name` 指明"),
    ("wrong-input", "输入的文字不对"),
    ("wrong-method", "此路由不支持该方法"),
    ("wrong-number", "数字不对"),
    ("wrong-origin", "其他网站的页面不得调用本服务"),
    ("wrong-password", "名称或密码有误"),
    ("wrong-permit", "许可属于另一项批准"),
];

#[cfg(test)]
mod tests {
    use super::{KNOWN, in_chinese};

    #[test]
    fn problems_are_told_in_chinese() {
        for (code, detail, told) in [
            ("invalid", "`number` must be two digits", "`number` 必须是两位数字"),
            ("invalid", "`agent`: it is empty", "请求内容无效：`agent`: it is empty"),
            ("closed", "it is no longer open: denied by ann", "问题已结束：已由 ann 拒绝"),
            ("closed", "it is no longer open: approved by ann, bob", "问题已结束：已由 ann, bob 批准"),
            ("wrong-number", "that is not the number; tries left: 2", "数字不对：剩余 2 次"),
            ("wrong-number", "that is not the number: it is refused", "数字不对：已拒绝"),
            ("taken", "`ann` exists already", "名称已被占用：`ann`"),
            (
                "not-yours",
                "that is ann's: only they or an administrator may",
                "这是别人的，只有本人或管理员可以更改：ann",
            ),
            ("wrong-password", "the name or the password is wrong", "名称或密码有误"),
            ("of-tomorrow", "something new", "something new（of-tomorrow）"),
        ] {
            assert_eq!(in_chinese(code, detail), told, "{code}");
        }
    }

    #[test]
    fn every_code_stands_once_and_in_order() {
        assert!(KNOWN.is_sorted_by(|one, next| one.0 < next.0));
    }
}
