//! `signoff permit verify`: whether a permit is real, without asking anybody.

use signoff_card::visible;
use signoff_gate::Places;
use signoff_model::Digest;
use signoff_permit::{PermitError, VerifierKey};

use super::key::verifier;
use crate::{
    failure::{Failure, in_language},
    gateway::arguments::{PermitArguments, PermitCommand},
    judge::language,
    output::Output,
};

pub(crate) fn run(arguments: &PermitArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let PermitCommand::Verify { permit, key } = &arguments.command;
    let key = match key {
        None => verifier(places)?,
        Some(text) => VerifierKey::parse(text).map_err(|_| {
            Failure::usage("that is no key", "这不是密钥").hint("a key begins with `sgk1.`", "密钥以 `sgk1.` 开头")
        })?,
    };
    let claims = key.authentic(permit.trim()).map_err(|error| refusal(&error))?;
    let digest = |bytes: [u8; 32]| Digest::from_bytes(bytes).to_string();
    let approval: String = claims.approval.iter().map(|byte| format!("{byte:02x}")).collect();
    let language = language(arguments.lang);
    let rows = [
        ("approval", "问题", approval),
        ("agent", "智能体", visible(&claims.agent)),
        ("session", "会话", visible(&claims.session)),
        ("operation", "操作", digest(claims.operation)),
        ("preview", "预览", digest(claims.preview)),
        ("policy", "策略", digest(claims.policy)),
        ("issued", "签发时间", claims.issued_at.to_string()),
        ("expires", "到期时间", claims.expires_at.to_string()),
    ];
    let mut text =
        in_language(language, "authentic: running still needs to redeem it\n", "真实有效：运行前仍须兑现\n").to_owned();
    for (english, chinese, value) in rows {
        let name = in_language(language, english, chinese);
        // A sign of Chinese takes two columns.
        let wide = name.chars().filter(|sign| !sign.is_ascii()).count();
        text.push_str(&format!(
            "  {name}{} {value}\n",
            " ".repeat(10_usize.saturating_sub(name.chars().count() + wide))
        ));
    }
    output.text(&text)
}

/// Why a permit is none, or none that counts.
fn refusal(error: &PermitError) -> Failure {
    let chinese = match error {
        PermitError::Malformed => "这不是许可",
        PermitError::NewerForm => "此许可的格式较新，本程序无法读取",
        PermitError::OtherKey => "此许可由另一把密钥签发",
        PermitError::Forged => "此许可的签名不符",
        PermitError::Expired => "此许可已过期",
        _ => "许可无效",
    };
    Failure::usage(visible(&error.to_string()), chinese).hint("nothing may run on it", "不得据此运行任何操作")
}
