//! `check`: what would be said about an operation. Nothing runs.

use serde_json::Value;

use super::{
    House,
    given::Given,
    handler::Failed,
    operation::{described, directory, for_check, place},
    program,
};

/// The words of `signoff check --json`, or those of the gateway where nothing of this machine is looked at.
pub(super) async fn check(house: &House, mut given: Given) -> Result<Value, Failed> {
    let operation = described(&mut given)?;
    let Some(hands) = &house.hands else {
        let cwd = place(&mut given, house)?;
        let intent = given.text_if_any("intent")?;
        given.nothing_else()?;
        return house.door().await?.check(&operation, &cwd, intent).await.map_err(|error| house.away(&error));
    };
    let directory = directory(&mut given, hands)?;
    let intent = given.text_if_any("intent")?;
    given.nothing_else()?;
    let (kind, text) = for_check(&operation)?;
    let mut arguments = house.arguments(&["check", "--json", "--kind", kind]);
    if let Some(intent) = intent {
        arguments.push(format!("--intent={intent}").into());
    }
    let said = program::run(&hands.program, arguments, &directory, text.as_bytes()).await.map_err(Failed)?;
    house.object(said)
}
