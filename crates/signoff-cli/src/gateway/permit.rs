//! `signoff permit verify`: whether a permit is real, without asking anybody.

use signoff_card::visible;
use signoff_gate::Places;
use signoff_model::Digest;
use signoff_permit::VerifierKey;

use super::verifier;
use crate::{
    failure::Failure,
    gateway::arguments::{PermitArguments, PermitCommand},
    output::Output,
};

pub(crate) fn run(arguments: &PermitArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let PermitCommand::Verify { permit, key } = &arguments.command;
    let key = match key {
        None => verifier(&places.verifier())?,
        Some(text) => VerifierKey::parse(text).map_err(|_| {
            Failure::usage("that is no key", "这不是密钥").hint("a key begins with `sgk1.`", "密钥以 `sgk1.` 开头")
        })?,
    };
    let claims = key.authentic(permit.trim()).map_err(|error| {
        let text = visible(&error.to_string());
        Failure::usage(text.clone(), format!("许可无效：{text}")).hint("nothing may run on it", "不得据此运行任何操作")
    })?;
    let digest = |bytes: [u8; 32]| Digest::from_bytes(bytes).to_string();
    let approval: String = claims.approval.iter().map(|byte| format!("{byte:02x}")).collect();
    let rows = [
        ("approval", approval),
        ("agent", visible(&claims.agent)),
        ("session", visible(&claims.session)),
        ("operation", digest(claims.operation)),
        ("preview", digest(claims.preview)),
        ("policy", digest(claims.policy)),
        ("issued", claims.issued_at.to_string()),
        ("expires", claims.expires_at.to_string()),
    ];
    let mut text = "authentic: running still needs to redeem it\n".to_owned();
    for (name, value) in rows {
        text.push_str(&format!("  {name:<10} {value}\n"));
    }
    output.text(&text)
}
