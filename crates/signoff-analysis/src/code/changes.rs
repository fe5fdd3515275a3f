//! Lists, records and texts that change in place, under whatever names they are known.

use super::{
    assignments::with_member,
    lexer::Token,
    reader::Reader,
    thing::{Args, Thing},
};
use crate::{shell::Language, words::Words};

/// Methods of lists and records that leave them as they are.
static LOOKS: Words<256> = Words::new(
    "all? any? at collect compact contains copy count cycle dig dup each each_cons each_slice each_with_index \
    each_with_object empty? entries every fetch filter find findIndex findLast first flat flatMap flat_map flatten \
    forEach freeze get group_by has hasOwnProperty has_key? include? includes index indexOf inject inspect items \
    join key? keys last lastIndexOf length map max min none? partition reduce reject sample select size slice some \
    sum take tally tap then toReversed toSorted toSpliced toString to_a to_h to_json to_s uniq values values_at with \
    zip",
);

/// Methods that change a list or a record, whatever else is known of it.
static CHANGES: Words<64> = Words::new(
    "append push extend insert unshift prepend splice fill sort reverse pop shift remove clear delete add set update \
    setdefault store merge! map! copyWithin __setitem__ __delitem__ appendleft popitem discard",
);

/// What a method is called on.
#[derive(Clone, Debug, Default)]
pub(super) enum Receiver {
    /// What this variable holds.
    Variable(String),
    /// Something within what this variable holds.
    PartOf(String),
    /// Anything else.
    #[default]
    Other,
}

impl Reader<'_, '_> {
    /// A method was called on what a variable holds, or on a part of it, and gave a result: says what the variable holds
    /// now.
    pub(super) fn change(&mut self, of: &Receiver, thing: &Thing, name: &str, args: &Args, result: &Thing) {
        let changed = || self.changed_by(thing, name, args, result);
        match of {
            Receiver::Variable(variable) => {
                if let Some(changed) = changed() {
                    self.replace_held(variable, thing, changed);
                }
            }
            Receiver::PartOf(variable) => {
                if let Some(changed) = changed() {
                    self.change_part(variable, thing, &changed);
                } else if matches!(thing, Thing::Result { .. }) && self.may_change(name) {
                    // Whichever part it is, the whole is another one.
                    if let Some(whole @ (Thing::List(_) | Thing::Record(_))) = self.variables.get(variable).cloned() {
                        let changed = Thing::result("", whole.origins().and(args.origins()));
                        self.replace_held(variable, &whole, changed);
                    }
                }
            }
            Receiver::Other => self.note_changed_parameter(thing, name),
        }
    }

    /// A part of what a variable holds is another thing: `d["paths"].append(x)`.
    pub(super) fn change_part(&mut self, variable: &str, part: &Thing, changed: &Thing) {
        let Some(whole @ (Thing::List(_) | Thing::Record(_))) = self.variables.get(variable).cloned() else { return };
        let mut found = 0;
        let other = with_part(&whole, part, changed, 0, &mut found);
        // Where several parts are the same, nobody can tell which: no matter, if all that is known stays in each.
        let grows = match (part, changed) {
            (Thing::List(before), Thing::List(now)) => now.starts_with(before),
            _ => false,
        };
        let other = match found {
            0 => return,
            1 => other,
            _ if grows => other,
            _ => Thing::result("", whole.origins().and(changed.origins())),
        };
        if is_held(part) {
            let origins = part.origins().and(changed.origins());
            for name in self.names_of(part).into_iter().filter(|name| name != variable) {
                self.bind_inside(&name, Thing::result("", origins.clone()));
            }
        }
        self.replace_held(variable, &whole, other);
    }

    /// Whether a method may change something of which nothing is known.
    fn may_change(&self, method: &str) -> bool {
        let in_ruby = method.ends_with('!') || matches!(method, "replace" | "concat");
        CHANGES.holds(method) || in_ruby && self.language == Language::Ruby
    }

    /// A method is called on something that is not known: if it is what a function was given, the function may change it.
    fn note_changed_parameter(&mut self, thing: &Thing, method: &str) {
        if let Thing::Name(name) = thing
            && self.may_change(method)
        {
            self.readings.changes_given |= self.readings.held.is_parameter(name, self.spot());
        }
    }

    /// What a thing is behind a method; none if it is the same.
    fn changed_by(&self, thing: &Thing, name: &str, args: &Args, result: &Thing) -> Option<Thing> {
        match thing {
            Thing::List(things) => self.changed_list(things, name, args),
            Thing::Record(fields) if fields.iter().any(|(field, _)| field == name) => None,
            Thing::Record(_) => changed_record(thing, name, args),
            Thing::Result { of, origins } if of.contains("ConfigParser") => {
                Some(Thing::result(of, origins.clone().and(result.origins())))
            }
            Thing::Text(_) | Thing::Path(_) if self.language == Language::Ruby => changed_text(thing, name, result),
            _ => None,
        }
    }

    /// What a list is behind a method; none if it is the same.
    fn changed_list(&self, things: &[Thing], name: &str, args: &Args) -> Option<Thing> {
        let ruby = self.language == Language::Ruby;
        let unknown = || Some(Thing::result("", Thing::List(things.to_vec()).origins().and(args.origins())));
        let at = |at: usize| {
            let (before, behind) = things.split_at_checked(at)?;
            Some(Thing::List([before, args.items.get(1..).unwrap_or_default(), behind].concat()))
        };
        match (name, args.get(0)) {
            ("arg" | "args", _) => Some(self.grown(things, args)),
            _ if !matches!(self.language, Language::Python | Language::JavaScript | Language::Ruby) => {
                let grows = matches!(name, "append" | "push" | "extend" | "add" | "insert" | "unshift");
                grows.then(|| self.grown(things, args))
            }
            ("append" | "push" | "extend" | "add", _) => Some(self.grown(things, args)),
            ("concat", _) => ruby.then(|| self.grown(things, args)),
            ("insert", Some(Thing::Number(position))) => usize::try_from(*position).ok().and_then(at).or_else(unknown),
            ("unshift" | "prepend", _) => Some(Thing::List([&args.flat(), things].concat())),
            // What is at the other end is not known to be taken away only once.
            ("pop", None) if self.straight => {
                Some(Thing::List(things.split_last().map_or(Vec::new(), |(_, rest)| rest.to_vec())))
            }
            ("shift", None) | ("pop", Some(Thing::Number(0))) if self.straight => {
                Some(Thing::List(things.get(1..).unwrap_or_default().to_vec()))
            }
            ("reverse", None) => (!ruby).then(|| Thing::List(things.iter().rev().cloned().collect())),
            ("sort" | "sort_by" | "reverse" | "shuffle" | "rotate", _) if ruby => None,
            (name, _) if LOOKS.holds(name) => None,
            _ => unknown(),
        }
    }

    /// A list with more behind it.
    fn grown(&self, things: &[Thing], args: &Args) -> Thing {
        Thing::List(things.iter().cloned().chain(args.flat()).take(4096).collect())
    }

    /// A function changes what it is given first: `Object.assign(record, …)`, `random.shuffle(list)`.
    pub(super) fn change_given(&mut self, function: &str, args: &Args) {
        let (base, last) = function.rsplit_once('.').unwrap_or(("", function));
        // Texts that change where they are: `gsub(a, b, text)`, `substr(text, 0, 1) = b`, `chop(text)`.
        let text = match (self.language, function) {
            (Language::Awk, "sub" | "gsub") => args.get(2),
            (Language::Perl, "substr") if args.items.len() == 4 || self.is_sign("=") => args.get(0),
            (Language::Perl, "chop" | "vec") => args.get(0),
            _ => None,
        };
        if let Some(text @ Thing::Text(_)) = text {
            let changed = text.rewritten();
            self.bind_all_names_of(text, &changed);
        }
        let changes = match (base, last) {
            ("Object", "assign" | "defineProperty" | "defineProperties" | "setPrototypeOf") => true,
            ("Reflect", "set" | "defineProperty") => true,
            ("_" | "lodash", "assign" | "merge" | "set" | "defaults" | "extend" | "pull" | "fill" | "reverse") => true,
            ("random", "shuffle") | ("heapq", _) | ("bisect", _) => true,
            ("operator", "setitem" | "iadd" | "iconcat" | "delitem") => true,
            ("list" | "dict" | "set", _) => true,
            ("table", "insert" | "remove" | "sort" | "move") => true,
            ("", "array_push" | "array_unshift" | "array_splice" | "array_shift" | "array_pop" | "array_walk") => true,
            ("", "sort" | "rsort" | "usort" | "shuffle" | "ksort" | "asort") => self.language == Language::Php,
            _ => base.starts_with("Array.prototype"),
        };
        let given = |first: &&Thing| changes && matches!(first, Thing::List(_) | Thing::Record(_));
        let Some(first) = args.get(0).filter(given) else { return };
        let changed = Thing::result("", args.origins());
        self.bind_all_names_of(first, &changed);
    }

    /// A function of the text gets lists and records: if any of them changes what it is given, those may be others now.
    pub(super) fn change_handed(&mut self, args: &Args) {
        if !self.readings.changes_given {
            return;
        }
        for given in args.items.iter().filter(|given| matches!(given, Thing::List(_) | Thing::Record(_))) {
            let changed = Thing::result("", given.origins());
            self.bind_all_names_of(given, &changed);
        }
    }

    /// A variable holds something else from here on, and so does every other name of the same thing.
    pub(super) fn replace_held(&mut self, variable: &str, before: &Thing, changed: Thing) {
        self.readings.changes_given |= self.readings.held.is_parameter(variable, self.spot());
        if is_held(before) {
            let origins = before.origins().and(changed.origins());
            for name in self.names_of(before).into_iter().filter(|name| name != variable) {
                self.bind_inside(&name, Thing::result("", origins.clone()));
            }
        }
        self.bind_inside(variable, changed);
    }

    /// Every name of a thing stands for something else from here on.
    fn bind_all_names_of(&mut self, thing: &Thing, changed: &Thing) {
        for name in self.names_of(thing) {
            self.bind_inside(&name, changed.clone());
        }
    }

    /// The variables that hold a thing, or something that it is a part of. Who holds the same may hold another one, but
    /// nobody can tell.
    fn names_of(&self, thing: &Thing) -> Vec<String> {
        let mut names: Vec<String> =
            self.variables.iter().filter(|(_, held)| holds(held, thing, 0)).map(|(name, _)| name.clone()).collect();
        names.sort_unstable();
        names
    }

    /// Something within a variable is set in a way that is not followed: nothing is known of the variable any more.
    pub(super) fn blur_root(&mut self, part: &Thing) {
        let Some((name, _)) = self.root.take() else { return };
        let Some(whole) = self.variables.get(&name).cloned() else { return };
        if matches!(whole, Thing::List(_) | Thing::Record(_) | Thing::Text(_)) {
            let changed = Thing::result("", whole.origins().and(part.origins()));
            // What is set may be a part of it that has a name of its own.
            let within = |held: &Thing| matches!(held, Thing::List(_) | Thing::Record(_)) && holds(&whole, held, 0);
            let parts = self.variables.iter().filter(|(other, held)| **other != name && within(held));
            let mut parts: Vec<String> = parts.map(|(other, _)| other.clone()).collect();
            parts.sort_unstable();
            for other in parts {
                self.bind_inside(&other, changed.clone());
            }
            self.replace_held(&name, &whole, changed);
        }
    }

    /// A method of a list is taken, and may be called later on whatever way: `f = list.insert`.
    pub(super) fn take_method(&mut self, thing: &Thing, name: &str) {
        if matches!(thing, Thing::List(_)) && is_held(thing) && !LOOKS.holds(name) {
            let changed = Thing::result("", thing.origins());
            self.bind_all_names_of(thing, &changed);
        }
    }

    /// The variable that an operand begins with, if more stands behind it.
    pub(super) fn root_at(&self, start: usize) -> Option<(String, usize)> {
        match self.frame.tokens.get(start) {
            Some(Token::Name(name)) if self.frame.at > start + 1 && self.variables.contains_key(&**name) => {
                Some((name.to_string(), self.frame.at))
            }
            _ => None,
        }
    }
}

/// Whether it is something that two names may stand for, and not nothing yet.
fn is_held(thing: &Thing) -> bool {
    match thing {
        Thing::List(things) => !things.is_empty(),
        Thing::Record(fields) => !fields.is_empty(),
        Thing::Text(value) => !value.is_empty(),
        _ => false,
    }
}

/// A thing with another one in the place of every part that is like this one, and how many those are.
fn with_part(whole: &Thing, part: &Thing, changed: &Thing, depth: usize, found: &mut usize) -> Thing {
    let mut other = |thing: &Thing| {
        if thing == part {
            *found += 1;
            return changed.clone();
        }
        if depth < 4 { with_part(thing, part, changed, depth + 1, found) } else { thing.clone() }
    };
    match whole {
        Thing::List(things) => Thing::List(things.iter().map(other).collect()),
        Thing::Record(fields) => {
            Thing::Record(fields.iter().map(|(name, thing)| (name.clone(), other(thing))).collect())
        }
        thing => thing.clone(),
    }
}

fn holds(held: &Thing, thing: &Thing, depth: usize) -> bool {
    held == thing
        || depth < 4
            && match held {
                Thing::List(things) => things.iter().any(|held| holds(held, thing, depth + 1)),
                Thing::Record(fields) => fields.iter().any(|(_, held)| holds(held, thing, depth + 1)),
                _ => false,
            }
}

/// What a record is behind a method; none if it is the same.
fn changed_record(thing: &Thing, name: &str, args: &Args) -> Option<Thing> {
    Some(match (name, args.known(0), args.get(1)) {
        ("update" | "merge!" | "assign", _, _) => {
            let given = |given: &Thing| matches!(given, Thing::Record(_));
            if !args.items.iter().all(given) {
                return Some(Thing::result("", thing.origins().and(args.origins())));
            }
            // The fields of a record among the arguments are there by their names.
            args.named.iter().fold(thing.clone(), |all, (name, thing)| with_member(all, name, thing.clone()))
        }
        ("set" | "store" | "put" | "setdefault" | "__setitem__", Some(key), Some(part)) => {
            with_member(thing.clone(), key, part.clone())
        }
        ("set" | "store" | "put" | "setdefault" | "__setitem__", None, Some(part)) => {
            Thing::result("", thing.origins().and(part.origins()))
        }
        ("replace" | "transform_values!" | "map!" | "__ior__" | "deep_merge!", _, _) => {
            Thing::result("", thing.origins().and(args.origins()))
        }
        _ => return None,
    })
}

/// What a text of Ruby is behind a method; none if it is the same.
fn changed_text(thing: &Thing, name: &str, result: &Thing) -> Option<Thing> {
    let changes = name.ends_with('!') || matches!(name, "concat" | "replace" | "prepend" | "insert");
    let known = name == "concat" && result.known().is_some();
    changes.then(|| if known { result.clone() } else { thing.rewritten() })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use signoff_model::Verdict::{Allow, Ask};

    #[test]
    fn what_changes_in_place_is_another_thing() {
        check(
            Ask,
            &[
                "python3 -c 'import subprocess; c=[\"echo\",\"-rf\",\"src\"]; c.insert(0,\"rm\"); subprocess.call(c)'",
                "python3 -c 'import subprocess; c=[\"echo\",\"rm\",\"-rf\",\"src\"]; c.pop(0); subprocess.call(c)'",
                "python3 -c 'import subprocess; c=[\"src\",\"-rf\",\"rm\"]; c.reverse(); subprocess.call(c)'",
                "python3 -c 'import shutil; d=[\"/tmp/x\"]; e=d; e[0]=\"src\"; shutil.rmtree(d[0])'",
                "python3 -c 'import shutil; d=[[\"/tmp/x\"]]; d[0][0]=\"src\"; shutil.rmtree(d[0][0])'",
                "python3 -c 'import shutil; d={\"p\":\"/tmp/x\"}; d.update([(\"p\",\"src\")]); shutil.rmtree(d[\"p\"])'",
                "node -e 'const a=[\"/tmp/x\"]; a.unshift(\"src\"); require(\"fs\").rmSync(a[0],{recursive:true})'",
                "node -e 'const a=[\"/tmp/x\"]; a.splice(0,1,\"src\"); require(\"fs\").rmSync(a[0],{recursive:true})'",
                "node -e 'const a=[\"/tmp/x\"]; a.fill(\"src\"); require(\"fs\").rmSync(a[0],{recursive:true})'",
                "node -e 'const o={p:\"/tmp/x\"}; Object.assign(o,{p:\"src\"}); require(\"fs\").rmSync(o.p,{recursive:true})'",
                "node -e 'const o={p:\"/tmp/x\"}; const q=o; q.p=\"src\"; require(\"fs\").rmSync(o.p,{recursive:true})'",
                "python3 -c 'import shutil\ndef add(l): l.append(\"src\")\nd=[\"/tmp/x\"]\nadd(d)\nfor x in d: shutil.rmtree(x)'",
                "python3 -c 'import shutil; a=[\"/tmp/x\"]; b=[a]; b[0][0]=\"src\"; shutil.rmtree(a[0])'",
                "python3 -c 'import shutil; a=[\"/tmp/x\"]; del a[0]; a.append(\"src\"); shutil.rmtree(a[0])'",
                "python3 -c 'import shutil; a=[\"/tmp/x\"]; f=a.insert; f(0,\"src\"); shutil.rmtree(a[0])'",
                "python3 -c 'import shutil\na=[\"/tmp/x\"]\ndef f():\n    a[0]=\"src\"\nf()\nshutil.rmtree(a[0])'",
                "python3 -c 'import shutil; shutil.rmtree(sorted([\"src\",\"/tmp/x\"])[1])'",
                "ruby -e 's=\"ls\"; t=s; t.replace(\"rm -rf src\"); system s'",
                "ruby -e 'a=[\"ls\"]; a.map!{|x| \"rm -rf src\"}; system(a[0])'",
                "ruby -e 's=\"ls\"; s[0..1]=\"rm -rf src\"; system s'",
            ],
        );
        check(
            Allow,
            &[
                "python3 -c 'import subprocess; c=[\"ls\"]; c.append(\"-l\"); print(c.index(\"ls\")); subprocess.run(c)'",
                "python3 -c 'import subprocess; c=[\"echo\",\"ls\",\"-l\"]; c.pop(0); subprocess.run(c)'",
                "node -e 'const a=[\"-l\"]; a.unshift(\"-a\"); require(\"child_process\").spawnSync(\"ls\",a)'",
                "python3 -c 'import shutil; a=[]; b=[]; a.append(\"x\"); print(a,b); shutil.rmtree(\"/tmp/x\")'",
            ],
        );
    }

    #[test]
    fn a_part_that_changes_in_place_is_another_thing() {
        check(
            Ask,
            &[
                "python3 -c 'import shutil; d={\"p\":[\"build\"]}; d[\"p\"].append(\"src\"); [shutil.rmtree(x) for x in d[\"p\"]]'",
                "python3 -c 'import shutil; d={\"p\":[\"build\"]}; d[\"p\"].insert(0,\"src\"); shutil.rmtree(d[\"p\"][0])'",
                "python3 -c 'import shutil; d=[[\"build\"]]; d[0].append(\"src\"); [shutil.rmtree(x) for x in d[0]]'",
                "python3 -c 'import shutil; d={\"p\":{\"q\":\"build\"}}; d[\"p\"].update(q=\"src\"); shutil.rmtree(d[\"p\"][\"q\"])'",
                "python3 -c 'import shutil; l=[\"build\"]; d={\"p\":l}; d[\"p\"].insert(0,\"src\"); shutil.rmtree(l[0])'",
                "python3 -c 'import subprocess; d={\"c\":[\"git\"]}; d[\"c\"].extend([\"reset\",\"--hard\"]); subprocess.run(d[\"c\"])'",
                "node -e 'const o={p:[\"build\"]}; o.p.push(\"src\"); o.p.forEach(x=>require(\"fs\").rmSync(x,{recursive:true}))'",
                "node -e 'const o={p:[\"build\"]}; o.p.unshift(\"src\"); require(\"fs\").rmSync(o.p[0],{recursive:true})'",
                "node -e 'const o={p:[\"src\"],q:[\"src\"]}; o.p.pop(); o.q.forEach(x=>require(\"fs\").rmSync(x,{recursive:true}))'",
                "ruby -e 'require \"fileutils\"; a=[\"build\"]; a[0] << \"/../src\"; FileUtils.rm_rf(a)'",
                "ruby -e 'require \"fileutils\"; a=[\"build\"]; a[0].sub!(\"build\",\"src\"); FileUtils.rm_rf(a)'",
                "ruby -e 'require \"fileutils\"; a=[\"build\"]; a.first.replace(\"src\"); FileUtils.rm_rf(a)'",
            ],
        );
        check(
            Allow,
            &[
                "python3 -c 'import shutil; d={\"p\":[\"build\"]}; d[\"p\"].append(\"dist\"); [shutil.rmtree(x) for x in d[\"p\"]]'",
                "python3 -c 'import subprocess; d={\"c\":[\"git\"]}; d[\"c\"].extend([\"status\"]); subprocess.run(d[\"c\"])'",
                "node -e 'const o={p:[\"build\"]}; o.p.push(\"dist\"); o.p.forEach(x=>require(\"fs\").rmSync(x,{recursive:true}))'",
                "python3 -c 'import os; r={\"a\":[],\"b\":[]}; [r[\"a\"].append(f) for f in os.listdir(\".\")]; print(r)'",
            ],
        );
    }

    #[test]
    fn a_function_without_a_name_changes_what_it_is_given() {
        check(
            Ask,
            &[
                "node -e 'const f=(o)=>{o.p=\"src\"}; const o={p:\"build\"}; f(o); require(\"fs\").rmSync(o.p,{recursive:true})'",
                "node -e 'const f=q=>{q.p=\"src\"}; const o={p:\"build\"}; f(o); require(\"fs\").rmSync(o.p,{recursive:true})'",
                "node -e 'const f=function(q){q[\"p\"]=\"src\"}; const o={p:\"build\"}; f(o); require(\"fs\").rmSync(o.p,{recursive:true})'",
                "node -e 'const f=a=>a.unshift(\"src\"); const a=[\"build\"]; f(a); require(\"fs\").rmSync(a[0],{recursive:true})'",
                "node -e 'const o={p:\"build\"}; (q=>{q.p=\"src\"})(o); require(\"fs\").rmSync(o.p,{recursive:true})'",
                "python3 -c 'import shutil; f=lambda l: l.insert(0,\"src\"); a=[\"build\"]; f(a); shutil.rmtree(a[0])'",
            ],
        );
        check(
            Allow,
            &[
                "node -e 'const f=s=>s.trim(); const a=[\"dist\"]; console.log(f(\" x \")); require(\"fs\").rmSync(a[0],{recursive:true})'",
                "node -e 'const f=o=>o.p; const o={p:\"dist\"}; console.log(f(o)); require(\"fs\").rmSync(o.p,{recursive:true})'",
            ],
        );
    }

    #[test]
    fn the_last_field_of_a_name_counts() {
        check(
            Ask,
            &[
                "node -e 'const o={p:\"src\"}; const q={p:\"build\",...o}; require(\"fs\").rmSync(q.p,{recursive:true})'",
                "node -e 'const q={p:\"build\",...JSON.parse(x)}; require(\"fs\").rmSync(q.p,{recursive:true})'",
                "python3 -c 'import shutil; o={\"p\":\"src\"}; q={\"p\":\"build\",**o}; shutil.rmtree(q[\"p\"])'",
                "python3 -c 'import shutil; q={\"p\":\"build\",\"p\":\"src\"}; shutil.rmtree(q[\"p\"])'",
            ],
        );
        check(
            Allow,
            &[
                "node -e 'const d={p:\"dist\"}; const q={p:\"src\",...d}; require(\"fs\").rmSync(q.p,{recursive:true})'",
                "node -e 'const q={...JSON.parse(x),p:\"dist\"}; require(\"fs\").rmSync(q.p,{recursive:true})'",
            ],
        );
    }
}
