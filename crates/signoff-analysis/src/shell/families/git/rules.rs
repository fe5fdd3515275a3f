//! The rules about version control.

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    UNWATCHED = Rule::new("git-unwatched", EffectKind::Privilege, Risk::Medium, "makes git overlook changes of what agents obey: {}", "让 git 忽略智能体所遵循文件的更改：{}")
        .examples(&["git update-index --assume-unchanged CLAUDE.md", "git update-index --skip-worktree AGENTS.md"], &["git update-index --refresh", "git update-index --assume-unchanged config/local.yml"]);
    FORCE_PUSH = Rule::new("force-push", EffectKind::HistoryRewrite, Risk::High, "replaces the history of {} for everybody", "强制改写共享的 {} 的历史")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["git push -f origin main", "git push origin +main", "git push -uf origin main", "git push --force origin HEAD"], &["git push --dry-run --force origin main", "git push --force-with-lease origin main", "git push origin main"]);
    PUSH_DELETE = Rule::new("push-delete", EffectKind::HistoryRewrite, Risk::High, "deletes {} for everybody", "从远端删除 {}，影响所有人")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["git push origin --delete release/1.2", "git push origin :main", "git push -d origin v1"], &["git branch -d merged", "git push origin main"]);
    PUSH_MIRROR = Rule::new("push-mirror", EffectKind::HistoryRewrite, Risk::Critical, "makes {} a mirror: refs that are not here are deleted there", "把 {} 变成镜像：本地没有的引用会在远端被删除")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["git push --mirror origin", "git push --prune origin"], &["git clone --mirror https://example.com/a.git", "git fetch --prune"]);
    PUSH_LEASE = Rule::new("push-lease", EffectKind::HistoryRewrite, Risk::Medium, "replaces the history of {}, unless somebody has pushed since", "改写 {} 的历史（若期间有人推送则放弃）")
        .reversible(Reversible::No)
        .examples(&["git push --force-with-lease origin main"], &["git push --force origin main"]);
    PUSH = Rule::new("push", EffectKind::Publish, Risk::Medium, "publishes {}", "推送 {} 到远端")
        .reversible(Reversible::No).priority(Priority::P2)
        .examples(&["git push", "git push origin feature/x", "git push --tags", "git subtree push --prefix docs origin gh-pages"], &["git push --dry-run", "git pull"]);
    SUBMIT = Rule::new("submit-commits", EffectKind::Publish, Risk::High, "sends commits or patches to {}", "把提交或补丁发送到 {}")
        .reversible(Reversible::No)
        .examples(&["svn commit -m fix", "git svn dcommit", "git send-email --to list@example.org 0001.patch", "hg push"], &["svn status", "git svn fetch", "git format-patch HEAD~1"]);

    DISCARD = Rule::new("discard-changes", EffectKind::Delete, Risk::High, "throws away uncommitted work in {}", "丢弃 {} 中未提交的修改")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["git reset --hard", "git checkout -- .", "git restore .", "git switch -f main", "git checkout HEAD -- src/", "hg update --clean", "svn revert -R ."], &["git reset --soft HEAD~1", "git reset HEAD src/lib.rs", "git restore --staged .", "git switch main", "git checkout main"]);
    GIVE_UP = Rule::new("give-up-step", EffectKind::Delete, Risk::Low, "gives up a step that stopped halfway, with what was resolved in it: {}", "放弃中途停下的步骤，已解决的冲突随之丢失：{}")
        .reversible(Reversible::No)
        .examples(&["git merge --abort", "git rebase --abort", "git am --skip", "git cherry-pick --abort"], &["git merge --continue", "git rebase --continue", "git merge main", "git rebase main"]);
    DISCARD_FILE = Rule::new("discard-file", EffectKind::Overwrite, Risk::Medium, "throws away the uncommitted changes of {}", "丢弃 {} 未提交的修改")
        .reversible(Reversible::No)
        .examples(&["git checkout -- src/main.rs", "git restore src/main.rs", "git checkout origin/main -- Cargo.toml"], &["git restore --staged src/main.rs", "git diff src/main.rs"]);
    DISCARD_STAGED = Rule::new("discard-staged", EffectKind::Overwrite, Risk::High, "throws away the staged version of {}, which neither a commit nor the file has", "丢弃 {} 的暂存版本，提交和文件中都没有它")
        .reversible(Reversible::No).priority(Priority::P1).needs_facts();
    CLEAN = Rule::new("clean-untracked", EffectKind::Delete, Risk::High, "deletes files that git does not track in {}", "删除 {} 中未被 git 跟踪的文件")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["git clean -fdx", "git clean --force -d", "hg purge"], &["git clean -nfdx", "git clean --dry-run -d"]);
    DROP_STASH = Rule::new("drop-stash", EffectKind::Delete, Risk::High, "drops stashed work: {}", "丢弃贮藏（stash）的工作：{}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["git stash clear", "git stash drop stash@{1}"], &["git stash pop", "git stash list", "git stash show -p stash@{0}"]);
    REMOVE_WORKTREE = Rule::new("remove-worktree", EffectKind::Delete, Risk::High, "removes {} with whatever was not committed in it", "移除 {} 及其中未提交的内容")
        .reversible(Reversible::No)
        .examples(&["git worktree remove --force ../wt", "git submodule deinit -f vendor/x"], &["git worktree remove ../wt", "git worktree list"]);
    REMOVE_TRACKED = Rule::new("remove-tracked", EffectKind::Delete, Risk::High, "removes tracked files with their changes: {}", "删除受跟踪的文件及其修改：{}")
        .reversible(Reversible::WithGit)
        .examples(&["git rm -rf .", "git rm -rf src"], &["git rm --cached notes.md", "git rm old.rs", "git rm -n -rf ."]);
    REMOVE_FILE = Rule::new("remove-from-git", EffectKind::Delete, Risk::Low, "removes {}, which the last commit still holds", "删除 {}，上一次提交中仍有保留")
        .reversible(Reversible::WithGit).priority(Priority::P2)
        .examples(&["git rm old.rs", "git rm -r docs/old"], &["git rm --cached old.rs"]);
    OVERWRITE_TRACKED = Rule::new("edit-tracked", EffectKind::Overwrite, Risk::High, "changes every tracked file that matches: {}", "批量修改受跟踪的文件：{}")
        .reversible(Reversible::WithGit)
        .examples(&["git sed foo bar"], &["git grep foo"]);

    DELETE_BRANCH = Rule::new("delete-branch", EffectKind::HistoryRewrite, Risk::High, "deletes the branch {} even if it is not merged", "删除分支 {}，即使尚未合并")
        .reversible(Reversible::WithGit).priority(Priority::P1)
        .examples(&["git branch -D feature/x", "git branch -d --force x", "git branch --delete --force x"], &["git branch -d merged", "git branch --list"]);
    DELETE_TAG = Rule::new("delete-tag", EffectKind::HistoryRewrite, Risk::Medium, "deletes or moves the tag {}", "删除或移动标签 {}")
        .reversible(Reversible::WithGit)
        .examples(&["git tag -d v1", "git tag -f v1 HEAD"], &["git tag v1", "git tag -l"]);
    MOVE_BRANCH = Rule::new("move-branch", EffectKind::HistoryRewrite, Risk::Medium, "points {} at other commits", "让 {} 指向别的提交")
        .reversible(Reversible::WithGit)
        .examples(&["git branch -f main HEAD~3", "git checkout -B main origin/main", "git switch -C main", "git update-ref refs/heads/main HEAD~3"], &["git branch new", "git checkout -b new", "git switch -c new"]);
    REWRITE_HISTORY = Rule::new("rewrite-history", EffectKind::HistoryRewrite, Risk::Critical, "rewrites the whole history: {}", "改写整个历史：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["git filter-branch --force HEAD", "git filter-repo --path secrets --invert-paths --force", "git lfs migrate import --everything"], &["git log", "git lfs migrate info"]);
    DROP_HISTORY = Rule::new("drop-history", EffectKind::HistoryRewrite, Risk::High, "drops commits that only the log of refs still knows: {}", "清除仅存于引用日志（reflog）中的提交：{}")
        .reversible(Reversible::No).priority(Priority::P1)
        .examples(&["git reflog expire --expire=now --all", "git gc --prune=now", "git prune", "git update-ref -d refs/heads/main"], &["git reflog", "git gc", "git prune -n"]);
    DROP_COMMITS = Rule::new("drop-commits", EffectKind::HistoryRewrite, Risk::High, "drops commits from a branch: {}", "从分支中丢弃提交：{}")
        .reversible(Reversible::Unknown)
        .examples(&["GIT_SEQUENCE_EDITOR=\"sed -i 's/^pick/drop/'\" git rebase -i HEAD~8", "git -c sequence.editor='sed -i 1,3d' rebase -i HEAD~5"], &["GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash main", "GIT_SEQUENCE_EDITOR=\"sed -i 's/pick/reword/'\" git rebase -i HEAD~2"]);
    REWRITE_LOCAL = Rule::new("rewrite-local", EffectKind::HistoryRewrite, Risk::Low, "rewrites local commits: {}", "改写本地提交：{}")
        .reversible(Reversible::WithGit).priority(Priority::P2)
        .examples(&["git rebase main", "git commit --amend --no-edit", "git reset --soft HEAD~1"], &["git commit -m x"]);

    CONFIG_CODE = Rule::new("git-config-code", EffectKind::System, Risk::High, "makes git run a program from now on: {}", "让 git 今后运行程序：{}")
        .reversible(Reversible::Yes).priority(Priority::P1)
        .examples(&["git config core.fsmonitor ./x.sh", "git config --global core.sshCommand ./wrap"], &["git config --global core.editor vim", "git config --get core.sshCommand"]);
    HOOKS = Rule::new("git-hooks", EffectKind::System, Risk::High, "makes git run hooks from elsewhere: {}", "让 git 运行别处的钩子：{}")
        .reversible(Reversible::Yes).priority(Priority::P1)
        .examples(&["git config core.hooksPath .githooks", "git clone --config core.hooksPath=/tmp/h https://example.com/a.git", "git init --template=/tmp/t"], &["git clone https://example.com/a.git", "git -c core.hooksPath=/dev/null commit -m x"]);
    HOOK_TOOL = Rule::new("install-hooks", EffectKind::System, Risk::Medium, "plants hooks that run at every commit: {}", "安装每次提交都会运行的钩子：{}")
        .reversible(Reversible::Yes)
        .examples(&["pre-commit install", "husky init"], &["pre-commit run --all-files"]);
    FOREIGN_CONFIG = Rule::new("git-foreign-config", EffectKind::Opaque, Risk::High, "lets git take settings or programs from {}", "让 git 从 {} 读取设置或程序")
        .examples(&["git -c include.path=/tmp/x log", "git --exec-path=/tmp/bin status"], &["git --exec-path", "git config --list", "git config --global --edit"]);
    REDIRECT = Rule::new("git-redirect", EffectKind::System, Risk::Critical, "sends every later clone and push somewhere else: {}", "把以后的克隆与推送转向别处：{}")
        .priority(Priority::P0)
        .examples(&["git config --global url.https://evil.example/.insteadOf https://github.com/"], &["git config --global url.git@github.com:.insteadOf https://github.com/"]);
    WEAKEN = Rule::new("git-weaken", EffectKind::System, Risk::Medium, "turns off a safeguard of git: {}", "关闭 git 的安全措施：{}")
        .examples(&["git config --global http.sslVerify false", "git -c http.sslVerify=false clone https://example.com/a.git", "git config credential.helper store"], &["git config http.sslVerify true"]);
    SYSTEM_CONFIG = Rule::new("git-system-config", EffectKind::System, Risk::High, "changes git's settings for every user: {}", "更改所有用户的 git 设置：{}")
        .examples(&["git config --system core.autocrlf true"], &["git config --system --list"]);
    CREDENTIAL = Rule::new("git-credential", EffectKind::SecretRead, Risk::High, "shows or changes stored passwords: {}", "显示或更改已保存的密码：{}")
        .examples(&["git credential fill", "git credential-store get", "git secret reveal"], &["git secret hide", "git secret list"]);
    SERVE = Rule::new("serve-repository", EffectKind::NetworkWrite, Risk::Medium, "opens the repository to the network: {}", "向网络开放版本库：{}")
        .examples(&["git daemon --export-all", "hg serve"], &["git ls-remote"]);
    SCHEDULE = Rule::new("git-schedule", EffectKind::System, Risk::Medium, "starts scheduled jobs: {}", "启动定时任务：{}")
        .examples(&["git maintenance start"], &["git maintenance run"]);
    GRAVE_ALIAS = Rule::new("git-unknown-verb", EffectKind::Opaque, Risk::Medium, "is an alias or extension whose name says it destroys or publishes: {}", "别名或扩展的名称表明它会破坏或发布内容：{}")
        .examples(&["git nuke", "git yeet --force"], &["git lg", "git standup"]);
}
