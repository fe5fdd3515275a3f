//! Frameworks and tools that change a database through migrations, seeds and object mappers.
//!
//! Many of them are reached through an interpreter: `python manage.py flush` runs `manage.py`, `php artisan migrate`
//! runs `artisan`, so the names of those scripts have judges of their own.

mod code;
mod frameworks;
mod tools;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell},
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

/// Whether the call says that it works on the test database.
fn is_test(shell: &Shell<'_>, call: &Call) -> bool {
    const NAMES: &[&str] = &["RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_ENV"];
    let set_for_call =
        call.variables.iter().any(|(name, value)| NAMES.contains(&name.as_str()) && value.known() == Some("test"));
    let set_before = NAMES.iter().any(|name| shell.variable(name).and_then(|value| value.known()) == Some("test"));
    let as_argument = call
        .args
        .iter()
        .filter_map(|arg| arg.known())
        .any(|arg| matches!(arg, "RAILS_ENV=test" | "--env=test" | "--environment=test"));
    set_for_call || set_before || as_argument
}

#[cfg(test)]
mod tests;
