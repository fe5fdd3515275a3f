//! Package managers: declared dependencies are harmless, foreign code and publishing are not.

mod deno;
mod manifest;
mod modules;
mod node;
mod others;
mod python;
mod rules;
mod rust;
#[cfg(test)]
mod tests;

use signoff_model::Span;

pub use self::rules::RULES;
pub(super) use self::{node::runs_by_itself, others::small};
use super::tool::shown;
use crate::{
    shell::{Call, Shell},
    value::{Arg, Feed},
};

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[node::find, deno::find, python::find, rust::find, others::find];

/// Where a package comes from, by the way it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// A registry, by name and version.
    Registry,
    /// A file or directory of this machine.
    Local,
    /// A repository or an address.
    Foreign,
}

fn source(arg: &Arg) -> Source {
    // A name that another machine sends may be any address.
    if arg.value.origins().any(|origin| matches!(origin, crate::value::Origin::Download { .. })) {
        return Source::Foreign;
    }
    let text = arg.value.prefix();
    let text = text.split_once("@ ").map_or(text, |(_, rest)| rest.trim_start());
    let lower = text.to_ascii_lowercase();
    let address = lower.contains("://")
        || lower.starts_with("git+")
        || lower.starts_with("git@")
        || ["github:", "gitlab:", "bitbucket:", "gist:", "ssh:"]
            .iter()
            .any(|prefix| lower.starts_with(prefix) || lower.contains(&format!("@{prefix}")));
    if lower.starts_with("file:")
        || lower.starts_with("link:")
        || lower.starts_with("workspace:")
        || lower.contains("@file:")
    {
        return Source::Local;
    }
    if address && !lower.contains("://localhost") && !lower.contains("://127.0.0.1") {
        return Source::Foreign;
    }
    if text.starts_with(['.', '/', '~'])
        || [".tgz", ".whl", ".tar.gz", ".gem", ".zip", ".crate"].iter().any(|ending| lower.ends_with(ending))
    {
        return Source::Local;
    }
    Source::Registry
}

/// `user/repo` is a repository for npm and its kin.
fn is_repository_short(arg: &Arg) -> bool {
    let Some(text) = arg.known() else { return false };
    !text.starts_with(['@', '.', '/', '~']) && text.matches('/').count() == 1 && !text.contains("://")
}

/// Says what installing these would do. Tells whether anything was named.
fn install(shell: &mut Shell<'_>, names: &[&Arg], global: bool) -> bool {
    for name in names {
        let rule = match source(name) {
            Source::Foreign => &rules::FOREIGN,
            _ if global => &rules::INSTALL_GLOBAL,
            Source::Local => continue,
            Source::Registry => &rules::INSTALL,
        };
        shell.tell(rule, name.shown(), name.span);
    }
    !names.is_empty()
}

/// Hosts that hold packages for everybody, and their well-known mirrors.
const USUAL_HOSTS: &[&str] = &[
    "pypi.org",
    "test.pypi.org",
    "pypi.python.org",
    "files.pythonhosted.org",
    "download.pytorch.org",
    "pypi.nvidia.com",
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "npm.pkg.github.com",
    "registry.npmmirror.com",
    "registry.npm.taobao.org",
    "pypi.tuna.tsinghua.edu.cn",
    "mirrors.aliyun.com",
    "mirrors.cloud.tencent.com",
    "pypi.mirrors.ustc.edu.cn",
    "mirrors.ustc.edu.cn",
    "repo.huaweicloud.com",
    "pypi.doubanio.com",
    "rubygems.org",
    "index.crates.io",
    "crates.io",
    "api.nuget.org",
    "conda.anaconda.org",
    "repo.anaconda.com",
    "proxy.golang.org",
    "goproxy.cn",
    "goproxy.io",
    "npm.jsr.io",
    "jsr.io",
    "wheels.vllm.ai",
    "download.openmmlab.com",
    "data.pyg.org",
    "storage.googleapis.com",
    "huggingface.co",
    "pypi.anaconda.org",
    "localhost",
    "127.0.0.1",
];

/// An index or registry given on the command line.
fn index(shell: &mut Shell<'_>, address: &Arg) {
    if is_unusual_index(address) {
        // Code that anybody on the way can change, from a machine without a name.
        let shown = address.shown();
        let bare = shown
            .strip_prefix("http://")
            .is_some_and(|rest| crate::shell::is_bare_address(rest.split(['/', ':']).next().unwrap_or(rest)));
        shell.tell(if bare { &rules::BARE_INDEX } else { &rules::INDEX }, shown, address.span);
    }
}

fn is_unusual_index(address: &Arg) -> bool {
    let shown = address.shown();
    let Some((scheme, rest)) = shown.split_once("://") else { return false };
    let host = rest.split(['/', '?']).next().unwrap_or(rest).rsplit('@').next().unwrap_or(rest);
    let host = host.split(':').next().unwrap_or(host);
    let own = host == "localhost" || host == "127.0.0.1";
    !USUAL_HOSTS.contains(&host) || scheme != "https" && !own
}

/// Runs the rest of the arguments as a program of their own.
fn run_rest(shell: &mut Shell<'_>, call: &Call, start: usize) -> Feed {
    let rest = call.args.get(start..).unwrap_or_default();
    let rest = match rest.split_first() {
        Some((first, behind)) if first.is("--") => behind,
        _ => rest,
    };
    shell.run(rest, call.stdin.clone(), call.span)
}

/// Where the arguments behind the verb begin.
fn behind(call: &Call, verb: &Arg) -> usize {
    call.args.iter().position(|arg| std::ptr::eq(arg, verb)).map_or(call.args.len(), |at| at + 1)
}

fn span_from(call: &Call, arg: &Arg) -> Span {
    call.program.span.to(arg.span)
}
