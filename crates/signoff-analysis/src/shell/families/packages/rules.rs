//! The rules about packages.

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    INSTALL = Rule::new("new-package", EffectKind::Create, Risk::Low, "installs the package {}", "安装软件包 {}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["npm install lodash", "pip install requests", "cargo add serde", "go install example.com/x@latest"], &["npm ci", "pip install -r requirements.txt", "cargo build"]);
    INSTALL_GLOBAL = Rule::new("global-package", EffectKind::System, Risk::Medium, "installs or removes for the whole machine: {}", "为整台机器安装或移除：{}")
        .reversible(Reversible::Unknown)
        .examples(&["npm install -g typescript", "brew install jq", "pip install --break-system-packages x", "brew uninstall --force --ignore-dependencies openssl@3"], &["npm install lodash", "brew list", "npm ls -g"]);
    FOREIGN = Rule::new("foreign-package", EffectKind::Opaque, Risk::High, "installs code that no registry holds: {}", "安装不在任何软件包仓库中的代码：{}")
        .priority(Priority::P1)
        .examples(&["pip install git+https://github.com/unknown-user/unknown-pkg", "npm install https://example.com/x.tgz", "npx github:a/b", "cargo install --git https://example.com/a", "deno run https://example.com/x.ts"], &["pip install requests", "npm install ./local"]);
    BARE_INDEX = Rule::new("nameless-index", EffectKind::Opaque, Risk::Critical, "installs code from a machine without a name, over a way that anybody can change: {}", "从无域名的机器经未加密连接安装代码：{}")
        .absurd().priority(Priority::P0)
        .examples(&["pip install -i http://203.0.113.7/simple x", "npm install --registry=http://203.0.113.7 x"], &["pip install -i https://pypi.org/simple x", "pip install -i http://10.0.0.5:8080/simple x"]);
    INDEX = Rule::new("foreign-index", EffectKind::Opaque, Risk::High, "takes packages from an unusual source: {}", "从非常用来源获取软件包：{}")
        .priority(Priority::P1)
        .examples(&["pip install -i https://packages.x.example/simple x", "npm install --registry=http://npm.x.example x", "pip install --trusted-host x.example --index-url https://x.example/simple y"], &["pip install -i https://pypi.org/simple x"]);
    PUBLISH = Rule::new("publish-package", EffectKind::Publish, Risk::High, "publishes a package: {}", "发布软件包：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["npm publish --access public", "cargo publish", "poetry publish", "gem push x.gem", "uv publish", "dotnet nuget push x.nupkg"], &["cargo publish --dry-run", "npm pack", "npm publish --dry-run", "dotnet publish"]);
    WITHDRAW = Rule::new("withdraw-package", EffectKind::Publish, Risk::High, "withdraws or changes what is published: {}", "撤回或更改已发布的内容：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["npm unpublish x@1.0.0", "cargo yank --version 1.0.0", "npm deprecate x old", "npm dist-tag add x@1 latest"], &["npm dist-tag ls x"]);
    ACCOUNT = Rule::new("registry-account", EffectKind::Privilege, Risk::High, "changes an account, its rights or its tokens at the registry: {}", "更改软件包仓库上的账户、权限或令牌：{}")
        .examples(&["npm owner add user pkg", "npm token create", "cargo login", "npm login", "cargo owner --add x"], &["npm owner ls pkg", "npm whoami", "cargo owner --list"]);
    SETTINGS = Rule::new("package-settings", EffectKind::System, Risk::Medium, "changes where packages come from or what runs with them: {}", "更改软件包的来源或随之运行的程序：{}")
        .reversible(Reversible::Yes)
        .examples(&["npm config set registry https://x.example", "pip config set global.index-url https://x.example", "go env -w GOPROXY=https://x.example"], &["npm config get registry", "pip config list", "npm config set fund false"]);
    FORCE_FIX = Rule::new("forced-upgrade", EffectKind::Overwrite, Risk::Medium, "upgrades packages across breaking changes: {}", "强制升级软件包，可能引入不兼容更改：{}")
        .reversible(Reversible::WithGit)
        .examples(&["npm audit fix --force"], &["npm audit fix", "npm audit"]);
    TOOLCHAIN = Rule::new("remove-toolchain", EffectKind::System, Risk::High, "removes or replaces a tool chain or environment: {}", "移除或替换工具链或环境：{}")
        .reversible(Reversible::Unknown)
        .examples(&["rustup self uninstall", "conda env remove -n work", "conda init"], &["rustup show", "conda env list"]);
    SECRET = Rule::new("package-secret", EffectKind::SecretRead, Risk::High, "shows stored tokens or secrets: {}", "显示已保存的令牌或机密：{}")
        .examples(&["dotnet user-secrets list", "npm config get //registry.npmjs.org/:_authToken"], &["npm config list"]);
}
