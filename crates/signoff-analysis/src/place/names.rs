//! The names by which places are recognised.

use crate::words::{Words, lines};

/// Temporary directories.
pub(super) static TEMPORARY: Words<16> =
    Words::of_lines(lines!["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders"]);

/// What machines have directly below their root, and nobody can do without.
pub(crate) const TOP_DIRECTORIES: &[&str] = &[
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "boot",
    "data",
    "dev",
    "etc",
    "export",
    "home",
    "lib",
    "lib32",
    "lib64",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "snap",
    "srv",
    "sys",
    "usr",
    "var",
];

/// Trees that belong to the operating system.
pub(super) static SYSTEM: Words<64> = Words::of_lines(lines![
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/sys",
    "/usr",
    "/var",
    "/nix",
    "/snap",
    "/System",
    "/Library",
    "/Applications",
    "/private/etc",
    "/private/var",
    "/efi",
    "/cores",
]);

/// System trees whose loss, as a whole, ends the machine or everybody's work on it.
pub(super) static SYSTEM_TREES: Words<128> = Words::of_lines(lines![
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/sys",
    "/usr",
    "/var",
    "/usr/bin",
    "/usr/lib",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib/modules",
    "/usr/lib/modules",
    "/lib/systemd",
    "/usr/lib/systemd",
    "/usr/lib64",
    "/usr/sbin",
    "/usr/local",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/include",
    "/var/lib",
    "/var/log",
    "/var/spool",
    "/etc/ssl",
    "/etc/ssh",
    "/etc/pam.d",
    "/etc/systemd",
    "/boot/efi",
    "/boot/grub",
    "/efi",
    "/nix",
    "/nix/store",
    "/System",
    "/Library",
    "/Applications",
    "/private",
    "/private/etc",
    "/private/var",
    "/System/Library",
    "/Volumes",
    "/lib/modules",
    "/usr/lib/systemd",
    "/var/lib/dpkg",
    "/var/lib/rpm",
    "/etc/apt",
    "/snap",
    "/proc/sys",
    "/sys/firmware",
    "/sys/firmware/efi",
    "/sys/firmware/efi/efivars",
]);

/// Directories that a build, a package manager or a test run makes again, wherever they stand.
pub(super) static REBUILT: Words<256> = Words::of_lines(lines![
    "node_modules",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".svelte-kit",
    ".tox",
    ".nox",
    ".gradle",
    ".angular",
    ".dart_tool",
    ".eggs",
    "htmlcov",
    ".nyc_output",
    ".coverage",
    "DerivedData",
    ".terraform",
    ".serverless",
    "elm-stuff",
    "bower_components",
    ".vite",
    ".output",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".sass-cache",
    ".eslintcache",
    ".stylelintcache",
    ".rollup.cache",
    ".docusaurus",
    ".expo",
    ".bundle",
    "storybook-static",
    "cmake-build-debug",
    "cmake-build-release",
    ".ccls-cache",
    ".clangd",
    "zig-cache",
    "zig-out",
    ".zig-cache",
    ".stack-work",
    "dist-newstyle",
    ".metals",
    ".bloop",
    ".pnpm-store",
    ".yarn-cache",
    ".jest-cache",
    "Pods",
    ".symlinks",
    ".venv",
    "venv",
    ".virtualenv",
    "virtualenv",
    ".direnv",
    "playwright-report",
    "test-results",
    ".build",
    ".vercel",
    ".netlify",
    ".astro",
    ".contentlayer",
    ".swc",
    ".webpack",
    ".cxx",
    ".externalNativeBuild",
    "cdk.out",
    ".aws-sam",
    "allure-results",
    "allure-report",
    ".phpunit.cache",
    ".phpunit.result.cache",
    ".php-cs-fixer.cache",
    ".scannerwork",
    ".kotlin",
    ".pytype",
    ".pyre",
    ".cache-loader",
]);

/// Directories that a build makes again when they stand in a project.
pub(super) static REBUILT_IN_PROJECT: Words<128> = Words::of_lines(lines![
    "target",
    "build",
    "dist",
    "out",
    "obj",
    "coverage",
    "_build",
    "ebin",
    ".cache",
    "tmp",
    "temp",
    ".tmp",
    ".temp",
    "debug",
    "release",
    "bazel-out",
    "bazel-bin",
    "bazel-testlogs",
    "site",
    "_site",
    "public/build",
    "generated",
    "__generated__",
    ".mvn/wrapper/dists",
    "lib-cov",
    "builddir",
    "out-tsc",
    "cov",
    ".coverage_html",
    "coverage-report",
    "build-debug",
    "build-release",
    "Debug",
    "Release",
    "x64",
    "artifacts",
]);

/// Endings of files that a build makes again.
pub(super) static REBUILT_ENDINGS: Words<128> = Words::of_lines(lines![
    ".pyc",
    ".pyo",
    ".o",
    ".obj",
    ".class",
    ".gcda",
    ".gcno",
    ".gcov",
    ".rmeta",
    ".rlib",
    ".tsbuildinfo",
    ".egg-info",
    ".dist-info",
    ".whl",
    ".lo",
    ".la",
    ".hi",
    ".beam",
    ".elc",
    ".aux",
    ".fls",
    ".fdb_latexmk",
    ".synctex.gz",
    ".nbc",
    ".profraw",
    ".profdata",
    ".lcov",
    ".map",
    ".tmp",
    ".temp",
    ".ds_store",
    ".stackdump",
    ".coverage",
]);

/// Endings of what editors and tools leave behind in a project.
pub(super) static LEFT_OVER: Words<16> = Words::of_lines(lines![".swp", ".swo", ".gch", ".pch", ".ilk"]);

/// Files that tools leave behind in a project, in lower case.
pub(super) static LEFT_OVER_FILES: Words<64> = Words::of_lines(lines![
    "a.out",
    "nohup.out",
    "thumbs.db",
    "desktop.ini",
    "npm-debug.log",
    "yarn-debug.log",
    "yarn-error.log",
    "pnpm-debug.log",
    "lerna-debug.log",
    "coverage.xml",
    "coverage.json",
    "coverage-final.json",
    "coverage.out",
    "coverage.txt",
    "coverage.lcov",
    "cover.out",
    "lcov.info",
    "cobertura.xml",
    "clover.xml",
    "junit.xml",
    "test-results.xml",
]);

/// Endings of what a linker makes. Others keep such files among what they did not build themselves.
pub(super) static LINKED: Words<16> = Words::of_lines(lines![".a", ".so", ".dylib", ".dll", ".lib", ".exe"]);

/// Directories in which a project keeps what it did not build itself.
pub(super) static FOREIGN: Words<64> = Words::of_lines(lines![
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "external",
    "extern",
    "deps",
    "lib",
    "libs",
    "bin",
    "prebuilt",
    "prebuilts",
    "sdk",
    "tools",
    "resources",
    "assets",
]);

/// Files in which a package manager writes down what it resolved: it writes them again.
pub(super) static LOCK_FILES: Words<64> = Words::of_lines(lines![
    "Cargo.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile.lock",
    "Gemfile.lock",
    "composer.lock",
    "Podfile.lock",
    "mix.lock",
    "pubspec.lock",
    "flake.lock",
    "go.sum",
]);

/// Endings of files without which a system does not run, when they are taken machine-wide.
pub(super) const VITAL_ENDINGS: &[&str] = &[
    ".conf", ".so", ".so*", ".so.*", ".so.?", ".service", ".ko", ".cfg", ".sh", ".py", ".pl", ".bin", ".d", ".rules",
    ".target", ".dylib", ".plist", ".ini",
];

/// Files that a project does not work without, in lower case.
pub(super) static IMPORTANT: Words<128> = Words::of_lines(lines![
    "database.yml",
    "database.yaml",
    "database.json",
    "database.php",
    "main.rs",
    "lib.rs",
    "main.py",
    "main.go",
    "main.c",
    "main.cpp",
    "main.ts",
    "main.js",
    "main.java",
    "index.ts",
    "index.js",
    "index.html",
    "app.py",
    "manage.py",
    "wsgi.py",
    "settings.py",
    "cargo.toml",
    "package.json",
    "go.mod",
    "pyproject.toml",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "gemfile",
    "composer.json",
    "schema.prisma",
    "schema.rb",
    "application.properties",
    "application.yml",
    "appsettings.json",
    "wp-config.php",
    "docker-compose.yml",
    "compose.yml",
    "compose.yaml",
    "dockerfile",
    "makefile",
    "cmakelists.txt",
    "main.tf",
    "values.yaml",
    "nginx.conf",
]);

/// Directories that hold sources.
pub(super) static SOURCES: Words<64> = Words::of_lines(lines![
    "src",
    "lib",
    "pkg",
    "app",
    "apps",
    "crates",
    "packages",
    "cmd",
    "internal",
    "include",
    "test",
    "tests",
    "spec",
    "docs",
    "doc",
    "scripts",
    "source",
    "sources",
    "components",
    "pages",
    "server",
    "client",
    "api",
    "core",
    "modules",
    "services",
    "config",
    "migrations",
    "assets",
    "web",
]);

/// Names of directories and endings of files that hold data nobody can build again.
pub(super) static DATA_DIRECTORIES: Words<64> = Words::of_lines(lines![
    "data",
    "db",
    "database",
    "databases",
    "backup",
    "backups",
    "uploads",
    "upload",
    "storage",
    "dumps",
    "dump",
    "models",
    "checkpoints",
    "media",
    "volumes",
    "pgdata",
    "mysql",
    "snapshots",
    "archive",
    "archives",
    "fixtures",
    "seeds",
    "datasets",
]);

/// Endings of files that hold data nobody can build again.
pub(super) static DATA_ENDINGS: Words<64> = Words::of_lines(lines![
    ".db",
    ".sqlite",
    ".sqlite3",
    ".db3",
    ".mdb",
    ".sql",
    ".dump",
    ".bak",
    ".backup",
    ".rdb",
    ".aof",
    ".csv",
    ".tsv",
    ".parquet",
    ".xlsx",
    ".xls",
    ".h5",
    ".hdf5",
    ".ckpt",
    ".safetensors",
    ".tfstate",
    ".ldf",
    ".mdf",
    ".frm",
    ".ibd",
    ".dat",
    ".qcow2",
    ".vmdk",
    ".vdi",
    ".img",
    ".kdbx",
]);

/// Files of the login shell and the desktop session: what they hold runs at every log-in.
pub(super) static LOGIN_PROFILES: Words<128> = Words::of_lines(lines![
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".xinitrc",
    ".xsession",
    ".xprofile",
    ".inputrc",
    ".bash_aliases",
    ".pam_environment",
    ".config/fish/config.fish",
    ".config/environment.d",
    ".xsessionrc",
    ".vimrc",
    ".config/nvim/init.lua",
    ".config/nvim/init.vim",
    ".emacs",
    ".tmux.conf",
    ".gdbinit",
    ".psqlrc",
    ".config/fish/conf.d",
    ".zshrc.local",
    ".bashrc.d",
    ".oh-my-zsh/custom",
]);

/// Whether git calls a hook so, wherever it lies; `update` is a name like any other.
pub(crate) fn is_hook(name: &str) -> bool {
    static HOOKS: Words<32> = Words::new(
        "applypatch-msg pre-applypatch post-applypatch pre-commit prepare-commit-msg commit-msg post-commit pre-rebase \
        post-checkout post-merge pre-push pre-receive post-receive post-update post-rewrite",
    );
    HOOKS.holds(name)
}

/// Places whose files start by themselves.
pub(super) static START_UP: Words<16> = Words::of_lines(lines![
    ".config/autostart",
    ".config/systemd",
    "Library/LaunchAgents",
    "Library/LaunchDaemons",
    "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup",
    ".local/share/systemd",
    ".config/upstart",
]);

/// Configuration files of coding agents: what they hold decides what an agent may do. All of them are hidden.
pub(super) static AGENT_SETTINGS: Words<128> = Words::of_lines(lines![
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".claude.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codex/auth.json",
    ".gemini/settings.json",
    ".cursor/rules",
    ".clinerules",
    ".cursor/mcp.json",
    ".cursor/cli.json",
    ".cursor/hooks.json",
    ".cursor/permissions.json",
    ".mcp.json",
    ".vscode/mcp.json",
    ".vscode/settings.json",
    ".vscode/tasks.json",
    ".opencode",
    ".config/opencode",
    ".continue/config.json",
    ".aider.conf.yml",
    ".kimi",
    ".qwen/settings.json",
    ".copilot",
    ".github/hooks",
    ".amp/settings.json",
    ".config/amp",
    ".crush.json",
    ".roo/mcp.json",
    ".windsurf/mcp_config.json",
    ".codeium/windsurf/mcp_config.json",
    ".kiro/settings",
    ".claude/commands",
    ".claude/agents",
    ".claude/plugins",
    ".claude/managed-settings.json",
    ".config/github-copilot",
    ".factory/settings.json",
    ".goose",
    ".config/goose",
    ".zed/settings.json",
    ".config/zed/settings.json",
    ".gemini/extensions",
    ".gemini/hooks",
    ".gemini/policies",
    ".codex/rules",
    ".codex/requirements.toml",
    ".cline/hooks",
    ".kimi-code/config.toml",
    ".windsurf/hooks.json",
    ".codeium/windsurf/hooks.json",
    ".agents/plugins",
    ".agents/hooks.json",
    ".gemini/config",
    ".amp/plugins",
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/skills",
    ".idea/workspace.xml",
]);

/// Those that are not hidden.
pub(super) static PLAIN_AGENT_SETTINGS: Words<8> =
    Words::of_lines(lines!["opencode.json", "opencode.jsonc", "crush.json"]);

/// Files that say what a build server runs.
pub(super) static PIPELINES: Words<64> = Words::of_lines(lines![
    ".github/workflows",
    ".github/actions",
    ".gitea/workflows",
    ".forgejo/workflows",
    ".gitlab-ci.yml",
    ".gitlab-ci.yaml",
    ".circleci",
    ".travis.yml",
    ".buildkite",
    ".drone.yml",
    ".woodpecker",
    ".woodpecker.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    "appveyor.yml",
    ".appveyor.yml",
    "cloudbuild.yaml",
    ".cirrus.yml",
]);

/// Signoff's own files.
pub(super) static SIGNOFF: Words<16> = Words::of_lines(lines![
    ".signoff",
    ".config/signoff",
    ".local/share/signoff",
    ".local/state/signoff",
    ".cache/signoff"
]);

/// Signoff's own files outside any home.
pub(super) const SIGNOFF_SYSTEM: &[&str] = &["/etc/signoff", "/var/lib/signoff", "/run/signoff", "/var/log/signoff"];

/// Whether the path is that of a directory one or two steps above Signoff's own state.
pub(crate) fn holds_own_state(path: &str) -> bool {
    path == "/var/lib" || ["/.local", "/.local/share"].iter().any(|above| path.ends_with(above))
}

/// Whether the path is that of a socket, or of a directory of sockets, by which Signoff is spoken to.
pub(super) fn is_own_socket(path: &str) -> bool {
    let own = |part: &str| part.starts_with("signoff");
    if ["/run", "/var/run"].iter().any(|tree| super::is_within(path, tree)) {
        return super::components(path).any(own);
    }
    if !path.ends_with(".sock") && !path.ends_with(".socket") {
        return false;
    }
    let mut parts = path.rsplit('/');
    parts.next().is_some_and(own) || path.ends_with(".sock") && parts.next().is_some_and(own)
}

/// Whether the path is some user's home or lies in one.
pub(super) fn is_some_home(path: &str) -> bool {
    ["/home", "/Users"].iter().any(|parent| super::is_within(path, parent)) || super::is_within(path, "/root")
}

/// Whether the path is the home directory of somebody, or holds all of them.
pub(super) fn is_home_tree(path: &str) -> bool {
    match path {
        "/home" | "/Users" | "/root" => true,
        _ => {
            ["/home/", "/Users/"].iter().any(|parent| path.strip_prefix(parent).is_some_and(|rest| !rest.contains('/')))
        }
    }
}

/// Whether the path lies at least two plain directories below a home, where people keep their projects.
pub(super) fn is_deep_in_home(path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    let parent = parts.next();
    let below: Vec<&str> = parts.skip(1).collect();
    matches!(parent, Some("home" | "Users"))
        && below.len() >= 3
        && !below.iter().any(|part| part.starts_with('.') || *part == "Library")
}
