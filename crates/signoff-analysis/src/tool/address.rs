//! Addresses among the arguments: what a machine tells only itself, Signoff's own, and files.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a text is an address of the web.
pub(super) fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https" | "ws" | "wss" | "ftp"))
}

/// The host of an address, in lower case; a number in another notation is written as usual.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority).to_ascii_lowercase();
    if let Some(inner) = host.strip_prefix('[').and_then(|inner| inner.split(']').next()) {
        let mapped = inner.parse::<Ipv6Addr>().ok().and_then(|address| address.to_ipv4_mapped());
        return mapped.map_or_else(|| inner.to_owned(), |address| address.to_string());
    }
    let host = host.split(':').next().unwrap_or(&host).trim_end_matches('.');
    number(host).map_or_else(|| host.to_owned(), |address| address.to_string())
}

/// An address of four numbers, some of which may be missing or written in another base, as the C library reads it.
fn number(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u32> = host
        .split('.')
        .map(|part| match part.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None if part.len() > 1 && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
            None => part.parse().ok(),
        })
        .collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let mut value = 0u32;
    for (at, part) in first.iter().enumerate() {
        value |= part << (24 - 8 * at);
    }
    Some(Ipv4Addr::from(value | last))
}

/// Whether the address is that of a service by which a machine in a cloud learns its own credentials.
pub(super) fn is_metadata(url: &str) -> bool {
    const HOSTS: &[&str] = &[
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "metadata.google.internal",
        "metadata.goog",
        "metadata",
        "instance-data",
        "instance-data.ec2.internal",
    ];
    let host = host(url);
    // Services that give every number a name: `169.254.169.254.nip.io`.
    HOSTS.contains(&host.as_str()) || host.starts_with("169.254.169.254.") || host.contains("169-254-169-254")
}

/// Whether the address is a part of Signoff's interface, however the host is written.
pub(super) fn is_own(url: &str) -> bool {
    use crate::shell::families::own::is_own_address;
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    let named = match host(url).as_str() {
        "::1" => "localhost".to_owned(),
        host => host.to_owned(),
    };
    is_own_address(url) || is_own_address(&format!("http://{named}/{}", path.to_ascii_lowercase()))
}

/// Whether the address leads to this machine.
pub(super) fn is_local(url: &str) -> bool {
    let host = host(url);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.starts_with("127.")
        || host == "::1"
        || host == "0.0.0.0"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_s_own_credentials_are_known_by_every_name() {
        for url in [
            "http://169.254.169.254/latest/meta-data/",
            "http://2852039166/",
            "http://0xA9FEA9FE/x",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "http://[::ffff:169.254.169.254]/",
            "http://user@169.254.169.254:80/",
            "http://Metadata.Google.Internal./x",
            "http://169.254.169.254.nip.io/",
            "http://[fd00:ec2::254]/",
        ] {
            assert!(is_metadata(url), "{url}");
        }
        for url in ["https://example.com/169.254.169.254", "http://169.254.1.1/", "https://docs.example/metadata"] {
            assert!(!is_metadata(url), "{url}");
        }
    }

    #[test]
    fn signoff_is_known_however_its_host_is_written() {
        for url in ["http://LOCALHOST:1/v1/approvals/1", "http://2130706433:1/v1/grants", "http://[::1]:1/v1/policy"] {
            assert!(is_own(url), "{url}");
        }
        for url in ["http://localhost:3000/", "https://example.com/v1/approvals"] {
            assert!(!is_own(url), "{url}");
        }
        assert!(is_local("http://127.0.0.1:8080/x") && !is_local("http://localhost.example/"));
    }
}
