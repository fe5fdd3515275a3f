//! What it means to delete, write, move or read at a place: the one judgement for shell commands and file operations
//! alike.

use signoff_model::{EffectKind, Reversible, Risk, Scope, Span, Target};

use crate::{
    findings::Findings,
    lexicon,
    place::{Extent, Nature, Place},
    rule::{Priority, Rule},
    words::{Words, lines},
};

/// How much goes when something is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A file.
    Single,
    /// A directory, only if it is empty.
    EmptyOnly,
    /// A whole tree.
    Recursive,
}

/// How content changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// A new thing is made; what exists stays.
    New,
    /// Something is added at the end.
    Append,
    /// A part is changed in place.
    Edit,
    /// The whole content is replaced.
    Replace,
    /// The content goes and nothing comes instead.
    Empty,
}

/// How rights change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// A file becomes executable, or rights become narrower.
    Usual,
    /// Like that, and nothing is executable any more.
    NoExecution,
    /// Everybody may write.
    Open,
    /// Nobody, or not the owner, may use it any more.
    Closed,
    /// Others may read it.
    Shown,
    /// Others may read it, and nobody may run it: what `644` gives.
    Plain,
    /// The program runs with the rights of its owner.
    SetUser,
    /// The owner changes.
    Owner,
}

macro_rules! rules {
    ($($name:ident = $rule:expr;)*) => {
        $(
            #[doc = concat!("The rule `", stringify!($name), "`.")]
            #[allow(unreachable_pub, reason = "some families keep their rules to themselves")]
            pub static $name: Rule = $rule;
        )*
        /// The rules of this module.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}
pub(crate) use rules;

rules! {
    DELETE_ROOT = Rule::new("delete-root", EffectKind::Delete, Risk::Critical, "deletes the whole file system", "删除整个文件系统")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["rm -rf /", "rm -fr /*", "sh -c 'rm -fr /'", "rm${IFS}-rf${IFS}/", "cd / && rm -rf *"], &["echo 'rm -rf /'", "rm -rf /tmp/x"]);
    DELETE_SYSTEM = Rule::new("delete-system", EffectKind::Delete, Risk::Critical, "deletes {}, a part of the operating system", "删除操作系统的一部分：{}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["rm -rf /etc", "rm -r /usr/lib", "rm -rf /boot/*"], &["ls /etc", "rm -rf build/etc"]);
    DELETE_HOME = Rule::new("delete-home", EffectKind::Delete, Risk::Critical, "deletes the home directory {}", "删除主目录 {}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["rm -rf ~", "rm -rf $HOME/", "cd ~; rm -rf ./*", "rm -rf /home"], &["ls ~", "rm -rf ~/.cache/pip"]);
    WRITE_DISK = Rule::new("write-disk", EffectKind::System, Risk::Critical, "overwrites the disk {}", "覆盖磁盘 {}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["dd if=/dev/zero of=/dev/sda", "echo x > /dev/sda", "cp x /dev/nvme0n1"], &["dd if=/dev/zero of=/tmp/x count=1", "echo x > /dev/null"]);
    WRITE_DEVICES = Rule::new("write-devices", EffectKind::System, Risk::Critical, "overwrites whatever matches {}, disks among it", "覆盖与 {} 匹配的所有设备，其中包括磁盘")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["echo x > /dev/s*", "cp x /dev/nvme*"], &["echo x > /dev/stdout", "ls /dev/s*"]);
    OWN_FILES = Rule::new("signoff-files", EffectKind::SelfState, Risk::Critical, "touches Signoff's own file {}", "改动或访问 Signoff 自身的文件 {}")
        .own_state().priority(Priority::P0)
        .examples(&["rm -rf ~/.config/signoff", "echo x > ~/.config/signoff/config.toml"], &["ls src/signoff"]);
    OWN_KEY = Rule::new("signoff-key", EffectKind::SelfState, Risk::Critical, "reads {}, by which Signoff knows people from agents", "读取 {}，Signoff 靠它区分人与智能体")
        .own_state().priority(Priority::P0)
        .examples(&["cat ~/.local/share/signoff/key", "base64 ~/.local/share/signoff/store.db"], &["ls ~/.local/share/signoff", "cat ~/.config/signoff/config.toml"]);
    ACCOUNTS = Rule::new("change-accounts", EffectKind::Privilege, Risk::Critical, "changes {}, which decides who may log in or become root", "更改 {}，它决定谁能登录或成为 root")
        .absurd()
        .examples(&["echo 'x ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers"], &["cat /etc/passwd"]);
    TYPE_INTO = Rule::new("type-into-process", EffectKind::Privilege, Risk::Critical, "types into {}, what another process takes for a person's input", "向 {} 写入，另一进程会将其当作人的输入")
        .absurd()
        .examples(&["printf y > /proc/1234/fd/0"], &["echo x > /proc/self/fd/2", "ls -l /proc/1234/fd"]);
    OTHER_TERMINAL = Rule::new("other-terminal", EffectKind::Process, Risk::Medium, "writes to or reads from {}, a terminal that may be somebody else's", "读写可能属于他人的终端 {}")
        .examples(&["echo y > /dev/pts/3", "cat /dev/tty1"], &["echo x > /dev/tty", "ls -l /dev/pts"]);
    SSH_ACCESS = Rule::new("ssh-access", EffectKind::Privilege, Risk::Critical, "lets somebody log in through {}", "通过 {} 允许他人登录")
        .absurd()
        .examples(&["echo ssh-rsa >> ~/.ssh/authorized_keys"], &["ls ~/.ssh"]);

    DELETE_PROJECT = Rule::new("delete-project", EffectKind::Delete, Risk::Critical, "deletes the whole project or more: {}", "删除整个项目甚至更多：{}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["rm -rf .", "rm -rf ./", "rm -rf $(pwd)", "rm -rf ./*", "rm -f *"], &["rm -rf target"]);
    BULK_DELETE = Rule::new("bulk-delete", EffectKind::Delete, Risk::High, "deletes whatever matches {}", "删除所有匹配 {} 的内容")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["rm *.log", "rm -fr ./tmp_*", "rm -rf tmp?", "rm -rf tmp[12]"], &["rm -rf build/*", "ls *.log"]);
    DELETE_REPOSITORY = Rule::new("delete-repository", EffectKind::HistoryRewrite, Risk::Critical, "deletes the repository's history in {}", "删除版本库历史：{}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["rm -rf .git", "rm -rf ./.git/"], &["ls .git"]);
    DELETE_DATA = Rule::new("delete-data", EffectKind::Delete, Risk::High, "deletes data that no build brings back: {}", "删除无法重新生成的数据：{}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["rm -rf data", "rm app.db"], &["ls data"]);
    DELETE_IMPORTANT = Rule::new("delete-important", EffectKind::Delete, Risk::Critical, "deletes {}, which the project does not work without", "删除项目赖以运行的 {}")
        .reversible(Reversible::WithBackup).priority(Priority::P1)
        .examples(&["rm config/database.yml", "rm src/main.rs"], &["rm notes.txt", "cat config/database.yml"]);
    DELETE_TREE = Rule::new("delete-tree", EffectKind::Delete, Risk::High, "deletes the whole directory {}", "删除整个目录 {}")
        .reversible(Reversible::No).priority(Priority::P2)
        .examples(&["rm -rf src", "rm -r ./src/.", "rm -rf build/../src"], &["rm -rf node_modules", "rm -rf /tmp/scratch"]);
    DELETE_FILE = Rule::new("delete-file", EffectKind::Delete, Risk::Medium, "deletes the file {}", "删除文件 {}")
        .reversible(Reversible::Unknown).priority(Priority::P2)
        .examples(&["rm notes.txt", "unlink a.rs"], &["rm /tmp/x", "rm -f a.pyc"]);
    DELETE_OUTSIDE = Rule::new("delete-outside", EffectKind::Delete, Risk::High, "deletes {}, outside this project", "删除本项目之外的 {}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["rm -rf ../proj", "rm -rf /srv/app", "rm ~/notes.txt"], &["rm -rf /tmp/x"]);
    DELETE_SYSTEM_FILE = Rule::new("delete-system-file", EffectKind::Delete, Risk::Critical, "deletes the system file {}", "删除系统文件 {}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["rm /etc/hosts", "rm -f /usr/local/bin/tool"], &["ls /etc/hosts"]);
    DELETE_UNKNOWN = Rule::new("delete-unknown", EffectKind::Delete, Risk::High, "deletes {}, and what that is cannot be known from the text", "删除 {}，仅凭命令文本无法得知那是什么")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["rm -rf \"$DIR\"", "rm -rf $PREFIX/lib"], &["rm -rf \"$(mktemp -d)\""]);
    DELETE_REBUILT = Rule::new("delete-rebuilt", EffectKind::Delete, Risk::Low, "deletes {}, which a build makes again", "删除 {}，构建会重新生成它")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["rm -rf target", "rm -rf node_modules", "find . -name '*.pyc' -delete"], &["rm -rf src"]);
    DELETE_TRACKED = Rule::new("delete-tracked", EffectKind::Delete, Risk::Medium, "deletes {}, which git can bring back", "删除 {}，git 可以恢复它")
        .reversible(Reversible::WithGit).priority(Priority::P2).needs_facts();
    DELETE_LOST = Rule::new("delete-lost", EffectKind::Delete, Risk::High, "deletes {}, which neither git nor a build brings back", "删除 {}，git 和构建都无法恢复它")
        .reversible(Reversible::No).priority(Priority::P0).needs_facts();
    WILDCARD_DELETE = Rule::new("wildcard-delete", EffectKind::Delete, Risk::High, "{} matches files that cannot be restored", "{} 匹配到无法恢复的文件")
        .reversible(Reversible::No).priority(Priority::P0).needs_facts();
    DELETE_UNIGNORED = Rule::new("delete-unignored", EffectKind::Delete, Risk::Medium, "deletes {}, build output by its name, though nothing is known to bring all of it back", "删除 {}，名称像构建产物，但并不确定全部都能恢复")
        .reversible(Reversible::No).priority(Priority::P1).needs_facts();
    DELETE_SPECIAL = Rule::new("delete-settings", EffectKind::Delete, Risk::High, "deletes {}, which holds settings or secrets", "删除保存设置或密钥的 {}")
        .reversible(Reversible::No)
        .examples(&["rm .env", "rm ~/.bashrc", "rm -rf ~/.ssh"], &["rm .env.example.tmp.pyc"]);

    EMPTY_FILE = Rule::new("empty-file", EffectKind::Overwrite, Risk::High, "empties {}", "清空 {}")
        .reversible(Reversible::No)
        .examples(&["truncate -s 0 app.db", ": > important.txt", "> important.db", "cp /dev/null config.yml"], &["echo a > /tmp/x"]);
    WRITE_FILE = Rule::new("write-file", EffectKind::Overwrite, Risk::Low, "writes the project file {}", "写入项目文件 {}")
        .reversible(Reversible::WithGit).priority(Priority::P2)
        .examples(&["echo hi > notes.txt"], &["echo hi"]);
    OVERWRITE_LOST = Rule::new("overwrite-lost", EffectKind::Overwrite, Risk::Medium, "replaces {}, which git cannot bring back", "覆盖 {}，git 无法恢复它")
        .reversible(Reversible::No).needs_facts();
    OVERWRITE_LINKED = Rule::new("overwrite-linked", EffectKind::Overwrite, Risk::Medium, "changes {} under all of its names: it is linked to from elsewhere", "同时更改 {} 的所有硬链接：它在别处还有其他名称")
        .reversible(Reversible::Unknown).needs_facts();
    OVERWRITE_UNCOUNTED = Rule::new("overwrite-uncounted", EffectKind::Overwrite, Risk::Medium, "replaces things in {}, more than could be looked up", "覆盖 {} 中的内容，数量超出可查范围")
        .reversible(Reversible::Unknown).needs_facts();
    OVERWRITE_DATA = Rule::new("overwrite-data", EffectKind::Overwrite, Risk::Medium, "replaces data that no build brings back: {}", "替换无法重新生成的数据：{}")
        .reversible(Reversible::Unknown)
        .examples(&["file: overwrite data/customers.csv", "echo x > data/app.db", "cp /tmp/fresh.db data/app.db"], &["file: overwrite src/main.rs", "echo x >> data/app.db", "cp data/app.db /tmp/app.db"]);
    BULK_WRITE = Rule::new("bulk-write", EffectKind::Overwrite, Risk::High, "changes whatever matches {}", "更改所有匹配 {} 的内容")
        .reversible(Reversible::WithGit)
        .examples(&["sed -i 's/a/b/' src/*"], &["sed 's/a/b/' src/*"]);
    WRITE_OUTSIDE = Rule::new("write-outside", EffectKind::Overwrite, Risk::Medium, "writes {}, outside this project", "写入本项目之外的 {}")
        .reversible(Reversible::No)
        .examples(&["echo x > ~/notes.txt", "cp a.rs ../other/src/a.rs"], &["echo x > /tmp/notes.txt"]);
    WRITE_SYSTEM = Rule::new("write-system", EffectKind::System, Risk::High, "changes the system file {}", "更改系统文件 {}")
        .reversible(Reversible::WithBackup)
        .examples(&["echo UTC > /etc/timezone", "cp tool /usr/local/bin/tool"], &["cat /etc/timezone"]);
    WRITE_PROFILE = Rule::new("change-profile", EffectKind::System, Risk::High, "changes {}, which runs at every log-in", "更改 {}，它在每次登录时运行")
        .reversible(Reversible::WithBackup)
        .examples(&["echo alias >> ~/.bashrc", "cp x ~/.config/autostart/x.desktop"], &["cat ~/.bashrc"]);
    WRITE_SECRET = Rule::new("change-secret", EffectKind::Overwrite, Risk::High, "changes {}, which holds secrets or settings of production", "更改保存密钥或生产设置的 {}")
        .reversible(Reversible::WithBackup)
        .examples(&["echo KEY=1 > .env"], &["echo KEY=1 > .env.example"]);
    WRITE_PRODUCTION = Rule::new("change-production", EffectKind::Overwrite, Risk::Critical, "changes settings of production in {}", "更改 {} 中的生产环境设置")
        .reversible(Reversible::WithBackup)
        .examples(&["echo KEY=1 >> .env.production", "sed -i 's/a/b/' prod.env", "echo NODE_ENV=production > .env", "cp .env.staging .env.production"], &["echo KEY=1 >> .env.test", "cp .env.production.example /tmp/x", "NODE_ENV=production npm run build"]);
    WRITE_HOOK = Rule::new("change-hooks", EffectKind::System, Risk::High, "changes {}, which makes git run programs", "更改 {}，它会让 git 运行程序")
        .examples(&["cp x .git/hooks/post-commit", "echo x >> .git/config"], &["cat .git/config"]);
    WRITE_REPOSITORY = Rule::new("change-repository", EffectKind::HistoryRewrite, Risk::High, "changes the repository's store {}", "更改版本库内部文件 {}")
        .reversible(Reversible::No)
        .examples(&["echo x > .git/HEAD"], &["cat .git/HEAD"]);
    WRITE_AGENT = Rule::new("agent-settings", EffectKind::Privilege, Risk::High, "changes {}, which decides what an agent may do", "更改 {}，它决定智能体可以做什么")
        .examples(&["echo '{}' > .claude/settings.json", "chmod -x ~/.cline/hooks/PreToolUse"], &["cat .claude/settings.json", "chmod 600 ~/.codex/config.toml"]);
    WRITE_PIPELINE = Rule::new("write-pipeline", EffectKind::Execute, Risk::Medium, "changes {}, which a build server runs with its secrets", "更改 {}，CI 会携带机密运行它")
        .reversible(Reversible::WithGit)
        .examples(&["file: write .github/workflows/ci.yml", "echo x > .gitlab-ci.yml"], &["file: read .github/workflows/ci.yml", "file: write tests/fixtures/.travis.yml"]);
    WRITE_UNKNOWN = Rule::new("write-unknown", EffectKind::Overwrite, Risk::Low, "writes {}, a file named by something unknown", "写入 {}，文件名无法确定")
        .reversible(Reversible::Unknown)
        .examples(&["echo x >> \"$OUT\""], &["echo x"]);

    WIPE_TREE = Rule::new("wipe-tree", EffectKind::Overwrite, Risk::Critical, "empties or overwrites everything below {}", "清空或覆盖 {} 下的所有文件")
        .absurd().reversible(Reversible::No)
        .examples(&["find /etc -type f -exec truncate -s 0 {} +", "find ~ -type f | xargs truncate -s 0"], &["find /var/log -name '*.log' -exec truncate -s 0 {} +", "find src -type f -exec truncate -s 0 {} +"]);
    WIPE_SYSTEM = Rule::new("wipe-system-file", EffectKind::Overwrite, Risk::Critical, "wipes {}, which the machine does not run without", "清空系统运行所必需的 {}")
        .absurd().reversible(Reversible::No)
        .examples(&["sudo truncate -s 0 /boot/initrd.img", "sudo cp /dev/zero /boot/vmlinuz", "cat /dev/null > /boot/grub/grub.cfg"], &["truncate -s 0 /tmp/x", "sudo cp vmlinuz /boot/vmlinuz-custom"]);

    REPLACE_SYSTEM = Rule::new("replace-system-file", EffectKind::Overwrite, Risk::Critical, "replaces {}, which the machine starts with or trusts", "替换 {}，系统靠它启动或授予信任")
        .absurd().reversible(Reversible::No)
        .examples(&["file: edit /boot/grub/grub.cfg", "sudo cp /tmp/bash /usr/bin/sudo", "file: write /usr/bin/sudo"], &["file: read /boot/grub/grub.cfg", "sudo cp tool /usr/local/bin/tool", "sudo update-grub"]);
    CRASH = Rule::new("crash-kernel", EffectKind::System, Risk::Critical, "stops or crashes the machine at once, through {}", "通过 {} 使机器立即停止或崩溃")
        .absurd().reversible(Reversible::No)
        .examples(&["echo c > /proc/sysrq-trigger", "echo b | sudo tee /proc/sysrq-trigger"], &["cat /proc/sys/kernel/sysrq", "ls /proc/sysrq-trigger"]);

    MOVE_BULK = Rule::new("bulk-move", EffectKind::Move, Risk::Medium, "moves whatever matches {}", "移动所有匹配 {} 的内容")
        .reversible(Reversible::Unknown)
        .examples(&["mv * ../other", "mv *.png ../images/"], &["mv a.rs b.rs"]);
    MOVE_AWAY = Rule::new("move-away", EffectKind::Move, Risk::High, "moves {} away", "移走 {}")
        .reversible(Reversible::Unknown)
        .examples(&["mv ~/.ssh /srv/x", "mv data /dev/null"], &["mv a.rs b.rs"]);
    MOVE_FILE = Rule::new("move-file", EffectKind::Move, Risk::Low, "renames {}", "重命名 {}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["mv a.rs b.rs"], &["ls a.rs"]);

    LINK_OUTSIDE = Rule::new("link-outside", EffectKind::Create, Risk::Low, "makes a link that leads out of the project, to {}", "创建指向项目之外的链接：{}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["file: symlink x -> ../other", "ln -s ~/notes.txt x"], &["file: symlink build -> target/debug", "ln -s target/debug build", "ln -s /tmp/x y"]);
    LINK_TREE = Rule::new("link-tree", EffectKind::Create, Risk::Medium, "makes a link to {}: whatever cleans up behind the link reaches it", "创建指向 {} 的链接：通过该链接的清理会波及它")
        .reversible(Reversible::Yes)
        .examples(&["file: symlink target -> /", "ln -s ~ build", "ln -s /etc etc"], &["file: symlink x -> src", "ln -s ../shared/a.cfg ."]);

    READ_SECRET = Rule::new("read-secret", EffectKind::SecretRead, Risk::High, "shows the secret {}", "显示密钥或机密 {}")
        .examples(&["cat .env", "cat ~/.aws/credentials", "cat /etc/shadow"], &["cat .env.example", "cat ~/.ssh/id_ed25519.pub", "test -f .env"]);
    READ_DISK = Rule::new("read-disk", EffectKind::SecretRead, Risk::High, "reads the raw disk {}", "直接读取磁盘 {}")
        .examples(&["dd if=/dev/sda of=/tmp/x"], &["dd if=/dev/zero of=/tmp/x count=1"]);

    RIGHTS_SYSTEM = Rule::new("rights-system", EffectKind::Permission, Risk::Critical, "changes the rights or owner of {}, a part of the operating system or home", "更改系统或主目录 {} 的权限或属主")
        .absurd()
        .examples(&["chmod -R 777 /", "sudo chown -R nobody /usr", "chmod -R 000 ~"], &["chmod +x a.sh"]);
    RIGHTS_SECRET = Rule::new("rights-secret", EffectKind::Permission, Risk::High, "lets others read the secret {}", "让其他人可读取机密 {}")
        .reversible(Reversible::Unknown)
        .examples(&["chmod 644 ~/.ssh/id_rsa", "chmod go+r ~/.aws/credentials"], &["chmod 600 ~/.ssh/id_rsa", "chmod 644 ~/.ssh/id_rsa.pub", "chmod 644 README.md"]);
    RIGHTS_SET_USER = Rule::new("rights-set-user", EffectKind::Privilege, Risk::High, "lets {} run with the rights of its owner", "让 {} 以属主权限运行")
        .examples(&["chmod u+s ./tool"], &["chmod u+x ./tool"]);
    ROOT_SHELL = Rule::new("root-shell", EffectKind::Privilege, Risk::Critical, "makes {} a root shell for everyone", "让 {} 成为任何人都能用的 root shell")
        .absurd()
        .examples(&["sudo chmod u+s /bin/bash"], &["chmod u+x /tmp/bash"]);
    RIGHTS_OPEN = Rule::new("rights-open", EffectKind::Permission, Risk::Medium, "lets everybody write {}", "让所有人可写 {}")
        .reversible(Reversible::Unknown)
        .examples(&["chmod -R 777 .", "chmod 777 config.yml"], &["chmod +x run.sh", "chmod 600 key"]);
    RIGHTS_CLOSED = Rule::new("rights-closed", EffectKind::Permission, Risk::Medium, "takes rights to {} from its owner", "取消属主对 {} 的权限")
        .reversible(Reversible::Unknown)
        .examples(&["chmod 000 config.yml", "chmod -R a-r src"], &["chmod 600 key", "chmod go-w src"]);
    RIGHTS_UNKNOWN = Rule::new("rights-unknown", EffectKind::Permission, Risk::Medium, "changes the rights of {}, and does not say to what", "更改 {} 的权限，但未说明改成什么")
        .reversible(Reversible::Unknown)
        .examples(&["file: chmod run.sh"], &["chmod +x run.sh"]);
    RIGHTS_BULK = Rule::new("rights-bulk", EffectKind::Permission, Risk::Medium, "takes the right to be executed from everything below {}", "取消 {} 下所有文件的可执行权限")
        .examples(&["find . -type f -exec chmod 644 {} +"], &["find . -name '*.sh' -exec chmod +x {} +", "find build -type f -exec chmod 644 {} +", "find . -type d -exec chmod 755 {} +"]);
    RIGHTS_OWNER = Rule::new("rights-owner", EffectKind::Permission, Risk::High, "gives {} to another owner", "更改 {} 的属主")
        .reversible(Reversible::Unknown)
        .examples(&["chown -R me .", "chown nobody src/main.rs"], &["chmod +x run.sh", "sudo chown root /usr/local/bin/x"]);
    RIGHTS_OUTSIDE = Rule::new("rights-outside", EffectKind::Permission, Risk::High, "changes the rights or owner of {}, outside this project", "更改本项目之外的 {} 的权限或属主")
        .reversible(Reversible::Unknown)
        .examples(&["chmod 600 /etc/hosts", "sudo chown root /usr/local/bin/x"], &["chmod +x run.sh", "chown -R me ."]);
}

/// Something at the place would be deleted.
pub fn delete(findings: &mut Findings, place: &Place, depth: Depth, span: Span) {
    match delete_rule(place, depth) {
        Some(rule) => findings.report(rule, place.target(), place.scope, span),
        None => findings.note(EffectKind::Delete, place.target(), place.scope, Reversible::Yes, span),
    }
}

/// The same where it is known how it could come back.
pub(crate) fn delete_known(findings: &mut Findings, place: &Place, depth: Depth, way_back: Reversible, span: Span) {
    match delete_rule(place, depth) {
        Some(rule) => findings.report_as(rule, way_back, place.target(), place.scope, span),
        None => findings.note(EffectKind::Delete, place.target(), place.scope, way_back, span),
    }
}

pub(crate) fn delete_rule(place: &Place, depth: Depth) -> Option<&'static Rule> {
    if place.extent == Extent::Anywhere && place.nature != Nature::Signoff {
        return (depth != Depth::EmptyOnly).then_some(&DELETE_UNKNOWN);
    }
    let whole = depth == Depth::Recursive || place.is_pattern();
    Some(match place.nature {
        Nature::Signoff => &OWN_FILES,
        Nature::Stream | Nature::Connection | Nature::Temporary | Nature::Cache if !is_whole_cache(place) => {
            return None;
        }
        Nature::Cache | Nature::Temporary | Nature::Stream | Nature::Connection => &DELETE_OUTSIDE,
        _ if depth == Depth::EmptyOnly && place.scope != Scope::System => return None,
        // What has the name of a secret and lies among temporary things was put there by somebody who was asked about it.
        Nature::GitStore | Nature::GitHooks | Nature::Secret if place.scope == Scope::Temp => return None,
        Nature::Rebuilt => &DELETE_REBUILT,
        Nature::Root => &DELETE_ROOT,
        Nature::SystemTree => &DELETE_SYSTEM,
        Nature::HomeTree if whole => &DELETE_HOME,
        Nature::HomeTree => &DELETE_OUTSIDE,
        Nature::Disk => &DELETE_SYSTEM,
        Nature::Accounts => &DELETE_SYSTEM,
        Nature::GitStore | Nature::GitHooks => &DELETE_REPOSITORY,
        Nature::SystemFile if whole && is_vital(&place.path) => &DELETE_SYSTEM,
        _ if is_core(&place.path) => &DELETE_SYSTEM,
        Nature::SystemFile | Nature::StartUp if place.scope == Scope::System => &DELETE_SYSTEM_FILE,
        Nature::AgentSettings => &WRITE_AGENT,
        Nature::Secret | Nature::LoginProfile | Nature::StartUp | Nature::SshAccess => &DELETE_SPECIAL,
        Nature::ProjectTree => &DELETE_PROJECT,
        Nature::Important if place.scope == Scope::Project => &DELETE_IMPORTANT,
        Nature::Data if place.extent != Extent::Listed => &DELETE_DATA,
        _ if place.extent == Extent::Listed => &BULK_DELETE,
        _ if matches!(place.scope, Scope::Home | Scope::Outside | Scope::System) => &DELETE_OUTSIDE,
        _ if place.is_unknown() => &DELETE_UNKNOWN,
        _ if place.is_pattern() => &BULK_DELETE,
        _ if whole => &DELETE_TREE,
        _ => &DELETE_FILE,
    })
}

/// Whether the machine does not start, or nobody can log in, without this one file.
fn is_core(path: &str) -> bool {
    const ACCOUNTS: &[&str] =
        &["/etc/passwd", "/etc/shadow", "/etc/group", "/etc/gshadow", "/etc/sudoers", "/etc/fstab"];
    const PROGRAMS: &[&str] = &[
        "sh",
        "bash",
        "dash",
        "busybox",
        "sudo",
        "su",
        "login",
        "init",
        "systemd",
        "mount",
        "env",
        "dpkg",
        "apt",
        "rpm",
        "apk",
        "pacman",
        "systemctl",
        "ls",
        "cp",
        "mv",
        "rm",
        "cat",
        "chmod",
        "launchd",
    ];
    if ACCOUNTS.contains(&path) || path.starts_with("/sys/firmware/efi/efivars/") {
        return true;
    }
    let Some((directory, name)) = path.rsplit_once('/') else { return false };
    match directory {
        "/bin" | "/usr/bin" | "/sbin" | "/usr/sbin" | "/lib/systemd" | "/usr/lib/systemd" => PROGRAMS.contains(&name),
        _ if is_vital(directory) => {
            ["libc.so", "libc-", "ld-linux", "ld-musl", "libc.musl", "ld.so", "libSystem.", "libpthread.so"]
                .iter()
                .any(|start| name.starts_with(start))
        }
        _ => false,
    }
}

/// Whether the machine starts with this file, or nobody gets in or becomes root without it.
fn starts_machine(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let accounts =
        ["/windows/system32/config/sam", "/windows/system32/config/system", "/windows/system32/config/security"];
    is_core(path) && !path.starts_with("/etc/")
        || path.starts_with("/boot/")
            && (path.ends_with("/grub.cfg") || path.ends_with("/initrd.img") || path.ends_with("/vmlinuz"))
        || path.starts_with("/boot/efi/")
        || accounts.iter().any(|account| lower.ends_with(account))
}

/// Whether the path lies among the programs and libraries that the machine runs on.
fn is_vital(path: &str) -> bool {
    ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/boot", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/System"]
        .iter()
        .any(|tree| crate::place::is_within(path, tree))
}

/// Whether the place is the temporary directory as a whole, which other programs are using.
fn is_whole_cache(place: &Place) -> bool {
    place.extent == Extent::Exact
        && matches!(place.path.as_str(), "/tmp" | "/var/tmp" | "/private/tmp" | "/dev/shm" | "/var/folders")
}

/// Something at the place would be written.
pub fn write(findings: &mut Findings, place: &Place, how: Write, span: Span) {
    let kind = if how == Write::New { EffectKind::Create } else { EffectKind::Overwrite };
    match write_rule(place, how) {
        Some(rule) => findings.report(rule, place.target(), place.scope, span),
        None => findings.note_at(kind, place, span),
    }
}

pub(crate) fn write_rule(place: &Place, how: Write) -> Option<&'static Rule> {
    if place.extent == Extent::Anywhere && place.nature == Nature::Ordinary {
        return Some(if how == Write::Empty { &EMPTY_FILE } else { &WRITE_UNKNOWN });
    }
    Some(match place.nature {
        Nature::Signoff => &OWN_FILES,
        _ if how == Write::Empty && (place.path == "/" || is_core(&place.path) || is_vital(&place.path)) => {
            &WIPE_SYSTEM
        }
        // Everything in a tree of the system or in a home, as if it were deleted.
        Nature::Root | Nature::SystemTree | Nature::HomeTree
            if matches!(how, Write::Empty | Write::Replace) && place.is_pattern() =>
        {
            &WIPE_TREE
        }
        _ if how != Write::New
            && how != Write::Append
            && place.extent == Extent::Exact
            && starts_machine(&place.path) =>
        {
            &REPLACE_SYSTEM
        }
        Nature::Stream if is_other_terminal(&place.path) => &OTHER_TERMINAL,
        Nature::Stream | Nature::Connection | Nature::Temporary | Nature::Rebuilt | Nature::Cache => return None,
        Nature::SystemFile if place.path.starts_with("/proc/") && place.path.ends_with("/fd/0") => &TYPE_INTO,
        Nature::SystemFile if place.path == "/proc/sysrq-trigger" => &CRASH,
        Nature::Disk if place.extent != Extent::Exact => &WRITE_DEVICES,
        Nature::Disk => &WRITE_DISK,
        Nature::Accounts => &ACCOUNTS,
        Nature::SshAccess => &SSH_ACCESS,
        Nature::LoginProfile | Nature::StartUp => &WRITE_PROFILE,
        // An empty directory of that name decides nothing yet.
        Nature::AgentSettings if how == Write::New && crate::place::is_agent_directory(&place.path) => return None,
        Nature::AgentSettings => &WRITE_AGENT,
        Nature::GitHooks => &WRITE_HOOK,
        Nature::Pipeline => &WRITE_PIPELINE,
        Nature::GitStore => &WRITE_REPOSITORY,
        Nature::Secret if how == Write::New && place.scope == Scope::Project => return None,
        Nature::Secret if place.scope == Scope::Temp => return None,
        Nature::Secret if matches!(place.path.as_str(), "/etc/shadow" | "/etc/gshadow") => &ACCOUNTS,
        Nature::Secret if lexicon::words(place.file_name()).iter().any(|word| is_production(word)) => &WRITE_PRODUCTION,
        Nature::Secret => &WRITE_SECRET,
        Nature::Root | Nature::SystemTree | Nature::SystemFile => &WRITE_SYSTEM,
        _ if how == Write::Empty => &EMPTY_FILE,
        _ if place.extent == Extent::Listed && how != Write::New => &BULK_WRITE,
        _ if how == Write::Append && takes_additions(place) => return None,
        _ if matches!(place.scope, Scope::Home | Scope::Outside | Scope::System) => &WRITE_OUTSIDE,
        _ if how == Write::New || how == Write::Append => return None,
        _ if place.is_pattern() => &BULK_WRITE,
        Nature::Data if how == Write::Replace && is_database(place) => &OVERWRITE_DATA,
        _ => &WRITE_FILE,
    })
}

/// Whether a word means what others work with.
pub(crate) fn is_production(word: &str) -> bool {
    matches!(word, "prod" | "production" | "prd")
}

/// Whether a text of settings says that what reads it is in production: `NODE_ENV=production`.
pub(crate) fn sets_production(text: &str) -> bool {
    text.lines().any(|line| {
        let Some((name, value)) = line.split_once(['=', ':']) else { return false };
        let says = |word: &String| matches!(word.as_str(), "env" | "environment" | "stage" | "profile" | "profiles");
        let value = value.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
        lexicon::words(name).iter().any(says) && is_production(&value)
    })
}

/// Whether a file holds a database that some program works with. Other data is mostly what a command has just made: a
/// dump, a copy to be kept, a table of results.
pub(crate) fn is_database(place: &Place) -> bool {
    static ENDINGS: Words<32> = Words::of_lines(lines![
        ".db", ".sqlite", ".sqlite3", ".db3", ".mdb", ".accdb", ".rdb", ".aof", ".mdf", ".ldf", ".ibd", ".duckdb",
    ]);
    const TRIAL: &[&str] =
        &["test", "tests", "testing", "fixture", "fixtures", "testdata", "sample", "samples", "example"];
    place.extent == Extent::Exact
        && ENDINGS.holds_ending_of(&place.file_name().to_ascii_lowercase())
        // One for tests is copied from a template before each of them.
        && !lexicon::words(&place.shown).iter().any(|word| TRIAL.contains(&word.as_str()))
}

/// Whether the path is that of a terminal which is not the one that the commands run at.
fn is_other_terminal(path: &str) -> bool {
    path.starts_with("/dev/pts") || path == "/dev/console" || path.starts_with("/dev/tty") && path != "/dev/tty"
}

/// Whether something may be added at a place outside the project without a word: a person's own directories, and
/// those that nobody has set apart. What is hidden there belongs to programs, what is served belongs to others.
fn takes_additions(place: &Place) -> bool {
    let in_home = place.path.split('/').nth(if place.path.starts_with("/root/") { 2 } else { 3 });
    let hidden = place.shown.starts_with("~/.") || in_home.is_some_and(|part| part.starts_with('.'));
    let served = ["/srv", "/export", "/data"].iter().any(|tree| crate::place::is_within(&place.path, tree));
    match place.scope {
        Scope::Home => !hidden && place.nature != Nature::HomeTree,
        Scope::Outside => !served,
        _ => false,
    }
}

/// What stands at a place would go to another place: what that means where it was before.
pub(crate) fn carry_off(findings: &mut Findings, from: &Place, to: &Place, span: Span) {
    match move_rule(from, to) {
        Some(rule) => findings.report(rule, from.target(), from.scope, span),
        None => findings.note(EffectKind::Move, from.target(), from.scope, Reversible::Yes, span),
    }
}

pub(crate) fn move_rule(from: &Place, to: &Place) -> Option<&'static Rule> {
    match from.nature {
        _ if from.extent == Extent::Anywhere => Some(&MOVE_BULK),
        Nature::Signoff => Some(&OWN_FILES),
        Nature::Root => Some(&DELETE_ROOT),
        Nature::SystemTree | Nature::Accounts => Some(&DELETE_SYSTEM),
        _ if is_core(&from.path) => Some(&DELETE_SYSTEM),
        Nature::HomeTree => Some(&DELETE_HOME),
        Nature::SystemFile | Nature::StartUp if from.scope == Scope::System => Some(&DELETE_SYSTEM_FILE),
        Nature::Temporary | Nature::Rebuilt | Nature::Cache => None,
        Nature::ProjectTree if from.extent != Extent::Exact => Some(&MOVE_BULK),
        Nature::GitStore
        | Nature::GitHooks
        | Nature::ProjectTree
        | Nature::Secret
        | Nature::LoginProfile
        | Nature::StartUp => Some(&MOVE_AWAY),
        Nature::AgentSettings => Some(&WRITE_AGENT),
        _ if to.nature == Nature::Stream || to.nature == Nature::Temporary => Some(&MOVE_AWAY),
        _ if from.is_pattern() || from.is_unknown() => Some(&MOVE_BULK),
        _ if from.scope == Scope::System => Some(&MOVE_AWAY),
        // It belongs to somebody else, or to another project; only what was fetched there waits to be taken away.
        _ if matches!(from.scope, Scope::Home | Scope::Outside) && !is_fetched(from) => Some(&MOVE_AWAY),
        _ => Some(&MOVE_FILE),
    }
}

/// Whether something lies where a person collects what was fetched.
fn is_fetched(place: &Place) -> bool {
    ["~/Downloads/", "~/Desktop/"].iter().any(|directory| place.shown.starts_with(directory))
}

/// What stands at the place would be read and shown; tells the secret if it is one.
pub fn read(findings: &mut Findings, place: &Place, span: Span) -> Option<String> {
    match place.nature {
        Nature::Signoff if own_content(place) == OwnContent::Key => {
            findings.report(&OWN_KEY, place.target(), place.scope, span);
            Some(place.shown.clone())
        }
        Nature::Signoff if own_content(place) == OwnContent::Program => {
            findings.note(EffectKind::Read, place.target(), place.scope, Reversible::Yes, span);
            None
        }
        Nature::Secret | Nature::Signoff => {
            findings.report(&READ_SECRET, place.target(), place.scope, span);
            Some(place.shown.clone())
        }
        Nature::Stream if is_other_terminal(&place.path) => {
            findings.report(&OTHER_TERMINAL, place.target(), place.scope, span);
            None
        }
        Nature::Disk => {
            findings.report(&READ_DISK, place.target(), place.scope, span);
            Some(place.shown.clone())
        }
        _ => {
            findings.note(EffectKind::Read, place.target(), place.scope, Reversible::Yes, span);
            None
        }
    }
}

/// A symbolic link would be made that leads to this place. A link is a new file; whoever writes to it or deletes below it
/// later does so where it leads.
pub fn link(findings: &mut Findings, leads: &Place, span: Span) {
    let rule = match leads.nature {
        Nature::Secret | Nature::Signoff => {
            read(findings, leads, span);
            return;
        }
        Nature::Root | Nature::SystemTree | Nature::HomeTree | Nature::Accounts | Nature::Disk => &LINK_TREE,
        Nature::SshAccess | Nature::LoginProfile | Nature::StartUp | Nature::AgentSettings => &LINK_TREE,
        Nature::ProjectTree if leads.scope != Scope::Project => &LINK_TREE,
        Nature::Temporary | Nature::Cache | Nature::Stream => return,
        _ if leads.scope == Scope::Project => return,
        _ if leads.extent != Extent::Exact => return,
        _ => &LINK_OUTSIDE,
    };
    findings.report(rule, leads.target(), leads.scope, span);
}

/// What a file of Signoff holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnContent {
    /// A key, or the store with the answers of people.
    Key,
    /// Settings and messages.
    Plain,
    /// The installed program.
    Program,
}

fn own_content(place: &Place) -> OwnContent {
    const PLAIN: &[&str] = &[".toml", ".json", ".yml", ".yaml", ".log", ".pid", ".md", ".txt"];
    const KEYS: &[&str] = &["key", "secret", "token", "store", "ledger", ".db", "sqlite"];
    if crate::place::is_own_program(&place.path) {
        return OwnContent::Program;
    }
    let name = place.file_name().to_ascii_lowercase();
    let settings = ["/.config/signoff", "/etc/signoff", "/.cache/signoff", "/log/signoff", "/.signoff"]
        .iter()
        .any(|tree| place.path.contains(tree));
    if KEYS.iter().any(|word| name.contains(word)) {
        OwnContent::Key
    } else if settings || PLAIN.iter().any(|ending| name.ends_with(ending)) {
        OwnContent::Plain
    } else {
        OwnContent::Key
    }
}

/// The rights or the owner of what stands at the place would change.
pub fn change_rights(findings: &mut Findings, place: &Place, rights: Rights, depth: Depth, span: Span) {
    let target = place.target();
    let runs_no_more = matches!(rights, Rights::NoExecution | Rights::Plain);
    // Only what must stay hidden minds being read; in a project even such files are kept readable.
    let hidden = place.nature == Nature::Secret && place.scope != Scope::Project;
    let rights = match rights {
        Rights::Shown | Rights::Plain if hidden => {
            return findings.report(&RIGHTS_SECRET, target, place.scope, span);
        }
        Rights::Shown | Rights::Plain | Rights::NoExecution => Rights::Usual,
        rights => rights,
    };
    // `/usr/local` and `/opt` are where people install things themselves and set the owner right afterwards.
    let own = ["/usr/local", "/opt", "/Library", "/Applications"]
        .iter()
        .any(|tree| crate::place::is_within(&place.path, tree));
    let system = !own
        && (matches!(
            place.nature,
            Nature::Root | Nature::SystemTree | Nature::HomeTree | Nature::Accounts | Nature::Disk
        ) || (place.nature == Nature::SystemFile && matches!(place.extent, Extent::Contents | Extent::Pattern))
            || place.extent == Extent::Listed && is_vital(&place.path) && rights != Rights::Usual);
    let many = depth == Depth::Recursive || matches!(place.extent, Extent::Contents | Extent::Pattern);
    let rule = match rights {
        _ if place.nature == Nature::Signoff => &OWN_FILES,
        Rights::SetUser if names_a_shell(place) => &ROOT_SHELL,
        Rights::SetUser => &RIGHTS_SET_USER,
        _ if system && (many || rights != Rights::Usual) => &RIGHTS_SYSTEM,
        // A hook that cannot be run, or settings that cannot be read, guard nothing.
        _ if place.nature == Nature::AgentSettings
            && (runs_no_more && runs_hooks(place, many) || rights != Rights::Usual) =>
        {
            &WRITE_AGENT
        }
        _ if place.extent == Extent::Listed && place.nature == Nature::HomeTree => &RIGHTS_OUTSIDE,
        _ if place.scope == Scope::System => &RIGHTS_OUTSIDE,
        // A whole tree of somebody else's.
        Rights::Usual if place.scope == Scope::Outside && place.extent == Extent::Listed => &RIGHTS_OUTSIDE,
        Rights::Open | Rights::Closed if place.scope == Scope::Temp => {
            findings.note(EffectKind::Permission, target, place.scope, Reversible::Yes, span);
            return;
        }
        Rights::Open => &RIGHTS_OPEN,
        Rights::Closed => &RIGHTS_CLOSED,
        Rights::Owner if matches!(place.scope, Scope::Project | Scope::Temp) => &RIGHTS_OWNER,
        Rights::Owner => &RIGHTS_OUTSIDE,
        // Whatever was executable before is so no longer, and nobody has noted which files that were.
        _ if runs_no_more && place.extent == Extent::Listed && place.nature == Nature::ProjectTree => &RIGHTS_BULK,
        Rights::Usual | Rights::NoExecution | Rights::Shown | Rights::Plain => {
            findings.note(EffectKind::Permission, target, place.scope, Reversible::Yes, span);
            return;
        }
    };
    findings.report(rule, target, place.scope, span);
}

/// Whether agents run what stands there, or somewhere below it where that is reached as well.
fn runs_hooks(place: &Place, many: bool) -> bool {
    many || place.path.split('/').any(|part| matches!(part, "hooks" | "plugin" | "plugins"))
}

fn names_a_shell(place: &Place) -> bool {
    is_shell(place.file_name())
}

/// Whether a program of this name gives whoever runs it a shell, by itself or by a well-known option.
pub fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "fish" | "busybox" | "env" | "find" | "vim" | "python3" | "perl"
    )
}

/// A target that is not a path.
pub fn named(name: impl Into<String>) -> Target {
    Target::Named(name.into())
}
