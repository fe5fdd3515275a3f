//! Tools whose whole purpose are migrations.

use super::{APPLY, ROLLBACK, SEED, STATE, TASK, WIPE, is_test, query};
use crate::{
    shell::{
        Call, Judge, Shell,
        families::{network, tool::speak},
        subcommands::{Deed, Line, Tool},
    },
    sql,
    value::Feed,
};

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match tool(&call.name) {
        Some(tool) => judge_as(shell, call, tool),
        None => call.output(),
    }
}

/// `goose up`: the program shares its name with an agent, which hands these calls on.
pub fn goose(shell: &mut Shell<'_>, call: &Call) -> Feed {
    judge_as(shell, call, &GO_STYLE)
}

fn judge_as(shell: &mut Shell<'_>, call: &Call, tool: &Tool) -> Feed {
    // A program of the same name guesses passwords; it names a module and a host.
    if call.name == "medusa" && call.has("-M") {
        speak(shell, call, &network::BREAK_IN, 0);
        return call.output();
    }
    let line = Line::read(&call.args, tool.values);
    if is_test(shell, call) && matches!(tool.deed(&line), Deed::Tell(_)) && !line.words.is_empty() {
        shell.tell(&super::TEST_DATABASE, line.named(&call.name), call.span);
        return call.output();
    }
    tool.judge_line(shell, call, &line)
}

/// The judgement for a tool that changes the schema of a database.
pub(super) fn find(name: &str) -> Option<Judge> {
    tool(name).map(|_| judge as Judge)
}

fn tool(name: &str) -> Option<&'static Tool> {
    Some(match name {
        "alembic" | "aerich" | "yoyo" => &ALEMBIC,
        "prisma" => &PRISMA,
        "drizzle-kit" => &DRIZZLE,
        "knex" | "db-migrate" | "node-pg-migrate" | "migrate-mongo" | "graphile-migrate" | "kysely" | "ley"
        | "umzug" | "postgrator" => &KNEX,
        "sequelize" | "sequelize-cli" => &SEQUELIZE,
        "typeorm" | "typeorm-ts-node-commonjs" | "typeorm-ts-node-esm" => &TYPEORM,
        "mikro-orm" | "mikro-orm-esm" | "ace" | "payload" | "medusa" => &MIKRO,
        "phinx" => &PHINX,
        "diesel" => &DIESEL,
        "sqlx" => &SQLX,
        "sea-orm-cli" | "sea" => &SEA,
        "dbmate" | "migrate" | "tern" | "sql-migrate" | "soda" | "pgroll" | "refinery" => &GO_STYLE,
        "atlas" => &ATLAS,
        "hasura" => &HASURA,
        "liquibase" => &LIQUIBASE,
        "flyway" => &FLYWAY,
        "dotnet-ef" => &DOTNET,
        "sqitch" => &SQITCH,
        "dbt" => &DBT,
        _ => return None,
    })
}

static ALEMBIC: Tool = Tool {
    values: "-c --config -n --name -x -m --message --tag --rev-id --head --splice -b --batch --database -d --directory",
    dry: &["--sql"],
    deeds: &[
        (Deed::Tell(&APPLY), "upgrade, apply"),
        (Deed::Tell(&ROLLBACK), "downgrade, rollback, reapply"),
        (Deed::Tell(&STATE), "stamp, mark, unmark, break-lock"),
    ],
    otherwise: Deed::Harmless,
};

static PRISMA: Tool = Tool {
    values: "--schema --name -n --url --file --from-schema-datamodel --to-schema-datamodel --applied --rolled-back --generator --port",
    dry: &["--create-only"],
    deeds: &[
        (Deed::Judge(prisma_push), "db push"),
        (Deed::Tell(&SEED), "db seed"),
        (Deed::Judge(prisma_execute), "db execute"),
        (Deed::Tell(&WIPE), "migrate reset, db drop"),
        (Deed::Tell(&APPLY), "migrate dev, migrate deploy, migrate up, migrate save"),
        (Deed::Tell(&STATE), "migrate resolve"),
        (Deed::Tell(&TASK), "platform"),
    ],
    otherwise: Deed::Harmless,
};

fn prisma_push(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let loses = line.has(&["--accept-data-loss", "--force-reset"]);
    Deed::Tell(if loses { &WIPE } else { &APPLY }).done(shell, call, line)
}

fn prisma_execute(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match &call.stdin.text {
        Some(text) if line.has(&["--stdin"]) => {
            sql::verdict_of_text(shell, text, sql::Dialect::Any, call.span);
            call.output()
        }
        _ => Deed::Tell(&APPLY).done(shell, call, line),
    }
}

static DRIZZLE: Tool = Tool {
    values: "--config --dialect --schema --out --name --url",
    dry: &[],
    deeds: &[
        (Deed::Judge(drizzle_push), "push, push:pg, push:mysql, push:sqlite"),
        (Deed::Tell(&APPLY), "migrate"),
        (Deed::Tell(&TASK), "drop"),
    ],
    otherwise: Deed::Harmless,
};

fn drizzle_push(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    Deed::Tell(if line.has(&["--force"]) { &WIPE } else { &APPLY }).done(shell, call, line)
}

static KNEX: Tool = Tool {
    values: "--knexfile --env --client --connection --migrations-directory --config -e --cwd -m --migrations-dir -d --database-url-var -f -t",
    dry: &["--dry-run", "--check"],
    deeds: &[
        (Deed::Tell(&APPLY), "migrate:latest, migrate:up, up, migrate latest, migrate up, migrate, watch, commit, run"),
        (
            Deed::Tell(&ROLLBACK),
            "migrate:rollback, migrate:down, down, redo, migrate down, migrate rollback, uncommit, revert",
        ),
        (Deed::Tell(&WIPE), "reset, db:drop, drop"),
        (Deed::Tell(&SEED), "seed:run, seed run"),
        (Deed::Tell(&STATE), "migrate:unlock, migrate:forceFreeMigrationsLock"),
    ],
    otherwise: Deed::Harmless,
};

static SEQUELIZE: Tool = Tool {
    values: "--url --config --env --name --attributes --migrations-path --seeders-path --to --from --seed --options-path",
    dry: &[],
    deeds: &[
        (Deed::Tell(&APPLY), "db:migrate, db:migrate:schema:timestamps:add"),
        (Deed::Tell(&ROLLBACK), "db:migrate:undo, db:seed:undo, db:seed:undo:all"),
        (Deed::Tell(&WIPE), "db:drop, db:migrate:undo:all"),
        (Deed::Tell(&SEED), "db:seed, db:seed:all"),
    ],
    otherwise: Deed::Harmless,
};

static TYPEORM: Tool = Tool {
    values: "-d --dataSource -n --name --dir -c --connection -f --config -t --transaction",
    dry: &[],
    deeds: &[
        (Deed::Tell(&WIPE), "schema:drop"),
        (Deed::Tell(&APPLY), "schema:sync, migration:run"),
        (Deed::Tell(&ROLLBACK), "migration:revert"),
        (Deed::Judge(query), "query"),
    ],
    otherwise: Deed::Harmless,
};

static MIKRO: Tool = Tool {
    values: "--config -c --class --name",
    dry: &["--dump", "-d", "--dry-run"],
    deeds: &[
        (
            Deed::Tell(&WIPE),
            "migration:fresh, migration:refresh, migration:reset, schema:drop, schema:fresh, db:wipe, db:truncate, migrate:fresh, migrate:reset, migrate:refresh",
        ),
        (Deed::Tell(&ROLLBACK), "migration:down, migration:rollback, migrate:down, db:rollback"),
        (
            Deed::Tell(&APPLY),
            "migration:up, migration:run, schema:update, schema:create, migrate, db:migrate, db:setup, db:sync",
        ),
        (Deed::Tell(&SEED), "seeder:run, db:seed, seed, user"),
    ],
    otherwise: Deed::Harmless,
};

static PHINX: Tool = Tool {
    values: "-c --configuration -e --environment -t --target -d --date -s --seed -p --parser",
    dry: &["--dry-run", "-x"],
    deeds: &[
        (Deed::Tell(&APPLY), "migrate"),
        (Deed::Tell(&ROLLBACK), "rollback"),
        (Deed::Tell(&SEED), "seed:run"),
        (Deed::Tell(&STATE), "breakpoint"),
    ],
    otherwise: Deed::Harmless,
};

static DIESEL: Tool = Tool {
    values: "--database-url --config-file --migration-dir",
    dry: &[],
    deeds: &[
        (Deed::Tell(&WIPE), "database reset, database drop"),
        (Deed::Tell(&APPLY), "migration run, database setup, setup"),
        (Deed::Tell(&ROLLBACK), "migration revert, migration redo"),
    ],
    otherwise: Deed::Harmless,
};

static SQLX: Tool = Tool {
    values: "-D --database-url --source --target-version --connect-timeout",
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Tell(&WIPE), "database drop, database reset, db drop, db reset"),
        (Deed::Tell(&APPLY), "migrate run, mig run, database setup, db setup"),
        (Deed::Tell(&ROLLBACK), "migrate revert, mig revert"),
    ],
    otherwise: Deed::Harmless,
};

static SEA: Tool = Tool {
    values: "-u --database-url -d --migration-dir -s --database-schema -n --num -o --output-dir",
    dry: &[],
    deeds: &[
        (Deed::Tell(&WIPE), "migrate fresh, migrate refresh, migrate reset"),
        (Deed::Tell(&APPLY), "migrate, migrate up"),
        (Deed::Harmless, "migrate status, migrate generate, migrate init"),
        (Deed::Tell(&ROLLBACK), "migrate down"),
    ],
    otherwise: Deed::Harmless,
};

static GO_STYLE: Tool = Tool {
    values: "-path -database -source -dir -table -d --migrations-dir -u --url -e --env -c --config -s --schema-file --driver -p --migrations --conn-string",
    dry: &["--dry-run", "-dryrun"],
    deeds: &[],
    otherwise: Deed::Judge(go_style),
};

/// Some of these take the driver and the connection before the verb, so every word is looked at.
fn go_style(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let rule = line.words.iter().filter_map(|word| word.known()).find_map(|word| match word {
        "drop" | "reset" | "load" => Some(Some(&WIPE)),
        "down" | "down-to" | "rollback" | "redo" => Some(Some(&ROLLBACK)),
        "up" | "up-to" | "up-by-one" | "goto" | "migrate" | "start" | "complete" => Some(Some(&APPLY)),
        "force" | "fix" | "baseline" => Some(Some(&STATE)),
        "status" | "version" | "create" | "new" | "validate" | "dump" | "wait" | "generate" | "gen" | "run"
        | "session" => Some(None),
        _ => None,
    });
    match rule.flatten() {
        Some(rule) => Deed::Tell(rule).done(shell, call, line),
        None => call.output(),
    }
}

static ATLAS: Tool = Tool {
    values: "-u --url --to --from --dev-url --env -c --config --dir --format -s --schema --var --tx-mode",
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Tell(&WIPE), "schema clean"),
        (Deed::Tell(&APPLY), "schema apply, migrate apply"),
        (Deed::Tell(&ROLLBACK), "migrate down"),
        (Deed::Tell(&STATE), "migrate set, migrate push, schema push, migrate rm"),
        (Deed::Tell(&TASK), "login, logout, deployments, clusters, accessLists, dbusers"),
    ],
    otherwise: Deed::Harmless,
};

static HASURA: Tool = Tool {
    values: "--endpoint --admin-secret --project --database-name --envfile --up --down --version --goto",
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Tell(&APPLY), "migrate apply, metadata apply, metadata reload, deploy"),
        (Deed::Tell(&WIPE), "metadata clear, migrate delete"),
        (Deed::Tell(&SEED), "seed apply"),
    ],
    otherwise: Deed::Harmless,
};

static LIQUIBASE: Tool = Tool {
    values: "--changelog-file --changeLogFile --url --username --password --defaults-file --defaultsFile --classpath --driver --tag --count --contexts --labels",
    dry: &[],
    deeds: &[
        (Deed::Tell(&WIPE), "drop-all, dropAll"),
        (
            Deed::Tell(&APPLY),
            "update, update-count, update-to-tag, updateCount, update-testing-rollback, updateTestingRollback, update-one-changeset, execute-sql, executeSql",
        ),
        (
            Deed::Tell(&ROLLBACK),
            "rollback, rollback-count, rollback-to-date, rollbackCount, rollbackToDate, rollback-one-changeset, rollback-one-update",
        ),
        (
            Deed::Tell(&STATE),
            "changelog-sync, changelogSync, clear-checksums, clearCheckSums, release-locks, releaseLocks, tag, mark-next-changeset-ran, markNextChangeSetRan",
        ),
    ],
    otherwise: Deed::Harmless,
};

static FLYWAY: Tool = Tool { values: "", dry: &["-dryRunOutput"], deeds: &[], otherwise: Deed::Judge(flyway) };

/// Several commands may follow each other: `flyway clean migrate`.
fn flyway(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    for word in &line.words {
        let rule = match word.known() {
            Some("clean") => &WIPE,
            Some("migrate") => &APPLY,
            Some("undo") => &ROLLBACK,
            Some("repair" | "baseline") => &STATE,
            _ => continue,
        };
        shell.tell(rule, format!("flyway {}", word.shown()), word.span);
    }
    call.output()
}

static DOTNET: Tool = Tool {
    values: "-c --context -p --project -s --startup-project --connection --framework --configuration -o --output",
    dry: &["--dry-run"],
    deeds: &[
        (Deed::Tell(&WIPE), "database drop"),
        (Deed::Tell(&APPLY), "database update"),
        (Deed::Tell(&TASK), "migrations remove"),
    ],
    otherwise: Deed::Harmless,
};

static SQITCH: Tool = Tool {
    values: "-t --target --to --db-name -d --db-host -h -p --plan-file -f",
    dry: &["--log-only"],
    deeds: &[(Deed::Tell(&APPLY), "deploy"), (Deed::Tell(&ROLLBACK), "revert, rebase, checkout")],
    otherwise: Deed::Harmless,
};

static DBT: Tool = Tool {
    values: "-s --select -m --models --exclude --target -t --profile --profiles-dir --project-dir --vars --selector --args --threads --state",
    dry: &["--empty"],
    deeds: &[(Deed::Tell(&APPLY), "run, build, snapshot, clone"), (Deed::Tell(&SEED), "seed, run-operation")],
    otherwise: Deed::Harmless,
};
