//! Modules of Ruby: methods, each up to the `end` that is indented as much.

use super::Stretch;

/// The methods of a module. None where a text over several lines may hold what looks like one.
pub(super) fn stretches(module: &str) -> Option<Vec<Stretch<'_>>> {
    if ["<<", "=begin", "%q", "%Q", "%(", "%{", "__END__"].iter().any(|mark| module.contains(mark)) {
        return None;
    }
    let mut all = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut open: Option<(&str, usize)> = None;
    for line in module.split_inclusive('\n') {
        let body = line.trim();
        // A quote that goes on in the next line may hold anything.
        if body.matches('"').count() % 2 == 1 && !body.contains("'\"'") && !body.contains("\\\"") {
            return None;
        }
        let indent = line.len() - line.trim_start().len();
        match open {
            Some((name, outer)) if indent == outer && begins_end(body) => {
                let rest = body.strip_prefix("end").unwrap_or_default().trim_start();
                let alone = rest.is_empty() || rest.starts_with('#');
                super::push(&mut all, module.get(start..at + line.len()), alone.then(|| vec![name]));
                start = at + line.len();
                open = None;
            }
            Some(_) => {}
            None if let Some(name) = super::name_after(body, &["def"])
                && !body.ends_with("end")
                && !body.contains([';', '='])
                && !body.contains("end ") =>
            {
                super::push(&mut all, module.get(start..at), None);
                start = at;
                open = Some((name, indent));
            }
            None => {}
        }
        at += line.len();
    }
    super::push(&mut all, module.get(start..), None);
    Some(all)
}

fn begins_end(body: &str) -> bool {
    body.strip_prefix("end")
        .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
}
