//! The rules about builds and tasks.

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    TASK_DEPLOYS = Rule::new("task-deploys", EffectKind::Publish, Risk::High, "runs a task whose name says that it deploys or publishes: {}", "运行名称表明会部署或发布的任务：{}")
        .reversible(Reversible::Unknown).priority(Priority::P0)
        .examples(&["make deploy ENV=prod", "npm run deploy", "just release", "nx run app:deploy", "rake release"], &["make -n deploy", "npm run build", "npm run test:deploy", "make build-release"]);
    TASK_DESTROYS = Rule::new("task-destroys", EffectKind::Delete, Risk::High, "runs a task whose name says that it destroys or resets: {}", "运行名称表明会销毁或重置的任务：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["make destroy", "npm run db:reset", "yarn nuke", "task db-drop"], &["make clean", "npm run test:reset", "make -n destroy"]);
    TASK_INSTALLS = Rule::new("task-installs", EffectKind::System, Risk::Medium, "runs a task that installs on the machine or a device: {}", "运行会在机器或设备上安装的任务：{}")
        .reversible(Reversible::Unknown)
        .examples(&["make install", "cmake --install build", "ninja -C build install", "make flash"], &["make install-deps", "make", "make -n install"]);
    PUBLISH_BUILD = Rule::new("publish-build", EffectKind::Publish, Risk::High, "publishes what was built: {}", "发布构建产物：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["mvn deploy", "mvn site-deploy", "gradle publish", "twine upload dist/*", "goreleaser release", "changeset publish", "lerna publish"], &["mvn install", "gradle publishToMavenLocal", "twine check dist/*", "goreleaser build", "gradle -m publish"]);
    BUILD_PLUGIN = Rule::new("build-foreign-code", EffectKind::Opaque, Risk::High, "lets the build run code from {}", "让构建运行来自 {} 的代码")
        .examples(&["gradle -I /tmp/x.gradle build", "make -f /tmp/Makefile"], &["gradle build", "make -f build.mk"]);
}
