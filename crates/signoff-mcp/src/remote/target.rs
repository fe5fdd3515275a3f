//! Where a server is, and what is sent along to it. What is secret comes from elsewhere than the command line.

use http::{HeaderName, HeaderValue, Uri};

/// A server over HTTP.
#[derive(Clone, Debug)]
pub struct Target {
    pub(super) uri: Uri,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// Why something is no server that could be spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongTarget {
    /// It is no address of a server.
    #[error("it must be an address like https://example.com/mcp")]
    NoAddress,
    /// A name and a password in an address end up in logs and lists of processes.
    #[error("it holds a name or a password: send a header instead")]
    Secret,
    /// Whatever is sent there can be read and changed on the way.
    #[error("without TLS only servers on this machine are spoken to: use https")]
    InTheClear,
    /// No such header can be sent, or it is the protocol's.
    #[error("this header cannot be sent along")]
    Header,
}

/// What the protocol or the connection says by itself.
const TAKEN: [&str; 12] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "last-event-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl Target {
    /// The server at an address.
    ///
    /// # Errors
    ///
    /// When it is none, or one on another machine without TLS.
    pub fn new(url: &str) -> Result<Self, WrongTarget> {
        let uri: Uri = url.parse().map_err(|_| WrongTarget::NoAddress)?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or(WrongTarget::NoAddress)?;
        let authority = uri.authority().ok_or(WrongTarget::NoAddress)?;
        if authority.as_str().contains('@') {
            return Err(WrongTarget::Secret);
        }
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if is_here(host) => {}
            Some("http") => return Err(WrongTarget::InTheClear),
            _ => return Err(WrongTarget::NoAddress),
        }
        Ok(Self { uri, headers: Vec::new() })
    }

    /// The same with a header that is sent with every request.
    ///
    /// # Errors
    ///
    /// When it cannot be sent, or is one of the protocol's own.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Self, WrongTarget> {
        let name: HeaderName = name.parse().map_err(|_| WrongTarget::Header)?;
        let is_taken = TAKEN.contains(&name.as_str()) || name.as_str().starts_with("mcp-");
        let mut value = HeaderValue::from_str(value.trim()).map_err(|_| WrongTarget::Header)?;
        if is_taken || value.is_empty() || self.headers.iter().any(|(other, _)| *other == name) {
            return Err(WrongTarget::Header);
        }
        value.set_sensitive(true);
        self.headers.push((name, value));
        Ok(self)
    }

    /// The name of the machine.
    pub fn host(&self) -> &str {
        self.uri.host().unwrap_or_default()
    }
}

/// Whether a name is this machine for everybody.
fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn only_what_cannot_be_read_on_the_way_is_spoken_to() {
        for right in ["https://example.com/mcp", "http://127.0.0.1:8000/", "http://localhost/x", "http://[::1]:9/mcp"] {
            assert!(Target::new(right).is_ok(), "{right}");
        }
        for (wrong, why) in [
            ("http://example.com/mcp", WrongTarget::InTheClear),
            ("http://127.0.0.1.example.com/", WrongTarget::InTheClear),
            ("http://localhost.example.com/", WrongTarget::InTheClear),
            ("http://10.0.0.1/", WrongTarget::InTheClear),
            ("https://me:secret@example.com/", WrongTarget::Secret),
            ("http://127.0.0.1@example.com/", WrongTarget::Secret),
            ("ftp://example.com/", WrongTarget::NoAddress),
            ("example.com/mcp", WrongTarget::NoAddress),
            ("/mcp", WrongTarget::NoAddress),
            ("", WrongTarget::NoAddress),
        ] {
            assert_eq!(Target::new(wrong).map(drop), Err(why), "{wrong}");
        }
    }

    #[test]
    fn headers_of_the_protocol_are_not_for_others() {
        let target = || Target::new("https://example.com/mcp").unwrap();
        assert!(target().with_header("Authorization", "Bearer x\n").is_ok());
        for (name, value) in [
            ("Host", "evil.example"),
            ("Mcp-Session-Id", "x"),
            ("content-length", "3"),
            ("x y", "z"),
            ("x", "a\nb"),
            ("x", " "),
        ] {
            assert!(target().with_header(name, value).is_err(), "{name}");
        }
        assert!(target().with_header("x", "1").unwrap().with_header("X", "2").is_err());
        let shown = format!("{:?}", target().with_header("Authorization", "Bearer secret").unwrap());
        assert!(!shown.contains("secret"), "{shown}");
    }
}
