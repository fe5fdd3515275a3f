//! The names by which places are recognised.

/// Temporary directories.
pub(super) const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/var/folders"];

/// Trees that belong to the operating system.
pub(super) const SYSTEM: &[&str] = &[
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/proc", "/root", "/run", "/sbin", "/sys", "/usr",
    "/var", "/nix", "/snap", "/System", "/Library", "/Applications", "/private/etc", "/private/var", "/efi", "/cores",
];

/// System trees whose loss, as a whole, ends the machine or everybody's work on it.
pub(super) const SYSTEM_TREES: &[&str] = &[
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/opt", "/proc", "/root", "/run", "/sbin", "/sys", "/usr", "/var",
    "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/sbin", "/usr/local", "/usr/share", "/usr/local/bin", "/usr/local/lib", "/usr/include", "/var/lib",
    "/var/log", "/var/spool", "/etc/ssl", "/etc/ssh", "/etc/pam.d", "/etc/systemd", "/boot/efi", "/boot/grub", "/efi", "/nix", "/nix/store",
    "/System", "/Library", "/Applications", "/private", "/private/etc", "/private/var", "/System/Library", "/Volumes", "/lib/modules",
    "/usr/lib/systemd", "/var/lib/dpkg", "/var/lib/rpm", "/etc/apt", "/snap", "/proc/sys", "/sys/firmware", "/sys/firmware/efi", "/sys/firmware/efi/efivars",
];

/// Directories that a build, a package manager or a test run makes again, wherever they stand.
pub(super) const REBUILT: &[&str] = &[
    "node_modules", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".next", ".nuxt", ".turbo", ".parcel-cache", ".svelte-kit",
    ".tox", ".nox", ".gradle", ".angular", ".dart_tool", ".eggs", "htmlcov", ".nyc_output", ".coverage", "DerivedData", ".terraform", ".serverless",
    "elm-stuff", "bower_components", ".vite", ".output", ".hypothesis", ".ipynb_checkpoints", ".sass-cache", ".eslintcache", ".stylelintcache",
    ".rollup.cache", ".docusaurus", ".expo", ".bundle", "storybook-static", "cmake-build-debug", "cmake-build-release", ".ccls-cache", ".clangd",
    "zig-cache", "zig-out", ".zig-cache", ".stack-work", "dist-newstyle", ".metals", ".bloop", ".pnpm-store", ".yarn-cache", ".jest-cache", "Pods",
    ".venv", "venv", ".virtualenv", "virtualenv", ".direnv", "playwright-report", "test-results", ".build", ".wrangler", ".vercel", ".netlify",
    ".astro", ".contentlayer", ".swc", ".webpack", ".cxx", ".externalNativeBuild", "cdk.out", ".aws-sam", "allure-results", "allure-report",
    ".phpunit.cache", ".phpunit.result.cache", ".php-cs-fixer.cache", ".scannerwork", ".kotlin", ".pytype", ".pyre", ".cache-loader",
];

/// Directories that a build makes again when they stand in a project.
pub(super) const REBUILT_IN_PROJECT: &[&str] = &[
    "target", "build", "dist", "out", "obj", "coverage", "_build", ".cache", "tmp", "temp", ".tmp", ".temp", "debug", "release", "bazel-out", "bazel-bin",
    "bazel-testlogs", "site", "_site", "public/build", "generated", "__generated__", ".mvn/wrapper/dists", "lib-cov", "builddir", "out-tsc", "cov",
    ".coverage_html", "coverage-report", "build-debug", "build-release", "Debug", "Release", "x64", "artifacts", "reports",
];

/// Endings of files that a build makes again.
pub(super) const REBUILT_ENDINGS: &[&str] = &[
    ".pyc", ".pyo", ".o", ".obj", ".class", ".gcda", ".gcno", ".gcov", ".d", ".rmeta", ".rlib", ".tsbuildinfo", ".egg-info", ".dist-info", ".whl",
    ".lo", ".la", ".hi", ".beam", ".elc", ".aux", ".fls", ".fdb_latexmk", ".synctex.gz", ".toc", ".nbc", ".profraw", ".profdata", ".lcov", ".map",
    ".swp", ".swo", ".orig", ".rej", ".ds_store", ".stackdump", ".coverage",
];

/// Endings of files without which a system does not run, when they are taken machine-wide.
pub(super) const VITAL_ENDINGS: &[&str] =
    &[".conf", ".so", ".so*", ".so.*", ".so.?", ".service", ".ko", ".cfg", ".sh", ".py", ".pl", ".bin", ".d", ".rules", ".target", ".dylib", ".plist", ".ini"];

/// Directories that hold sources.
pub(super) const SOURCES: &[&str] = &[
    "src", "lib", "pkg", "app", "apps", "crates", "packages", "cmd", "internal", "include", "test", "tests", "spec", "docs", "doc", "scripts",
    "source", "sources", "components", "pages", "server", "client", "api", "core", "modules", "services", "config", "migrations", "assets", "web",
];

/// Names of directories and endings of files that hold data nobody can build again.
pub(super) const DATA_DIRECTORIES: &[&str] = &[
    "data", "db", "database", "databases", "backup", "backups", "uploads", "upload", "storage", "dumps", "dump", "models", "checkpoints", "media", "volumes",
    "pgdata", "mysql", "snapshots", "archive", "archives", "fixtures", "seeds", "datasets",
];

/// Endings of files that hold data nobody can build again.
pub(super) const DATA_ENDINGS: &[&str] = &[
    ".db", ".sqlite", ".sqlite3", ".db3", ".mdb", ".sql", ".dump", ".bak", ".backup", ".rdb", ".aof", ".csv", ".tsv", ".parquet", ".xlsx", ".xls",
    ".h5", ".hdf5", ".ckpt", ".safetensors", ".tfstate", ".ldf", ".mdf", ".frm", ".ibd", ".dat", ".qcow2", ".vmdk", ".vdi", ".img", ".kdbx",
];

/// Files of the login shell and the desktop session: what they hold runs at every log-in.
pub(super) const LOGIN_PROFILES: &[&str] = &[
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc",
    ".tcshrc", ".login", ".xinitrc", ".xsession", ".xprofile", ".inputrc", ".bash_aliases", ".pam_environment", ".config/fish/config.fish",
    ".config/environment.d", ".xsessionrc", ".vimrc", ".config/nvim/init.lua", ".config/nvim/init.vim", ".emacs", ".tmux.conf", ".gdbinit", ".psqlrc",
    ".config/fish/conf.d", ".zshrc.local", ".bashrc.d", ".oh-my-zsh/custom",
];

/// Places whose files start by themselves.
pub(super) const START_UP: &[&str] = &[
    ".config/autostart", ".config/systemd", "Library/LaunchAgents", "Library/LaunchDaemons", ".local/share/systemd", ".config/upstart",
];

/// Configuration files of coding agents: what they hold decides what an agent may do.
pub(super) const AGENT_SETTINGS: &[&str] = &[
    ".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude.json", ".codex/config.toml", ".codex/hooks.json", ".codex/auth.json",
    ".gemini/settings.json", ".cursor/mcp.json", ".cursor/cli.json", ".cursor/hooks.json", ".cursor/permissions.json", ".mcp.json", ".vscode/mcp.json",
    ".vscode/settings.json", ".vscode/tasks.json", "opencode.json", ".opencode", ".config/opencode", ".continue/config.json", ".aider.conf.yml",
    ".kimi", ".qwen/settings.json", ".copilot", ".github/hooks", ".amp/settings.json", ".config/amp", ".crush.json", "crush.json", ".roo/mcp.json",
    ".windsurf/mcp_config.json", ".codeium/windsurf/mcp_config.json", ".kiro/settings", ".claude/commands", ".claude/agents", ".claude/plugins",
    ".claude/managed-settings.json", ".config/github-copilot", ".factory/settings.json", ".goose", ".config/goose", ".zed/settings.json", ".config/zed/settings.json",
    ".gemini/extensions", ".gemini/hooks", ".gemini/policies", ".codex/rules", ".codex/requirements.toml", ".idea/workspace.xml",
];

/// Signoff's own files.
pub(super) const SIGNOFF: &[&str] = &[".signoff", ".config/signoff", ".local/share/signoff", ".local/state/signoff", ".cache/signoff"];

/// Signoff's own files outside any home.
pub(super) const SIGNOFF_SYSTEM: &[&str] = &["/etc/signoff", "/var/lib/signoff", "/run/signoff", "/var/log/signoff"];

/// Whether the path is some user's home or lies in one.
pub(super) fn is_some_home(path: &str) -> bool {
    ["/home", "/Users"].iter().any(|parent| super::is_within(path, parent)) || super::is_within(path, "/root")
}

/// Whether the path is the home directory of somebody, or holds all of them.
pub(super) fn is_home_tree(path: &str) -> bool {
    match path {
        "/home" | "/Users" | "/root" => true,
        _ => ["/home/", "/Users/"].iter().any(|parent| path.strip_prefix(parent).is_some_and(|rest| !rest.contains('/'))),
    }
}
