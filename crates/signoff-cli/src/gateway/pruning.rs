//! `signoff ledger prune`: a person removes old entries, through the gateway where one runs, and in the store itself where none
//! does.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use signoff_card::Language;
use signoff_gate::{Places, Store};
use signoff_model::{Actor, Answerer, Assurance, ChannelId, PersonId};
use signoff_store::{LedgerError, own, prune};

use super::{Calls, key, not_owned, of_store, own_name};
use crate::{
    failure::{Failure, in_language},
    output::Output,
    policies,
};

/// A long ledger takes its time.
const PRUNED_WITHIN: Duration = Duration::from_secs(600);

/// Nothing younger goes, whoever wants it.
const AT_LEAST: Duration = Duration::from_secs(24 * 60 * 60);

/// What is gone.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct Gone {
    from: u64,
    to: u64,
}

/// Lets the gateway remove what is older.
pub(super) fn at_gateway(calls: &Calls, older_than: Duration) -> Result<Option<Gone>, Failure> {
    let body = json!({"older_than_seconds": older_than.as_secs()});
    calls.call(http::Method::POST, "/v1/ledger/prune", Some(&body), PRUNED_WITHIN)
}

/// Removes what is older from a store that no gateway serves, in the name of whoever is at the terminal.
pub(super) async fn in_store(
    store: &dyn Store,
    places: &Places,
    older_than: Duration,
) -> Result<Option<Gone>, Failure> {
    let settings = signoff_config::load(&places.locations(None)).map_err(|fault| policies::failure(&fault))?;
    let at_least = settings.ledger.retention.value.unwrap_or(AT_LEAST).max(AT_LEAST);
    if older_than < at_least {
        let days = at_least.as_secs().div_ceil(AT_LEAST.as_secs());
        return Err(Failure::usage(
            format!("entries are kept for {days} days at least"),
            format!("条目至少保留 {days} 天"),
        )
        .hint(
            "`ledger.retention` says how long, or a day where it is not set",
            "时长由 `ledger.retention` 决定，未设置时为一天",
        ));
    }
    let by = PersonId::new(own_name()).map_err(|bad| Failure::internal(bad.to_string(), bad.to_string()))?;
    let by = Actor::Person(Answerer { person: by, channel: ChannelId::inbox(), assurance: Assurance::Login });
    let key = key::secret(&places.key())?;
    own(store, &key.verifier()).await.map_err(|error| not_owned(&error))?;
    let pruned = prune(store, &key, older_than, &by).await.map_err(|error| match error {
        LedgerError::Store(error) => of_store(&error),
        broken => Failure::internal(broken.to_string(), format!("账本与写入时不符：{broken}")),
    })?;
    Ok(pruned.map(|pruned| Gone { from: pruned.from, to: pruned.up_to.number }))
}

/// Says what is gone.
pub(super) fn told(gone: Option<Gone>, language: Language, json: bool, output: &mut Output) -> Result<(), Failure> {
    if json {
        let value = gone.map(|Gone { from, to }| json!({"from": from, "to": to}));
        return output.text(&format!("{}\n", json!({"removed": value})));
    }
    let Some(Gone { from, to }) = gone else {
        return output.text(in_language(
            language,
            "Nothing was removed: no signed part of the ledger is as old as that and about nothing that is open.\n",
            "未移除任何条目：账本中没有这么旧、已签名且与待答问题无关的部分。\n",
        ));
    };
    output.text(&match language {
        Language::English => format!("Removed entries {from} to {to}. The ledger begins behind them, and says so.\n"),
        Language::Chinese => format!("已移除条目 {from} 至 {to}。账本从其后开始，并已记录此事。\n"),
    })
}
