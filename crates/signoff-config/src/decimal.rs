//! Decimal numbers as integer thousandths, read from their digits: no floating point is involved, so that nothing drifts.

/// The thousandths of a number from 0 to 1 that is written with at most three decimals that count.
pub fn thousandths(text: &str) -> Option<u16> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = fraction.trim_end_matches('0');
    let whole = whole.trim_start_matches('0');
    if text.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 3 || text.starts_with('.') {
        return None;
    }
    let thousandths: u16 = format!("{fraction:0<3}").parse().ok()?;
    match (whole, thousandths) {
        ("", thousandths) => Some(thousandths),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::thousandths;

    #[test]
    fn digits_become_thousandths_and_nothing_drifts() {
        for (text, expected) in [
            ("0.5", Some(500)),
            ("0.01", Some(10)),
            ("0.05", Some(50)),
            ("0.8", Some(800)),
            ("0.2", Some(200)),
            ("0.001", Some(1)),
            ("0.290", Some(290)),
            ("0", Some(0)),
            ("1", Some(1000)),
            ("1.000", Some(1000)),
            ("+0.5", Some(500)),
            ("0.0005", None),
            ("1.001", None),
            ("2", None),
            ("-0.5", None),
            ("-0", None),
            ("5e-1", None),
            ("inf", None),
            ("nan", None),
            ("", None),
            (".5", None),
        ] {
            assert_eq!(thousandths(text), expected, "{text}");
        }
    }
}
