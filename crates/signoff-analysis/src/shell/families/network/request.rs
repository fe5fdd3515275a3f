//! One request to a web server: whom it reaches, what it sends along and what it asks for.

use signoff_model::{EffectKind, Scope, Target};

use super::{
    CHANGE_REQUEST, LOCAL_REQUEST, PUBLISH_MESSAGE, Reach, STRANGE_TOKEN, is_encrypted, orders, reach, secret_in,
    tell_secret,
};
use crate::{
    lexicon::{self, Meaning},
    place::Nature,
    shell::{
        Call, Shell,
        families::{own, secrets},
    },
    value::{Arg, Feed, Origin, Value},
};

/// One request, as far as the options tell.
#[derive(Default)]
pub(super) struct Request {
    pub(super) urls: Vec<Arg>,
    pub(super) method: Option<String>,
    /// What is sent as text on the command line.
    pub(super) texts: Vec<Arg>,
    /// What is sent from files or from what flows in.
    pub(super) files: Vec<Feed>,
    /// The first argument that sends something.
    pub(super) sending: Option<Arg>,
    /// What says who asks: it may hold a secret, that is its purpose.
    pub(super) credentials: Vec<Arg>,
    pub(super) insecure: bool,
}

impl Request {
    pub(super) fn reach(&self) -> Reach {
        let all_local = !self.urls.is_empty()
            && self.urls.iter().all(|url| {
                let prefix = url.value.prefix();
                // The host must be known as a whole: `http://localhost$X` leads anywhere.
                let complete = url.known().is_some()
                    || prefix.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '?']));
                complete && reach(prefix) == Reach::Local
            });
        if all_local { Reach::Local } else { Reach::Elsewhere }
    }

    pub(super) fn target(&self) -> String {
        self.urls.first().map_or_else(String::new, |url| url.shown().into_owned())
    }

    /// The variable in a value whose token belongs to somebody else than the host that is asked.
    fn strange_token(&self, value: &Value) -> Option<String> {
        let url = self.urls.first()?.value.prefix();
        let address = url.split_once("://").map_or(url, |(_, rest)| rest);
        // In front of the host it says who asks, and what follows is not known here.
        let complete = self.urls.first()?.known().is_some() || address.contains(['/', '?']);
        let host = address.split(['/', '?', ':', '#']).next().unwrap_or_default();
        if self.reach() == Reach::Local || !complete || host.contains('@') || !host.contains('.') {
            return None;
        }
        value.origins().find_map(|origin| match origin {
            Origin::Variable(name) if secrets::is_strange_to(name, host) => Some(format!("${name}")),
            _ => None,
        })
    }

    /// What it fetches.
    pub(super) fn download(&self) -> Feed {
        let url = self.target();
        if holds_credentials(&url) {
            return Feed::from(Origin::Secret(url));
        }
        let encrypted = !self.insecure && (is_encrypted(&url) || reach(&url) == Reach::Local);
        Feed::from(Origin::Download { url, encrypted })
    }

    /// Whether a database answers at the address, by the port that it is known for.
    fn is_database(&self) -> bool {
        const PORTS: &[&str] = &[
            "2379", "4001", "5984", "6333", "7474", "7700", "8086", "8108", "8123", "8500", "8529", "8983", "9000",
            "9200", "9201", "15672", "19530",
        ];
        self.urls.iter().any(|url| {
            let shown = url.shown();
            let host = shown.split_once("://").map_or(&*shown, |(_, rest)| rest);
            let host = host.split(['/', '?']).next().unwrap_or(host);
            host.rsplit_once(':')
                .is_some_and(|(_, port)| PORTS.contains(&port) || port.is_empty() || port.contains('$'))
        })
    }

    /// Whether the request asks a database to give something up, whatever its method is called.
    fn destroys(&self) -> bool {
        let by_path = self.urls.iter().any(|url| {
            let shown = url.shown();
            let path = shown.split('?').next().unwrap_or_default();
            path.split('/').any(|part| matches!(part, "_delete_by_query" | "_close" | "_flush_all" | "flushall"))
        });
        by_path
            || self.texts.iter().any(|text| {
                let shown = text.shown();
                let statement = shown.trim_start_matches("q=").trim_start_matches("query=").trim_start();
                let mut words = statement.split_whitespace().map(str::to_ascii_uppercase);
                let first = words.next().unwrap_or_default();
                let second = words.next().unwrap_or_default();
                matches!(first.as_str(), "DROP" | "TRUNCATE") && !second.is_empty()
                    || first == "DELETE" && second == "FROM"
            })
    }

    /// What is fetched from elsewhere is no risk by itself, and there are rules that want to hear of it.
    fn note_reads(&self, shell: &mut Shell<'_>) {
        let is_file =
            |url: &Arg| url.value.prefix().get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
        for url in self.urls.iter().filter(|url| !is_file(url)) {
            shell.note(EffectKind::NetworkRead, Target::Named(url.shown().into_owned()), Scope::Remote, url.span);
        }
    }

    /// Says what the request does.
    pub(super) fn judge(&self, shell: &mut Shell<'_>, call: &Call) {
        let to = self.target();
        let span = self.sending.as_ref().map_or(call.span, |arg| arg.span);
        for url in &self.urls {
            if holds_credentials(&url.shown()) {
                shell.tell(&secrets::SHOW_SECRET, url.shown(), url.span);
            }
            if let Some(secret) = secret_in(&url.value).or_else(|| self.strange_token(&url.value)) {
                tell_secret(shell, &secret, &to, url.span);
            } else if self.reach() == Reach::Elsewhere && has_secret_in_path(&url.value) {
                shell.send(&to, std::iter::empty(), &Feed::none(), url.span);
            }
        }
        let strange = |arg: &Arg| self.strange_token(&arg.value);
        let secret_text = self.texts.iter().find_map(|text| secret_in(&text.value).or_else(|| strange(text)));
        for credential in &self.credentials {
            if let Some(token) = strange(credential) {
                shell.tell(&STRANGE_TOKEN, format!("{token} → {to}"), credential.span);
            }
        }
        let secret_file = self.files.iter().find_map(|feed| feed.secret().map(str::to_owned));
        if let Some(secret) = secret_file.or(secret_text) {
            tell_secret(shell, &secret, &to, span);
            return;
        }
        let changes = self
            .method
            .as_deref()
            .is_some_and(|method| !matches!(method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PROPFIND"));
        let deletes = self.method.as_deref() == Some("DELETE");
        let sends = changes || !self.texts.is_empty() || !self.files.is_empty();
        if !sends {
            self.note_reads(shell);
        }
        let ruins = || sends && self.urls.iter().any(|url| says_ruin(&url.shown()));
        let destroys = deletes && self.is_database() || self.destroys() || ruins();
        let elsewhere = self.reach() == Reach::Elsewhere;
        let fetches = self.method.as_deref().is_none_or(|method| method == "GET");
        if fetches
            && !sends
            && elsewhere
            && let Some(url) = self.urls.iter().find(|url| orders::gives_order(&url.shown()))
        {
            shell.tell(&CHANGE_REQUEST, format!("GET {to}"), url.span);
            return;
        }
        if !sends && let Some(url) = self.urls.iter().find(|url| orders::acts_when_fetched(&url.shown())) {
            shell.tell(&PUBLISH_MESSAGE, to, url.span);
            return;
        }
        if sends && self.urls.iter().any(|url| own::is_own_address(&url.shown())) {
            shell.tell(&own::OWN_STATE, to, span);
            return;
        }
        let stays_here =
            self.reach() == Reach::Local && !destroys && self.files.iter().all(|feed| is_of_this_project(shell, feed));
        if stays_here && !self.files.is_empty() {
            shell.tell(&LOCAL_REQUEST, to, span);
        } else if !self.files.is_empty() {
            shell.send(&to, std::iter::empty(), &Feed::none(), span);
        } else if self.reach() == Reach::Local && !destroys {
            if changes || !self.texts.is_empty() {
                shell.tell(&LOCAL_REQUEST, to, span);
            }
        } else if changes || destroys {
            let method = self.method.as_deref().unwrap_or("POST");
            shell.tell(&CHANGE_REQUEST, format!("{method} {to}"), span);
        } else if !self.texts.is_empty() {
            shell.send(&to, std::iter::empty(), &Feed::none(), span);
        }
    }
}

/// Whether a feed is nothing but whole files of the project or temporary ones, each of which is known by its path.
fn is_of_this_project(shell: &Shell<'_>, feed: &Feed) -> bool {
    let (mut named, mut known) = (0, 0);
    for origin in &feed.origins {
        match origin {
            Origin::File(_) => named += 1,
            Origin::Exactly(path) => {
                let place = shell.place(&Value::text(path.clone()));
                let near = matches!(place.scope, Scope::Project | Scope::Temp) && place.nature != Nature::Secret;
                known += usize::from(near);
            }
            _ => return false,
        }
    }
    known > 0 && known == named
}

/// Whether the path of an address says that what it stands for is taken away: `/admin/reset`, `/users/delete-all`. A
/// password is reset by its owner, and what is there for tests is there to be reset.
fn says_ruin(url: &str) -> bool {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = bare.split_once('/').map_or("", |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let words = lexicon::words(path);
    let harmless = |word: &String| {
        matches!(
            word.as_str(),
            "password" | "test" | "tests" | "testing" | "e2e" | "mock" | "mocks" | "fixtures" | "cart" | "cypress"
        )
    };
    words.iter().any(|word| lexicon::meaning(word) == Some(Meaning::Ruins)) && !words.iter().any(harmless)
}

/// Whether the address is one at which a machine in the cloud is given its own credentials.
fn holds_credentials(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = host.split_once('/').unwrap_or((host, ""));
    let metadata = matches!(
        host.split(':').next().unwrap_or(host),
        "169.254.169.254" | "169.254.170.2" | "metadata.google.internal" | "metadata" | "100.100.100.200" | "[fd00"
    );
    let held = ["security-credentials", "/token", "oauth2", "identity", "user-data", "credentials", "ssh-keys"];
    metadata
        && (held.iter().any(|part| path.contains(part)) && path != "latest/api/token"
            || host.starts_with("169.254.170.2"))
}

/// Whether a variable that is named like a secret stands in an address behind the host, where others keep a record of it.
/// Before the host it says who asks.
fn has_secret_in_path(url: &Value) -> bool {
    let host_ends = |text: &str| text.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '?']));
    host_ends(url.prefix())
        && url.origins().any(|origin| matches!(origin, Origin::Variable(name) if secrets::is_secret_variable(name)))
}
