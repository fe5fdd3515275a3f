//! Patterns with nothing but stars, as options of copiers and archivers have them.

/// Whether a name is one of those that a pattern with nothing but stars stands for. What stands between two stars is found
/// where it comes first: that leaves the most for what follows, so that nothing has to be tried twice.
pub fn fits(name: &str, pattern: &str) -> bool {
    let Some((first, others)) = pattern.split_once('*') else { return name == pattern };
    let (between, last) = others.rsplit_once('*').unwrap_or(("", others));
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in between.split('*') {
        match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, fitting, others) in [
            ("a", &["a"] as &[_], &["", "b", "aa"] as &[_]),
            ("*", &["", "a"], &[]),
            ("*.log", &[".log", "a.log", "a.log.log"], &["log", "a.logs"]),
            ("a*b", &["ab", "axb", "abb"], &["a", "b", "ba", "abc"]),
            ("a*a", &["aa", "aaa"], &["a"]),
            ("*a*b*", &["ab", "xaxbx", "aab"], &["ba", "b"]),
            ("*a*a", &["aa", "xaxa"], &["a", "aab"]),
        ] {
            fitting.iter().for_each(|name| assert!(fits(name, pattern), "{pattern} {name}"));
            others.iter().for_each(|name| assert!(!fits(name, pattern), "{pattern} {name}"));
        }
        // Nothing is tried twice, however many stars there are.
        assert!(!fits(&"a".repeat(250), &format!("{}b", "*a".repeat(200))));
    }
}
