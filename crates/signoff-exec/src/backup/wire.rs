//! The stored form of backups. These types are only for reading and writing files; everything else works on those of
//! `manifest.rs`.

use std::{collections::BTreeSet, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    escaped::{escape, escape_name, unescape, unescape_name},
    manifest::{Attributes, Content, Description, Digest, Entry, Left, Manifest, Moment, Node},
};

/// Something in a document that has no meaning.
#[derive(Debug)]
pub(super) struct Meaningless(pub(super) &'static str);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireDescription {
    seconds: i64,
    nanoseconds: u32,
    command: String,
    paths: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireAttributes {
    mode: u32,
    owner: u32,
    group: u32,
    seconds: i64,
    nanoseconds: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extended: Vec<(String, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum WireNode {
    File { content: usize },
    Directory,
    Symlink { target: String },
    Fifo,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireEntry {
    path: String,
    node: WireNode,
    attributes: WireAttributes,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireContent {
    size: u64,
    allocated: u64,
    sha256: String,
    names_elsewhere: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireManifest {
    id: String,
    description: WireDescription,
    above: Vec<WireEntry>,
    entries: Vec<WireEntry>,
    contents: Vec<WireContent>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum WireLeft {
    Nothing,
    File { sha256: String, attributes: WireAttributes },
    Directory { attributes: WireAttributes },
    Symlink { target: String, attributes: WireAttributes },
    Fifo { attributes: WireAttributes },
    Other,
}

/// What the command left behind, for every entry in their order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireSeal {
    left: Vec<WireLeft>,
}

/// A restore that has begun: the directories that it makes.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireBegun {
    directories: Vec<String>,
}

/// A restore that has ended.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WireRestored {
    seconds: i64,
    nanoseconds: u32,
}

pub(super) fn digest_text(digest: Digest) -> String {
    digest.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn digest_from(text: &str) -> Option<Digest> {
    let mut bytes = [0; 32];
    let mut digits = text.chars();
    for byte in &mut bytes {
        let mut digit = || u8::try_from(digits.next()?.to_digit(16)?).ok();
        *byte = digit()? << 4 | digit()?;
    }
    digits.next().is_none().then_some(Digest(bytes))
}

fn path_from(text: &str) -> Result<PathBuf, Meaningless> {
    let path = unescape_name(text).map(PathBuf::from).ok_or(Meaningless("a path"))?;
    // What is restored goes to these paths: one that leads somewhere else is none of ours.
    let straight = path
        .components()
        .all(|component| matches!(component, std::path::Component::RootDir | std::path::Component::Normal(_)));
    if straight && path.is_absolute() { Ok(path) } else { Err(Meaningless("a path")) }
}

fn moment_from(seconds: i64, nanoseconds: u32) -> Result<Moment, Meaningless> {
    if nanoseconds < 1_000_000_000 { Ok(Moment { seconds, nanoseconds }) } else { Err(Meaningless("a time")) }
}

impl From<&Description> for WireDescription {
    fn from(description: &Description) -> Self {
        Self {
            seconds: description.time.seconds,
            nanoseconds: description.time.nanoseconds,
            command: description.command.clone(),
            paths: description.paths.iter().map(escape_name).collect(),
        }
    }
}

impl TryFrom<WireDescription> for Description {
    type Error = Meaningless;

    fn try_from(wire: WireDescription) -> Result<Self, Meaningless> {
        Ok(Self {
            time: moment_from(wire.seconds, wire.nanoseconds)?,
            command: wire.command,
            paths: wire.paths.iter().map(|path| path_from(path)).collect::<Result<_, _>>()?,
        })
    }
}

impl From<&Attributes> for WireAttributes {
    fn from(attributes: &Attributes) -> Self {
        Self {
            mode: attributes.mode,
            owner: attributes.owner,
            group: attributes.group,
            seconds: attributes.modified.seconds,
            nanoseconds: attributes.modified.nanoseconds,
            extended: attributes.extended.iter().map(|(name, value)| (escape_name(name), escape(value))).collect(),
        }
    }
}

impl TryFrom<WireAttributes> for Attributes {
    type Error = Meaningless;

    fn try_from(wire: WireAttributes) -> Result<Self, Meaningless> {
        if wire.mode & !0o7777 != 0 {
            return Err(Meaningless("a mode"));
        }
        let pair = |(name, value): &(String, String)| Some((unescape_name(name)?, unescape(value)?));
        Ok(Self {
            mode: wire.mode,
            owner: wire.owner,
            group: wire.group,
            modified: moment_from(wire.seconds, wire.nanoseconds)?,
            extended: wire.extended.iter().map(pair).collect::<Option<_>>().ok_or(Meaningless("an attribute"))?,
        })
    }
}

impl From<&Entry> for WireEntry {
    fn from(entry: &Entry) -> Self {
        let node = match &entry.node {
            Node::File(content) => WireNode::File { content: *content },
            Node::Directory => WireNode::Directory,
            Node::Symlink(target) => WireNode::Symlink { target: escape_name(target) },
            Node::Fifo => WireNode::Fifo,
        };
        Self { path: escape_name(&entry.path), node, attributes: (&entry.attributes).into() }
    }
}

impl TryFrom<WireEntry> for Entry {
    type Error = Meaningless;

    fn try_from(wire: WireEntry) -> Result<Self, Meaningless> {
        let node = match wire.node {
            WireNode::File { content } => Node::File(content),
            WireNode::Directory => Node::Directory,
            WireNode::Symlink { target } => Node::Symlink(unescape_name(&target).ok_or(Meaningless("a link"))?),
            WireNode::Fifo => Node::Fifo,
        };
        Ok(Self { path: path_from(&wire.path)?, node, attributes: wire.attributes.try_into()? })
    }
}

impl WireManifest {
    pub(super) fn new(id: &str, manifest: &Manifest) -> Self {
        let content = |content: &Content| WireContent {
            size: content.size,
            allocated: content.allocated,
            sha256: digest_text(content.digest),
            names_elsewhere: content.names_elsewhere,
        };
        Self {
            id: id.to_owned(),
            description: (&manifest.description).into(),
            above: manifest.above.iter().map(Into::into).collect(),
            entries: manifest.entries.iter().map(Into::into).collect(),
            contents: manifest.contents.iter().map(content).collect(),
        }
    }

    /// The manifest, if it is that of this backup and every part of it has a meaning.
    pub(super) fn into_manifest(self, id: &str) -> Result<Manifest, Meaningless> {
        if self.id != id {
            return Err(Meaningless("the name"));
        }
        let content = |wire: WireContent| {
            let digest = digest_from(&wire.sha256).ok_or(Meaningless("a digest"))?;
            let WireContent { size, allocated, names_elsewhere, .. } = wire;
            Ok(Content { size, allocated, digest, names_elsewhere })
        };
        let contents: Vec<_> = self.contents.into_iter().map(content).collect::<Result<_, Meaningless>>()?;
        let entries = |wire: Vec<WireEntry>| wire.into_iter().map(Entry::try_from).collect::<Result<Vec<_>, _>>();
        let (above, entries) = (entries(self.above)?, entries(self.entries)?);
        if entries.iter().any(|entry| matches!(entry.node, Node::File(content) if content >= contents.len()))
            || above.iter().any(|entry| entry.node != Node::Directory)
        {
            return Err(Meaningless("an entry"));
        }
        let description: Description = self.description.try_into()?;
        let named = |entry: &Entry| description.paths.iter().any(|path| entry.path.starts_with(path));
        let leads = |entry: &Entry| description.paths.iter().any(|path| path.starts_with(&entry.path));
        let mut seen = BTreeSet::new();
        // People are told the paths of the description, so that nothing goes anywhere else.
        if !entries.iter().all(|entry| named(entry) && seen.insert(&entry.path)) || !above.iter().all(leads) {
            return Err(Meaningless("a path"));
        }
        Ok(Manifest { description, above, entries, contents })
    }
}

impl WireSeal {
    pub(super) fn new(left: &[Left]) -> Self {
        let left = left.iter().map(|left| match left {
            Left::Nothing => WireLeft::Nothing,
            Left::File { digest, attributes } => {
                WireLeft::File { sha256: digest_text(*digest), attributes: attributes.into() }
            }
            Left::Directory { attributes } => WireLeft::Directory { attributes: attributes.into() },
            Left::Symlink { target, attributes } => {
                WireLeft::Symlink { target: escape_name(target), attributes: attributes.into() }
            }
            Left::Fifo { attributes } => WireLeft::Fifo { attributes: attributes.into() },
            Left::Other => WireLeft::Other,
        });
        Self { left: left.collect() }
    }

    pub(super) fn into_left(self) -> Result<Vec<Left>, Meaningless> {
        let left = self.left.into_iter().map(|wire| {
            Ok(match wire {
                WireLeft::Nothing => Left::Nothing,
                WireLeft::File { sha256, attributes } => Left::File {
                    digest: digest_from(&sha256).ok_or(Meaningless("a digest"))?,
                    attributes: attributes.try_into()?,
                },
                WireLeft::Directory { attributes } => Left::Directory { attributes: attributes.try_into()? },
                WireLeft::Symlink { target, attributes } => Left::Symlink {
                    target: unescape_name(&target).ok_or(Meaningless("a link"))?,
                    attributes: attributes.try_into()?,
                },
                WireLeft::Fifo { attributes } => Left::Fifo { attributes: attributes.try_into()? },
                WireLeft::Other => Left::Other,
            })
        });
        left.collect()
    }
}

impl WireBegun {
    pub(super) fn new<'path>(directories: impl Iterator<Item = &'path PathBuf>) -> Self {
        Self { directories: directories.map(escape_name).collect() }
    }

    pub(super) fn into_paths(self) -> Result<Vec<PathBuf>, Meaningless> {
        self.directories.iter().map(|path| path_from(path)).collect()
    }
}

impl WireRestored {
    pub(super) const fn new(time: Moment) -> Self {
        Self { seconds: time.seconds, nanoseconds: time.nanoseconds }
    }

    pub(super) fn into_time(self) -> Result<Moment, Meaningless> {
        moment_from(self.seconds, self.nanoseconds)
    }
}
