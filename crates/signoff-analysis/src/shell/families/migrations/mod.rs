//! Frameworks and tools that change a database through migrations, seeds and object mappers.
//!
//! Many of them are reached through an interpreter: `python manage.py flush` runs `manage.py`, `php artisan migrate`
//! runs `artisan`, so the names of those scripts have judges of their own.

pub(super) mod code;
mod frameworks;
mod tools;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell, subcommands::Line},
    sql,
    value::Feed,
};

rules! {
    WIPE = Rule::new("migration-reset", EffectKind::DatabaseWrite, Risk::Critical, "drops or empties the project's database: {}", "删除或清空项目数据库：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["python manage.py flush --no-input", "npx prisma db push --accept-data-loss", "npx drizzle-kit push --force", "bin/rails db:drop", "prisma migrate reset"], &["python manage.py sqlflush", "bin/rails db:migrate:status", "prisma migrate status"]);
    ROLLBACK = Rule::new("migration-rollback", EffectKind::DatabaseSchema, Risk::High, "undoes migrations, which drops what they made: {}", "回退迁移，会删除其创建的内容：{}")
        .reversible(Reversible::No)
        .examples(&["alembic downgrade -1", "rails db:rollback", "sqlx migrate revert"], &["alembic downgrade -1 --sql", "alembic history"]);
    APPLY = Rule::new("migration-apply", EffectKind::DatabaseSchema, Risk::Medium, "changes the structure of the database: {}", "更改数据库结构：{}")
        .reversible(Reversible::WithBackup)
        .examples(&["alembic upgrade head", "rails db:migrate", "python manage.py migrate", "prisma migrate deploy"], &["alembic upgrade head --sql", "python manage.py migrate --plan", "RAILS_ENV=test rails db:migrate"]);
    SEED = Rule::new("database-seed", EffectKind::DatabaseWrite, Risk::Medium, "writes rows into the project's database: {}", "向项目数据库写入数据：{}")
        .examples(&["rails db:seed", "python manage.py loaddata fixtures.json", "knex seed:run"], &["knex seed:make users"]);
    STATE = Rule::new("migration-state", EffectKind::DatabaseWrite, Risk::Medium, "changes which migrations count as done: {}", "更改哪些迁移被视为已完成：{}")
        .examples(&["alembic stamp head", "python manage.py migrate --fake", "flyway repair"], &["alembic current"]);
    MAPPER = Rule::new("mapper-write", EffectKind::DatabaseWrite, Risk::High, "changes data through the project's object mapper: {}", "通过 ORM 更改数据：{}")
        .reversible(Reversible::No)
        .examples(&["rails runner 'User.delete_all'", "python manage.py shell -c 'User.objects.all().delete()'"], &["rails runner 'puts User.count'"]);
    TEST_DATABASE = Rule::new("test-database", EffectKind::DatabaseSchema, Risk::Low, "rebuilds the test database: {}", "重建测试数据库：{}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["RAILS_ENV=test rails db:reset", "rails db:test:prepare"], &["rails routes"]);
    SECRET = Rule::new("framework-secret", EffectKind::SecretRead, Risk::High, "prints the project's secrets: {}", "输出项目的机密：{}")
        .examples(&["rails credentials:show", "php artisan env:decrypt"], &["rails routes"]);
    TASK = Rule::new("project-task", EffectKind::Execute, Risk::Medium, "runs a task of the project whose name says that it destroys, resets or deploys: {}", "运行名称表明会破坏、重置或部署的项目任务：{}")
        .examples(&["php artisan queue:flush", "rails destroy model Post"], &["rake", "rake test", "php artisan cache:clear"]);
}

pub use frameworks::{mix, rails};
pub use tools::goose;

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[frameworks::find, tools::find];

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    super::first(TABLES, name)
}

/// Whether the call says that it works on the test database: by an option, or else by a variable.
fn is_test(shell: &Shell<'_>, call: &Call) -> bool {
    const NAMES: &[&str] = &[
        "RAILS_ENV",
        "RACK_ENV",
        "NODE_ENV",
        "APP_ENV",
        "MIX_ENV",
        "DJANGO_ENV",
        "FLASK_ENV",
        "HANAMI_ENV",
        "SYMFONY_ENV",
    ];
    const OPTIONS: &[&str] = &["--env", "--environment", "-e"];
    let is_name = |text: &str| matches!(text, "test" | "testing");
    // The last one counts, and an option counts more than a variable.
    let mut said: Option<bool> = None;
    for (at, arg) in call.args.iter().enumerate() {
        let Some(text) = arg.known() else { continue };
        match text.split_once('=') {
            Some((name, value)) if OPTIONS.contains(&name) || NAMES.contains(&name) => said = Some(is_name(value)),
            Some(_) => {}
            None if OPTIONS.contains(&text) => {
                said = call.args.get(at + 1).map(|value| value.known().is_some_and(is_name)).or(said);
            }
            None => {}
        }
    }
    if let Some(said) = said {
        return said;
    }
    let settings = |name: &str, value: Option<&str>| match name {
        "DJANGO_SETTINGS_MODULE" => value.is_some_and(|text| text.rsplit(['.', '_']).next().is_some_and(is_name)),
        "DATABASE_URL" => value.is_some_and(is_test_address),
        _ => value.is_some_and(is_name),
    };
    let telling = || NAMES.iter().copied().chain(["DJANGO_SETTINGS_MODULE", "DATABASE_URL"]);
    telling().any(|name| {
        let for_call = call.variables.iter().rfind(|(set, _)| set == name).map(|(_, value)| value);
        for_call.or_else(|| shell.variable(name)).is_some_and(|value| settings(name, value.known()))
    })
}

/// A statement that a tool hands to the database as it is.
fn query(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if let Some(text) = line.words.get(1) {
        sql::verdict_of_text(shell, &text.value, sql::Dialect::Any, text.span);
    }
    call.output()
}

/// Whether an address is that of a database on this machine whose name says that it is for tests.
fn is_test_address(address: &str) -> bool {
    let Some((_, rest)) = address.split_once("://") else { return false };
    let rest = rest.split('?').next().unwrap_or(rest);
    let Some((authority, name)) = rest.rsplit_once('/') else { return false };
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = host.split(':').next().unwrap_or(host);
    let local = matches!(host, "" | "localhost" | "127.0.0.1");
    local && name.rsplit(['_', '-']).next().is_some_and(|word| matches!(word, "test" | "testing"))
}

#[cfg(test)]
mod tests;
