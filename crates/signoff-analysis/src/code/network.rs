//! What code fetches and sends.

use signoff_model::{EffectKind, Scope};

use super::{
    names::Act,
    reader::Reader,
    rules,
    thing::{Args, Thing},
};
use crate::{
    shell::families::network::{CHANGE_REQUEST, orders},
    value::{Feed, Origin, Value},
};

/// Does what a function of the network does.
pub(super) fn perform(reader: &mut Reader<'_, '_>, act: Act, name: &str, args: &Args) -> Thing {
    match act {
        Act::Mail if Feed::from_all(args.origins()).secret().is_some() => send(reader, None, args),
        Act::Mail => {
            reader.seen.sent.get_or_insert_with(|| name.to_owned());
            reader.shell.tell(&rules::CODE_MAIL, name, reader.span);
            Thing::result("mail", Vec::new())
        }
        Act::Fetch => fetch(reader, address(args)),
        Act::Request if sends(args) => send(reader, address(args), args),
        Act::Request => fetch(reader, address(args)),
        _ => send(reader, address(args), args),
    }
}

/// Where a request goes.
fn address(args: &Args) -> Option<&Thing> {
    let first = match args.get(0) {
        // `requests.request("POST", url)`.
        Some(Thing::Text(text)) if text.known().is_some_and(is_method) => args.get(1),
        other => other,
    };
    match first {
        Some(Thing::Record(_)) | None => ["url", "uri", "hostname", "host"].iter().find_map(|name| args.named(name)),
        other => other,
    }
}

fn is_method(text: &str) -> bool {
    matches!(
        text,
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | "get" | "post" | "put" | "patch" | "delete"
    )
}

/// Whether a request changes something over there.
fn sends(args: &Args) -> bool {
    let method = args.named("method").and_then(Thing::known).or_else(|| args.known(0).filter(|text| is_method(text)));
    match method.map(str::to_ascii_uppercase).as_deref() {
        Some("GET" | "HEAD" | "OPTIONS") => false,
        Some(_) => true,
        None => {
            args.named("data").is_some()
                || args.named("body").is_some()
                || matches!(args.get(1), Some(Thing::Text(_) | Thing::Result { .. }))
        }
    }
}

/// Something is fetched: harmless, unless the address carries a secret away.
fn fetch(reader: &mut Reader<'_, '_>, address: Option<&Thing>) -> Thing {
    let Some(address) = address else { return Thing::result("response", Vec::new()) };
    let value = address.value();
    if value.secret().is_some() {
        reader.shell.send(&value.shown(), std::iter::once(&value), &Feed::none(), reader.span);
    }
    downloaded(reader, &value.shown())
}

/// What an address sends.
pub(super) fn downloaded(reader: &mut Reader<'_, '_>, url: &str) -> Thing {
    if !is_local(url) && orders::gives_order(url) {
        reader.shell.tell(&CHANGE_REQUEST, format!("GET {url}"), reader.span);
    }
    reader.note(EffectKind::NetworkRead, url, Scope::Remote);
    let encrypted = !url.starts_with("http://") || is_local(url);
    Thing::result("response", vec![Origin::Download { url: url.to_owned(), encrypted }])
}

/// Something is sent: asks, unless it stays on this machine and is no secret.
pub(super) fn send(reader: &mut Reader<'_, '_>, address: Option<&Thing>, args: &Args) -> Thing {
    let to = address.map_or_else(|| Value::unknown("…", Vec::new()), Thing::value);
    let feed = Feed::from_all(args.origins());
    if is_local(&to.shown()) && feed.secret().is_none() {
        reader.note(EffectKind::NetworkWrite, &to.shown(), Scope::Remote);
    } else {
        reader.seen.sent.get_or_insert_with(|| to.shown().into_owned());
        reader.shell.send(&to.shown(), std::iter::once(&to), &feed, reader.span);
    }
    Thing::result("response", vec![Origin::Download { url: to.shown().into_owned(), encrypted: true }])
}

/// A connection: what comes out of it is what another machine sends, and nothing encrypts or names it.
pub(super) fn connection(address: Option<String>) -> Thing {
    let address = address.unwrap_or_else(|| "another machine".to_owned());
    let encrypted = is_local(&address);
    Thing::result("socket", vec![Origin::Download { url: address, encrypted }])
}

/// Whether an address is on this machine.
pub(super) fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    ["localhost", "127.0.0.1", "0.0.0.0", "[::1]", "::1"]
        .iter()
        .any(|local| host.strip_prefix(local).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/', '?'])))
}

/// The address of a connection: `("host", 80)`, `"host"`, `80, "host"`.
pub(super) fn address_of(thing: &Thing, second: Option<&Thing>) -> Option<String> {
    match thing {
        Thing::List(things) => things.first().and_then(Thing::known).map(str::to_owned),
        Thing::Text(value) => value.known().map(str::to_owned),
        Thing::Number(_) => second.and_then(Thing::known).map(str::to_owned),
        _ => None,
    }
}
