//! What a script fetches and sends.

use super::{
    Reader,
    call::{Bound, Call},
    network, rules,
    things::Thing,
};
use crate::{
    path_effects::Write,
    shell::Written,
    value::{Feed, Origin, Value},
};

impl Reader<'_, '_> {
    /// `Invoke-WebRequest` and its like.
    pub(super) fn request(&mut self, call: &Call, bound: &Bound) -> Thing {
        let url = bound.at(&["uri", "source", "url"], 0).map(Thing::value).unwrap_or_default();
        let method = bound.get(&["method"]).map(|thing| thing.value().shown().to_ascii_uppercase());
        let uploads = bound.shown(&["transfertype"], 99).to_ascii_lowercase().starts_with("upload");
        let sends = matches!(method.as_deref(), Some("POST" | "PUT" | "DELETE" | "PATCH"))
            || ["body", "infile", "form"].iter().any(|name| bound.has(name))
            || uploads;
        let headers = bound.get(&["headers"]).cloned().unwrap_or_else(Thing::nothing);
        let mut body = bound.get(&["body", "form"]).cloned().unwrap_or_else(Thing::nothing);
        if body.is_nothing() && sends {
            body = call.input.clone();
        }
        let mut feed = Feed::from_all(body.origins());
        if let Thing::Table(table) = &body {
            for (_, thing) in table {
                feed = feed.then(Feed::from_all(thing.origins()));
            }
        }
        let source = if uploads { bound.at(&["source"], 0).cloned() } else { None };
        for file in bound.get(&["infile"]).into_iter().chain(source.as_ref()) {
            for path in file.paths(self.span) {
                feed = feed.then(self.shell.read(&path));
            }
        }
        let to =
            if uploads { bound.at(&["destination"], 1).map(Thing::value).unwrap_or_default() } else { url.clone() };
        let local = network::is_local(&to.shown());
        let mut carried = feed.clone();
        if carried.secret().is_none() && sends {
            carried = feed.then(Feed::from_all(Vec::new()));
        }
        // A secret in a header is how one logs in; one in the address or the body leaves.
        if !local && (sends || url.secret().is_some()) {
            self.shell.send(&to.shown(), [&url, &headers_of(&headers, sends)].into_iter(), &carried, self.span);
        }
        if uploads {
            return Thing::nothing();
        }
        let out = self.fetched(&url);
        let file = bound.get(&["outfile", "destination", "o"]).cloned();
        match file.or_else(|| (call.name == "start-bitstransfer").then(|| bound.free.get(1).cloned()).flatten()) {
            Some(file) => {
                self.save(&file, &out);
                Thing::nothing()
            }
            None => out,
        }
    }

    /// What comes from an address.
    pub(super) fn fetched(&self, url: &Value) -> Thing {
        let shown = url.shown().into_owned();
        if network::is_local(&shown) {
            return Thing::unknown("$(…)", vec![Origin::Program("PowerShell".into())]);
        }
        let encrypted = !shown.to_ascii_lowercase().starts_with("http://");
        Thing::unknown("$(…)", vec![Origin::Download { url: shown, encrypted }])
    }

    /// Something that was fetched becomes a file.
    pub(super) fn save(&mut self, file: &Thing, content: &Thing) {
        for path in file.paths(self.span) {
            self.shell.write(&path, Write::Replace);
            self.shell.remember_written(&path, Written::Content(Feed::from_all(content.origins())));
        }
    }

    /// Mail, and names that another machine is asked for.
    pub(super) fn tell_away(&mut self, call: &Call, bound: &Bound) -> Thing {
        let mut feed = Feed::none();
        for thing in bound.all(&["body", "name", "computername", "subject", "targetname"]) {
            feed = feed.then(Feed::from_all(thing.origins()));
        }
        if let Some(files) = bound.get(&["attachments"]) {
            for path in files.paths(self.span) {
                feed = feed.then(self.shell.read(&path));
            }
        }
        let to = bound.shown(&["to", "smtpserver", "name"], 0);
        if feed.secret().is_some() {
            self.shell.send(&to, std::iter::empty(), &feed, self.span);
        } else if call.name == "send-mailmessage" {
            self.shell.tell(&rules::CODE_MAIL, to, self.span);
        }
        Thing::unknown("$(…)", Vec::new())
    }
}

/// Headers carry a log-in to where it belongs, unless a file goes along.
fn headers_of(headers: &Thing, sends: bool) -> Value {
    let login = |key: &str| matches!(key, "authorization" | "x-api-key" | "api-key" | "private-token" | "x-auth-token");
    let mut all = Value::default();
    if let Thing::Table(table) = headers {
        for (_, thing) in table.iter().filter(|(key, _)| sends && !login(key)) {
            all.extend(thing.value());
        }
    }
    all
}
