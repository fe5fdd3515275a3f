//! Addresses that do something when they are only fetched.

use crate::{
    lexicon::{self, Meaning},
    words::is_listed,
};

/// Whether an address that is only fetched gives an order all the same: `/api/users/4/delete`, `?action=purge`. Pages about such
/// orders have addresses like that as well, so it must lead to an interface that somebody has made for programs, or for running
/// something.
pub(crate) fn gives_order(url: &str) -> bool {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let bare = bare.split('#').next().unwrap_or(bare);
    let (address, query) = bare.split_once('?').unwrap_or((bare, ""));
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let explains = |part: &&str| {
        is_listed("doc docs documentation wiki help blog reference manual man guide guides articles posts search", part)
    };
    let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or(host);
    if host.split('.').any(|part| explains(&part)) || parts.iter().any(explains) {
        return false;
    }
    // What is kept there is called as its makers please.
    const REGISTRIES: &[&str] = &[
        "crates.io",
        "rubygems.org",
        "npmjs.org",
        "npmjs.com",
        "docker.com",
        "docker.io",
        "github.com",
        "githubusercontent.com",
        "gitlab.com",
        "bitbucket.org",
        "codeberg.org",
        "pypi.org",
        "packagist.org",
        "nuget.org",
        "brew.sh",
        "debian.org",
        "huggingface.co",
        "maven.org",
        "hex.pm",
        "pub.dev",
    ];
    if REGISTRIES.iter().any(|registry| host == *registry || host.ends_with(&format!(".{registry}"))) {
        return false;
    }
    let fields = || query.split('&').filter_map(|field| field.split_once('='));
    let asked = fields().any(|(name, value)| {
        is_listed("action act do op operation cmd cmnd command task", &name.to_ascii_lowercase()) && is_order(value)
    });
    let served = |part: &str| {
        is_listed("api apis rest rpc admin cgi-bin actuator internal manage manager management ops job jobs", part)
            || part.strip_prefix('v').is_some_and(|number| number.parse::<u8>().is_ok())
    };
    let interface = parts.iter().any(|part| served(part))
        || host.split('.').next().is_some_and(served)
        || host.ends_with(".local")
        || host.parse::<std::net::IpAddr>().is_ok()
        || fields().any(|(name, _)| is_listed("token key confirm force", name));
    // The order comes last, or before what it is about: `/users/4/delete`, `/users/delete/4`.
    let number = |part: &&&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let told = parts.iter().rev().find(|part| !number(part)).copied().unwrap_or_default();
    asked || interface && is_order(told) || parts.contains(&"job") && matches!(told, "build" | "buildWithParameters")
}

/// Whether a part of an address is an order that takes something away, brings something out or stops a machine: a verb, alone or
/// with what it is done to.
fn is_order(part: &str) -> bool {
    const THINGS: &str = "all user users account accounts item items record records row rows post posts file files data database db cache \
        log logs session sessions table tables everything key keys token tokens device devices job jobs queue queues order orders \
        member members group groups project projects backup backups now factory image images message messages";
    // Pages that do something when they are fetched are programs.
    const PROGRAMS: &str = "cgi php asp aspx do action jsp pl";
    let (stem, ending) = part.split_once('.').unwrap_or((part, ""));
    if !ending.is_empty() && !is_listed(PROGRAMS, ending) {
        return false;
    }
    let words = lexicon::words(stem);
    let Some((first, rest)) = words.split_first() else { return false };
    let ruins = matches!(lexicon::meaning(first), Some(Meaning::Ruins | Meaning::Removes));
    let grave = is_listed("reboot shutdown poweroff halt factoryreset", first);
    let sends = rest.is_empty() && is_listed("deploy publish trigger redeploy rollback restart", first);
    (ruins || grave || sends) && rest.iter().all(|word| is_listed(THINGS, word))
}

/// Whether fetching an address does something there: interfaces of messengers take orders in the path.
pub(super) fn acts_when_fetched(url: &str) -> bool {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, rest) = bare.split_once('/').unwrap_or((bare, ""));
    // Who asks, the port, capital letters and a dot at the end do not make it another host.
    let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or(host);
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let order = path.rsplit('/').next().unwrap_or_default();
    match host.as_str() {
        // Only what begins with `get` looks.
        "api.telegram.org" => path.contains('/') && !order.starts_with("get") && !path.starts_with("file/"),
        "slack.com" => order.rsplit('.').next().is_some_and(|verb| {
            ["post", "delete", "update", "upload", "invite", "kick", "archive", "create", "rename", "schedule"]
                .iter()
                .any(|act| verb.starts_with(act))
        }),
        "maker.ifttt.com" => path.starts_with("trigger/"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::gives_order;

    #[test]
    fn orders_are_told_from_pages() {
        for url in [
            "https://api.example.com/v1/users/12/delete",
            "https://api.example.com/users/delete/12",
            "https://example.com/admin/deleteUser?id=4",
            "http://192.168.1.10/cgi-bin/reset?factory=1",
            "http://router.local/reboot.cgi",
            "https://admin.example.com/cache/purge",
            "https://ci.example.com/job/prod/build?token=x",
            "https://example.com/?action=delete&id=3",
            "example.com/index.php?do=truncate_logs",
            "https://api.example.com/deploy/trigger",
            "https://user:pw@api.example.com:8443/hosts/3/shutdown",
        ] {
            assert!(gives_order(url), "{url}");
        }
        for url in [
            "https://api.example.com/v1/users/12",
            "https://api.example.com/v1/deleted-users",
            "https://api.example.com/deployments/latest",
            "https://docs.example.com/api/delete",
            "https://example.com/docs/admin/reset",
            "https://example.com/delete",
            "https://registry.example.org/purge",
            "https://example.com/downloads/purge-1.2.tar.gz",
            "https://api.example.com/runs?event=delete",
            "https://api.example.com/reset-password",
            "https://crates.io/api/v1/crates/remove_dir_all",
            "https://api.github.com/repos/acme/remove-bg",
            "http://192.168.1.5/api/reset-status",
            "https://api.example.com/v2/uninstall.sh",
            "https://api.example.com/search?q=delete",
            "https://en.wikipedia.org/wiki/Delete",
            "",
        ] {
            assert!(!gives_order(url), "{url}");
        }
    }
}
