//! A map that is cheap to copy: subshells and branches copy the whole state of the shell, and rarely change it.

use std::{cmp::Ordering, rc::Rc};

use compact_str::CompactString;

/// More entries than this are not kept; the walk then stops and asks.
const MAX_ENTRIES: usize = 512;

/// Names with what they stand for. Copying the map copies neither.
///
/// The entries stand in one order in all maps: maps are compared far more often than a name is added, and two sorted lists
/// that share most of their values are compared in one walk, without a look at a value. The order is that of the names'
/// hashes, so that finding a name compares numbers, and then one text. Who chooses names with one hash gains nothing: equal
/// ones stand in the order of their letters.
#[derive(Clone, Debug, Eq)]
pub(super) struct Table<T> {
    entries: Rc<Vec<Entry<T>>>,
    overflowed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry<T> {
    hash: u64,
    name: CompactString,
    value: Rc<T>,
}

impl<T> Entry<T> {
    fn order(&self, hash: u64, name: &str) -> Ordering {
        self.hash.cmp(&hash).then_with(|| self.name.as_str().cmp(name))
    }
}

/// The hash of a name, eight letters at a time.
pub(super) fn hash_of(name: &str) -> u64 {
    let (chunks, rest) = name.as_bytes().as_chunks::<8>();
    let last = number_of(rest);
    let step = |hash: u64, letters: u64| (hash.rotate_left(5) ^ letters).wrapping_mul(0x517c_c1b7_2722_0a95);
    step(chunks.iter().fold(0, |hash, letters| step(hash, u64::from_le_bytes(*letters))), last)
}

/// Less than eight letters as the digits of a number, behind a one. Most names are as short: four of them and more are read
/// from both ends at once, where the same letters fall on each other.
fn number_of(letters: &[u8]) -> u64 {
    match (letters.first_chunk(), letters.last_chunk()) {
        (Some(front), Some(back)) => {
            let front = 1 << 32 | u64::from(u32::from_be_bytes(*front));
            front << (8 * (letters.len() - 4)) | u64::from(u32::from_be_bytes(*back))
        }
        _ => letters.iter().fold(1, |number, letter| number << 8 | u64::from(*letter)),
    }
}

impl<T: PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(here, there): (&Entry<T>, &Entry<T>)| {
            here.hash == there.hash
                && here.name == there.name
                && (Rc::ptr_eq(&here.value, &there.value) || here.value == there.value)
        };
        self.overflowed == other.overflowed
            && (Rc::ptr_eq(&self.entries, &other.entries)
                || self.entries.len() == other.entries.len() && self.entries.iter().zip(&*other.entries).all(same))
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { entries: Rc::default(), overflowed: false }
    }
}

impl<T: Clone + PartialEq> Table<T> {
    /// Where a name stands, or where it would.
    fn find(&self, hash: u64, name: &str) -> Result<usize, usize> {
        // Two names of one hash are rare: nearly every search compares numbers, and then one text.
        let at = self.position(hash);
        match self.entries.get(at) {
            Some(entry) if entry.hash != hash => Err(at),
            Some(entry) if entry.name == name => Ok(at),
            Some(_) => self.entries.binary_search_by(|entry| entry.order(hash, name)),
            None => Err(at),
        }
    }

    /// How many entries stand before a hash. Hashes are spread evenly, so it stands near to where its size says; where many
    /// do not, they are searched by halves.
    fn position(&self, hash: u64) -> usize {
        const NEAR: usize = 16;
        let entries = self.entries.as_slice();
        let is_before = |at: usize| entries.get(at).is_some_and(|entry| entry.hash < hash);
        let guess = ((u128::from(hash) * entries.len() as u128) >> 64) as usize;
        let found = if is_before(guess) {
            (guess + 1..=guess + NEAR).find(|at| !is_before(*at))
        } else {
            let first = guess.saturating_sub(NEAR);
            let before = (first..guess).rev().find(|at| is_before(*at));
            before.map(|at| at + 1).or(if first == 0 { Some(0) } else { None })
        };
        found.unwrap_or_else(|| entries.partition_point(|entry| entry.hash < hash))
    }

    pub(super) fn get(&self, name: &str) -> Option<&T> {
        if self.entries.is_empty() {
            return None;
        }
        let at = self.find(hash_of(name), name).ok()?;
        self.entries.get(at).map(|entry| entry.value.as_ref())
    }

    pub(super) fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn insert(&mut self, name: impl AsRef<str> + Into<CompactString>, value: T) {
        let hash = hash_of(name.as_ref());
        match self.find(hash, name.as_ref()) {
            Ok(at) => {
                if let Some(entry) = Rc::make_mut(&mut self.entries).get_mut(at) {
                    match Rc::get_mut(&mut entry.value) {
                        Some(held) => *held = value,
                        None => entry.value = Rc::new(value),
                    }
                }
            }
            Err(_) if self.entries.len() >= MAX_ENTRIES => self.overflowed = true,
            Err(at) => {
                let entry = Entry { hash, name: name.into(), value: Rc::new(value) };
                Rc::make_mut(&mut self.entries).insert(at, entry);
            }
        }
    }

    /// Whether something was not kept.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<T> {
        if self.entries.is_empty() {
            return None;
        }
        let at = self.find(hash_of(name), name).ok()?;
        let entry = Rc::make_mut(&mut self.entries).remove(at);
        Some(Rc::unwrap_or_clone(entry.value))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.value.as_ref()))
    }

    /// Whether both are the same map, told without looking inside.
    pub(super) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.entries, &other.entries)
    }

    /// The names that stand for something else in the other map, or for nothing.
    pub(super) fn differing(&self, other: &Self) -> Vec<String> {
        self.differences(other).filter(|(_, here, _)| here.is_some()).map(|(name, _, _)| name.to_string()).collect()
    }

    /// The names that do not stand for the same in both maps, with what they stand for here and there.
    pub(super) fn differences<'t>(
        &'t self,
        other: &'t Self,
    ) -> impl Iterator<Item = (&'t CompactString, Option<&'t T>, Option<&'t T>)> {
        let same = self.is(other);
        let mut here = self.entries.iter().filter(move |_| !same).peekable();
        let mut there = other.entries.iter().filter(move |_| !same).peekable();
        std::iter::from_fn(move || {
            loop {
                let order = match (here.peek(), there.peek()) {
                    (Some(here), Some(there)) => here.order(there.hash, &there.name),
                    (Some(_), None) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (None, None) => return None,
                };
                match order {
                    Ordering::Less => return here.next().map(|entry| (&entry.name, Some(entry.value.as_ref()), None)),
                    Ordering::Greater => {
                        return there.next().map(|entry| (&entry.name, None, Some(entry.value.as_ref())));
                    }
                    Ordering::Equal => {
                        let (here, there) = here.next().zip(there.next())?;
                        if !Rc::ptr_eq(&here.value, &there.value) && here.value != there.value {
                            return Some((&here.name, Some(here.value.as_ref()), Some(there.value.as_ref())));
                        }
                    }
                }
            }
        })
    }

    /// Something is not kept.
    pub(super) fn overflow(&mut self) {
        self.overflowed = true;
    }

    /// Something was not kept on another way through the text.
    pub(super) fn overflow_like(&mut self, other: &Self) {
        self.overflowed |= other.overflowed;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Steps = Vec<(u8, Option<u8>)>;

    /// Names from few letters, so that they meet.
    fn name(number: u8) -> String {
        format!("{}{}", "x".repeat(usize::from(number % 5)), number % 7)
    }

    fn walked(
        mut table: Table<u8>,
        mut model: BTreeMap<String, u8>,
        steps: &Steps,
    ) -> (Table<u8>, BTreeMap<String, u8>) {
        for (number, value) in steps {
            let name = name(*number);
            match value {
                Some(value) => {
                    model.insert(name.clone(), *value);
                    table.insert(name, *value);
                }
                None => assert_eq!(table.remove(&name), model.remove(&name)),
            }
        }
        (table, model)
    }

    proptest! {
        #[test]
        fn a_table_is_a_map_and_its_copies_go_their_own_ways(first: Steps, second: Steps, third: Steps) {
            let (base, model) = walked(Table::default(), BTreeMap::new(), &first);
            let (one, one_model) = walked(base.clone(), model.clone(), &second);
            let (other, other_model) = walked(base, model, &third);
            let mut entries: Vec<(&str, &u8)> = one.iter().collect();
            entries.sort_unstable();
            let expected: Vec<(&str, &u8)> = one_model.iter().map(|(name, value)| (name.as_str(), value)).collect();
            prop_assert_eq!(entries, expected);
            let names = one_model.keys().chain(other_model.keys()).collect::<std::collections::BTreeSet<_>>();
            let expected: Vec<_> = names
                .into_iter()
                .map(|name| (name.as_str(), one_model.get(name), other_model.get(name)))
                .filter(|(_, here, there)| here != there)
                .collect();
            let mut found: Vec<_> =
                one.differences(&other).map(|(name, here, there)| (name.as_str(), here, there)).collect();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn letters_are_digits_from_whichever_end_they_are_read() {
        for length in 0..8 {
            let letters = b"\xffbcdefg".get(..length).unwrap_or_default();
            let digits = letters.iter().fold(1, |number, letter| number << 8 | u64::from(*letter));
            assert_eq!(number_of(letters), digits, "{length}");
        }
    }

    #[test]
    fn a_hash_is_found_where_they_are_not_spread() {
        let mut near: Table<usize> = Table::default();
        let entries = (0..MAX_ENTRIES).map(|number| Entry {
            hash: number as u64 * 2,
            name: CompactString::default(),
            value: Rc::new(number),
        });
        near.entries = Rc::new(entries.collect());
        for hash in 0..2 * MAX_ENTRIES as u64 {
            assert_eq!(near.position(hash), near.entries.partition_point(|entry| entry.hash < hash), "{hash}");
        }
    }

    #[test]
    fn a_table_that_is_full_says_so_and_still_takes_what_it_holds() {
        let mut table = Table::default();
        (0..MAX_ENTRIES).for_each(|number| table.insert(number.to_string(), 1));
        table.insert("7", 2);
        assert!(!table.overflowed());
        table.insert("one more", 1);
        assert!(table.overflowed() && !table.contains_key("one more"));
        assert_eq!(table.get("7"), Some(&2));
    }
}
