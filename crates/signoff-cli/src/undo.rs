//! `signoff undo`: lists backups, and brings back what a command took away.

use std::{
    ops::ControlFlow,
    path::Path,
    sync::atomic::Ordering,
    time::{Duration, SystemTime},
};

use serde::Serialize;
use signoff_card::{Language, bytes, visible};
use signoff_exec::{
    Store,
    backup::{
        BackupError, BackupErrorKind, BackupId, BackupRequest, Conflict, Destination, Listed, Moment, NoteKind,
        Progress, Prune, Restored, State,
    },
};
use signoff_gate::Places;

use crate::{
    arguments::UndoArguments,
    failure::{Failure, in_language},
    judge::language,
    output::{self, Output},
};

/// The newest backup, by another name.
const LAST: &str = "last";

/// So many of the paths of a backup are named.
const PATHS_AT_MOST: usize = 3;

/// So many of the things that are in the way are named.
const CONFLICTS_AT_MOST: usize = 10;

#[derive(Serialize)]
struct WireBackup<'a> {
    id: &'a str,
    state: &'static str,
    time: Option<String>,
    command: Option<&'a str>,
    paths: Vec<String>,
    entries: Option<u64>,
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct WireRestored<'a> {
    id: &'a str,
    placed: usize,
    replaced: usize,
    kept: usize,
    /// The backup that holds what was replaced.
    instead: Option<&'a str>,
}

pub(crate) fn run(arguments: &UndoArguments, places: &Places, output: &mut Output) -> Result<(), Failure> {
    let language = language(arguments.lang);
    let store = store(places)?;
    match (&arguments.prune, &arguments.id) {
        (Some(age), None) => prune(&store, age, language, output),
        (Some(_), Some(id)) => remove(&store, id, language, output),
        (None, None) => list(&store, arguments, language, output),
        (None, Some(id)) => restore(&store, id, arguments, language, output),
    }
}

/// The store of backups, which is made when it is needed.
pub(crate) fn store(places: &Places) -> Result<Store, Failure> {
    let path = places.backups();
    signoff_config::make_private_directory(path.parent().unwrap_or(Path::new("/"))).map_err(|error| {
        let shown = visible(&path.to_string_lossy());
        Failure::internal(
            format!("cannot make the directory of backups `{shown}`: {error}"),
            format!("无法创建备份目录 `{shown}`：{error}"),
        )
        .hint("check who owns it and how much room there is", "请检查其所有者与剩余空间")
    })?;
    Store::open(&path).map_err(|error| failure(&error))
}

/// A failure of a backup, as the command line tells it.
pub(crate) fn failure(error: &BackupError) -> Failure {
    let text = visible(&error.to_string());
    let chinese = match error.kind() {
        BackupErrorKind::Usage => "无法执行所请求的备份操作",
        BackupErrorKind::Changed => "备份期间文件发生了变化",
        BackupErrorKind::NoRoom => "空间不足",
        BackupErrorKind::Denied => "权限不足，或文件系统只读",
        BackupErrorKind::Untrusted => "该备份不可信",
        BackupErrorKind::Conflict => "原处现在有其他内容",
        BackupErrorKind::Busy => "另一进程正在使用该备份",
        BackupErrorKind::Cancelled => "已取消",
        BackupErrorKind::System => "系统出错",
    };
    let hint = match error.kind() {
        BackupErrorKind::Usage => "`signoff undo` 列出现有备份",
        BackupErrorKind::Changed => "请等待其他写入结束后重试",
        BackupErrorKind::NoRoom => "请用 `signoff undo --prune` 删除不再需要的备份，或腾出空间",
        BackupErrorKind::Denied => "请检查所有者与读写权限；未做任何更改",
        BackupErrorKind::Untrusted => "未从中恢复任何内容",
        BackupErrorKind::Conflict => "请先移走现有内容，或用 --into 恢复到其他目录",
        BackupErrorKind::Busy => "请等待另一进程结束",
        BackupErrorKind::Cancelled => "未做任何更改",
        BackupErrorKind::System => "未运行任何内容",
    };
    let (english, chinese) = match error {
        BackupError::Conflicts(conflicts) => (listed_conflicts(&text, conflicts), listed_conflicts(chinese, conflicts)),
        _ => (text.clone(), format!("{chinese}：{text}")),
    };
    match error.kind() {
        BackupErrorKind::Usage | BackupErrorKind::Conflict | BackupErrorKind::NoRoom => {
            Failure::usage(english, chinese)
        }
        BackupErrorKind::Changed
        | BackupErrorKind::Denied
        | BackupErrorKind::Untrusted
        | BackupErrorKind::Busy
        | BackupErrorKind::Cancelled
        | BackupErrorKind::System => Failure::internal(english, chinese),
    }
    .hint(error.hint(), hint)
}

fn listed_conflicts(head: &str, conflicts: &[Conflict]) -> String {
    let mut text = head.to_owned();
    for conflict in conflicts.iter().take(CONFLICTS_AT_MOST) {
        text.push_str("\n  ");
        text.push_str(&visible(&conflict.path.to_string_lossy()));
    }
    text
}

fn list(store: &Store, arguments: &UndoArguments, language: Language, output: &mut Output) -> Result<(), Failure> {
    let all = store.list().map_err(|error| failure(&error))?;
    if arguments.json {
        let wire: Vec<WireBackup<'_>> = all.iter().map(wire).collect();
        let text = serde_json::to_string(&wire).map_err(|error| Failure::write(&error.into()))?;
        return output.text(&format!("{text}\n"));
    }
    if all.is_empty() {
        let (english, chinese) = (
            "There are no backups. `signoff exec` makes one when you answer its question with *back up first*.\n",
            "没有备份。回答 `signoff exec` 的提问时选择“先备份”，就会生成备份。\n",
        );
        return output.text(in_language(language, english, chinese));
    }
    for listed in &all {
        output.text(&line(listed, language))?;
    }
    Ok(())
}

fn line(listed: &Listed, language: Language) -> String {
    let state = match &listed.state {
        State::Complete => String::new(),
        State::Restored(_) => in_language(language, "  (restored)", "  （已恢复）").to_owned(),
        State::HalfRestored => {
            in_language(language, "  (restored in part: restore it again)", "  （部分恢复：请再次恢复）").to_owned()
        }
        State::HalfMade => in_language(language, "  (never finished)", "  （未完成）").to_owned(),
        State::InUse => in_language(language, "  (in use)", "  （使用中）").to_owned(),
        State::Damaged(why) => {
            format!("  ({}{})", in_language(language, "damaged: ", "已损坏："), visible(why))
        }
    };
    let size = listed.size.map_or_else(String::new, |size| match language {
        Language::English if size.entries == 1 => format!("1 entry, {}", bytes(size.bytes)),
        Language::English => format!("{} entries, {}", size.entries, bytes(size.bytes)),
        Language::Chinese => format!("{} 项，{}", size.entries, bytes(size.bytes)),
    });
    let mut text = format!("{}  {size}{state}\n", listed.id);
    if let Some(about) = &listed.description {
        text.push_str(&format!("    {}\n", visible(&about.command)));
        for path in about.paths.iter().take(PATHS_AT_MOST) {
            text.push_str(&format!("    {}\n", visible(&path.to_string_lossy())));
        }
        let omitted = about.paths.len().saturating_sub(PATHS_AT_MOST);
        if omitted > 0 {
            text.push_str(&match language {
                Language::English => format!("    … and {omitted} more\n"),
                Language::Chinese => format!("    ……另有 {omitted} 项\n"),
            });
        }
    }
    text
}

fn wire(listed: &Listed) -> WireBackup<'_> {
    let about = listed.description.as_ref();
    WireBackup {
        id: listed.id.as_str(),
        state: match listed.state {
            State::Complete => "complete",
            State::Restored(_) => "restored",
            State::HalfRestored => "half_restored",
            State::HalfMade => "half_made",
            State::InUse => "in_use",
            State::Damaged(_) => "damaged",
        },
        time: about
            .and_then(|about| moment(about.time))
            .map(|time| humantime::format_rfc3339_seconds(time).to_string()),
        command: about.map(|about| about.command.as_str()),
        paths: about.map_or_else(Vec::new, |about| {
            about.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect()
        }),
        entries: listed.size.map(|size| size.entries),
        bytes: listed.size.map(|size| size.bytes),
    }
}

fn moment(moment: Moment) -> Option<SystemTime> {
    let since = Duration::new(u64::try_from(moment.seconds).ok()?, moment.nanoseconds);
    SystemTime::UNIX_EPOCH.checked_add(since)
}

fn restore(
    store: &Store,
    name: &str,
    arguments: &UndoArguments,
    language: Language,
    output: &mut Output,
) -> Result<(), Failure> {
    let id = id(store, name)?;
    let destination = match &arguments.into {
        None => Destination::Original,
        Some(directory) => Destination::Beside(directory.clone()),
    };
    let interrupted = output::interrupted()?;
    let mut line = output::Progress::new();
    let mut watch = |far: Progress| {
        line.tell(|| format!("{} / {}", bytes(far.done), bytes(far.total)));
        if interrupted.load(Ordering::Acquire) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let kept = match destination {
        Destination::Original => keep_present(store, &id, &mut watch),
        Destination::Beside(_) => Ok(None),
    };
    let moment = Moment::from(SystemTime::now());
    let done = kept.map(|kept| (kept, store.restore(&id, &destination, moment, &mut watch)));
    line.clear();
    let (kept, restored) = done?;
    let replaced = restored.as_ref().is_ok_and(|restored| restored.replaced > 0);
    let kept = match kept {
        Some(kept) if replaced => {
            // Sealed, it can be brought back in its turn.
            store.seal_after(&kept).map_err(|error| failure(&error))?;
            Some(kept)
        }
        Some(kept) => {
            // What cannot be removed is listed, and does no harm.
            let _ = store.remove(&kept);
            None
        }
        None => None,
    };
    let restored = restored.map_err(|error| failure(&error))?;
    if arguments.json {
        let instead = kept.as_ref().map(BackupId::as_str);
        let Restored { placed, replaced, kept, .. } = restored;
        let wire = WireRestored { id: id.as_str(), placed, replaced, kept, instead };
        let text = serde_json::to_string(&wire).map_err(|error| Failure::write(&error.into()))?;
        return output.text(&format!("{text}\n"));
    }
    for note in &restored.notes {
        output::note(&format!("{}: {}\n", visible(&note.path.to_string_lossy()), noted(&note.kind, language)));
    }
    let (back, still) = (restored.placed + restored.replaced, restored.kept);
    if let Some(kept) = kept {
        output::note(&match language {
            Language::English => format!("What stood there instead is kept: signoff undo {kept}\n"),
            Language::Chinese => format!("原处被替换的内容已保留：signoff undo {kept}\n"),
        });
    }
    output.text(&match language {
        Language::English => {
            let entries = if back + still == 1 { "entry" } else { "entries" };
            format!("Brought back {back} of {} {entries}; {still} were still there.\n", back + still)
        }
        Language::Chinese => format!("已恢复 {} 项中的 {back} 项；{still} 项仍在原处。\n", back + still),
    })
}

/// Copies what stands where a backup goes: what a command has left there may be the only copy of something, such as a file
/// that was moved over another one. None where nothing stands there.
fn keep_present(
    store: &Store,
    id: &BackupId,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Option<BackupId>, Failure> {
    let listed = store.list().map_err(|error| failure(&error))?;
    let about = listed.into_iter().find(|listed| listed.id == *id).and_then(|listed| listed.description);
    let paths = about.map(|about| about.paths).unwrap_or_default();
    let paths: Vec<_> = paths.into_iter().filter(|path| path.symlink_metadata().is_ok()).collect();
    if paths.is_empty() {
        return Ok(None);
    }
    let now = SystemTime::now();
    let kept = new_id(now).map_err(|error| failure(&error))?;
    let command = format!("signoff undo {id}");
    let request = BackupRequest { id: kept.clone(), time: Moment::from(now), command, paths };
    store.back_up(&request, watch).map_err(|error| failure(&error))?;
    Ok(Some(kept))
}

/// A name that tells when, and that no two processes choose in the same second.
pub(crate) fn new_id(now: SystemTime) -> Result<BackupId, BackupError> {
    let time = humantime::format_rfc3339_seconds(now).to_string();
    let digits: String = time.chars().filter(char::is_ascii_digit).collect();
    let (day, hour) = digits.split_at_checked(8).unwrap_or((&digits, ""));
    BackupId::new(format!("{day}-{hour}-{}", std::process::id()))
}

fn noted(kind: &NoteKind, language: Language) -> String {
    match kind {
        NoteKind::OtherOwner => in_language(language, "belongs to you now", "现在归您所有").to_owned(),
        NoteKind::NoAttribute(name) => {
            let name = visible(&name.to_string_lossy());
            match language {
                Language::English => format!("the attribute `{name}` could not be set"),
                Language::Chinese => format!("无法设置属性 `{name}`"),
            }
        }
        NoteKind::AttributesKept => in_language(
            language,
            "was there with the same contents; its rights and times stay",
            "已有相同内容；权限与时间保持不变",
        )
        .to_owned(),
        NoteKind::LinksElsewhere => in_language(
            language,
            "had more names elsewhere, and is a file of its own now",
            "原有其他硬链接，现为独立文件",
        )
        .to_owned(),
    }
}

fn prune(store: &Store, age: &str, language: Language, output: &mut Output) -> Result<(), Failure> {
    let age = humantime::parse_duration(age).map_err(|_| {
        let shown = visible(age);
        Failure::usage(format!("`{shown}` is no length of time"), format!("`{shown}` 不是时长"))
            .hint("such as 14d, 12h or 30m", "例如 14d、12h 或 30m")
    })?;
    let before = SystemTime::now().checked_sub(age).map(Moment::from);
    let removed = store.prune(&Prune { before, keep_bytes: None }).map_err(|error| failure(&error))?;
    for id in &removed {
        output.text(&format!("{id}\n"))?;
    }
    output.text(&match language {
        Language::English => format!("Removed {} backups.\n", removed.len()),
        Language::Chinese => format!("已删除 {} 个备份。\n", removed.len()),
    })
}

fn remove(store: &Store, name: &str, language: Language, output: &mut Output) -> Result<(), Failure> {
    let id = id(store, name)?;
    store.remove(&id).map_err(|error| failure(&error))?;
    output.text(&match language {
        Language::English => format!("Removed backup {id}.\n"),
        Language::Chinese => format!("已删除备份 {id}。\n"),
    })
}

fn id(store: &Store, name: &str) -> Result<BackupId, Failure> {
    if name != LAST {
        return BackupId::new(name).map_err(|error| failure(&error));
    }
    let all = store.list().map_err(|error| failure(&error))?;
    all.into_iter().map(|listed| listed.id).next().ok_or_else(|| {
        Failure::usage("there are no backups", "没有备份").hint("`signoff undo` lists them", "`signoff undo` 列出备份")
    })
}
