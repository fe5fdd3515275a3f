//! Secrets that are known by what they look like, wherever they stand.

use super::Marks;

/// Beginnings of tokens that nothing else begins with. So many signs have to follow.
const BEGINNINGS: &[(&str, usize)] = &[
    ("ghp_", 8),
    ("gho_", 8),
    ("ghu_", 8),
    ("ghs_", 8),
    ("ghr_", 8),
    ("github_pat_", 8),
    ("glpat-", 8),
    ("gldt-", 8),
    ("glrt-", 8),
    ("glcbt-", 8),
    ("glptt-", 8),
    ("xoxa-", 8),
    ("xoxb-", 8),
    ("xoxc-", 8),
    ("xoxd-", 8),
    ("xoxe-", 8),
    ("xoxe.", 8),
    ("xoxo-", 8),
    ("xoxp-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("xapp-", 8),
    ("hooks.slack.com/services/", 8),
    ("hooks.slack.com/workflows/", 8),
    ("discord.com/api/webhooks/", 8),
    ("open.feishu.cn/open-apis/bot/v2/hook/", 8),
    ("oapi.dingtalk.com/robot/send?", 8),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("rk_test_", 8),
    ("whsec_", 8),
    ("sk-ant-", 8),
    ("sk-proj-", 8),
    ("sk-or-", 8),
    ("AIza", 24),
    ("ya29.", 8),
    ("GOCSPX-", 8),
    ("AKIA", 16),
    ("ASIA", 16),
    ("ABIA", 16),
    ("ACCA", 16),
    ("LTAI", 12),
    ("AKID", 24),
    ("eyJ", 16),
    ("pypi-AgE", 8),
    ("dop_v1_", 8),
    ("doo_v1_", 8),
    ("dor_v1_", 8),
    ("dckr_pat_", 8),
    ("shpat_", 8),
    ("shpss_", 8),
    ("shpca_", 8),
    ("shppa_", 8),
    ("hvs.", 8),
    ("hvb.", 8),
    ("hvr.", 8),
    ("SG.", 16),
    ("sq0atp-", 8),
    ("sq0csp-", 8),
    ("AGE-SECRET-KEY-1", 8),
    ("lin_api_", 8),
    ("PMAK-", 8),
    ("EAACEdEose0cBA", 4),
    ("ATATT3", 8),
    ("ATCTT3", 8),
    ("tskey-", 8),
    ("nvapi-", 8),
    ("sga1.", 4),
    ("sgl1.", 4),
    ("sgi1.", 4),
    ("sgp1.", 4),
];

/// Beginnings of tokens that words begin with as well.
const WORDLIKE: &[&str] =
    &["sk-", "npm_", "hf_", "gsk_", "xai-", "pat-", "key-", "pypi-", "ntn_", "secret_", "tfp_", "re_", "rnd_", "pplx-"];

/// Names of what follows in a header.
const SCHEMES: &[&str] = &["bearer", "basic", "token", "digest", "apikey", "negotiate", "aws4-hmac-sha256"];

pub(super) fn mark(text: &str, marks: &mut Marks) {
    blocks(text, marks);
    tokens(text, marks);
    addresses(text, marks);
    bearers(text, marks);
    randoms(text, marks);
}

/// Signs that tokens are made of.
pub(super) const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'%')
}

/// The end of what goes on from a place with such signs.
pub(super) fn end_of(bytes: &[u8], from: usize, fits: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().position(|byte| !fits(*byte)).unwrap_or(rest.len())
}

/// Private keys as they stand in files.
fn blocks(text: &str, marks: &mut Marks) {
    const BEGIN: &str = "-----begin";
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while let Some(start) = lower.get(from..).and_then(|rest| rest.find(BEGIN)).map(|at| from + at) {
        let head = start + BEGIN.len();
        let rest = lower.get(head..).unwrap_or_default();
        from = head;
        if !rest.split("-----").next().is_some_and(|title| title.contains("private") || title.contains("secret")) {
            continue;
        }
        // Without an end, all that follows may be part of it.
        let end = rest.find("-----end").map_or(text.len(), |at| {
            let foot = head + at + "-----end".len();
            let close = lower.get(foot..).and_then(|rest| rest.find("-----"));
            close.map_or(text.len(), |close| foot + close + "-----".len())
        });
        marks.add(start..end);
        from = end;
    }
}

fn tokens(text: &str, marks: &mut Marks) {
    let bytes = text.as_bytes();
    for (beginning, at_least) in BEGINNINGS {
        for (start, _) in text.match_indices(beginning) {
            let end = end_of(bytes, start + beginning.len(), is_token);
            if end - start >= beginning.len() + at_least {
                marks.add(start..end);
            }
        }
    }
    for beginning in WORDLIKE {
        for (start, _) in text.match_indices(beginning) {
            let inside = start.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
            let end = end_of(bytes, start + beginning.len(), is_token);
            let rest = text.get(start + beginning.len()..end).unwrap_or_default();
            let digits = rest.bytes().any(|byte| byte.is_ascii_digit());
            if !inside && ((rest.len() >= 16 && digits) || rest.len() >= 32) {
                marks.add(start..end);
            }
        }
    }
}

/// What stands before the `@` of an address.
fn addresses(text: &str, marks: &mut Marks) {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices("://") {
        let start = at + 3;
        let end = end_of(bytes, start, |byte| !byte.is_ascii_whitespace() && !b"'\"`<>".contains(&byte));
        let whole = text.get(start..end).unwrap_or_default();
        let host = whole.split(['/', '?', '#']).next().unwrap_or_default();
        let known = match host.rfind('@') {
            Some(sign) => whole.get(..sign),
            // A password with a slash in it. A port has digits alone.
            None => {
                let port = host.split_once(':').map(|(_, port)| port);
                let odd = port.is_some_and(|port| !port.bytes().all(|byte| byte.is_ascii_digit()) || port.is_empty());
                whole.rfind('@').filter(|_| odd).and_then(|sign| whole.get(..sign))
            }
        };
        let Some(known) = known else { continue };
        let scheme = |name: &[u8]| {
            let start = at.checked_sub(name.len());
            start.and_then(|start| bytes.get(start..at)).is_some_and(|before| before.eq_ignore_ascii_case(name))
        };
        match known.split_once(':') {
            Some((name, word)) if !word.is_empty() => {
                marks.add(start + name.len() + 1..start + known.len());
                // The name is a token where the word says that it is none, and may be one wherever it is long.
                if word.eq_ignore_ascii_case("x-oauth-basic") || name.len() >= 20 {
                    marks.add(start..start + name.len());
                }
            }
            _ if scheme(b"http") || scheme(b"https") || known.len() >= 20 => {
                marks.add(start..start + known.len());
            }
            _ => {}
        }
    }
}

/// What stands behind `Bearer`.
fn bearers(text: &str, marks: &mut Marks) {
    let lower = text.to_ascii_lowercase();
    let bytes = text.as_bytes();
    for (at, word) in lower.match_indices("bearer") {
        let behind = at + word.len();
        let start = end_of(bytes, behind, |byte| byte == b' ' || byte == b'\t');
        let end = end_of(bytes, start, |byte| !byte.is_ascii_whitespace() && !b"'\"`\\,;".contains(&byte));
        let is_name = bytes.get(start) == Some(&b'$');
        if start > behind && !is_name {
            marks.add(start..end);
        }
    }
}

/// Long texts that look as if they were random and not a digest: digests are written in small letters.
fn randoms(text: &str, marks: &mut Marks) {
    let bytes = text.as_bytes();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'=');
    let mut at = 0;
    while at < bytes.len() {
        let end = end_of(bytes, at, fits);
        if end - at >= 32 && bytes.get(at..end).is_some_and(is_random) {
            marks.add(at..end);
        }
        at = end.max(at) + 1;
    }
}

/// Great and small letters, and digits all over the place.
fn is_random(bytes: &[u8]) -> bool {
    let changes =
        bytes.windows(2).filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit())).count();
    bytes.iter().any(u8::is_ascii_uppercase) && bytes.iter().any(u8::is_ascii_lowercase) && changes >= 4
}

/// How long the name of a scheme at the beginning of a header's value is, with the space behind it.
pub(super) fn scheme(value: &str) -> Option<usize> {
    let word = value.split([' ', '\t']).next()?;
    let known = SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme));
    (known && word.len() < value.len())
        .then(|| end_of(value.as_bytes(), word.len(), |byte| byte == b' ' || byte == b'\t'))
}
