//! Rails, Django, Laravel, Symfony, Phoenix, Flask: one program with many tasks.

use super::{APPLY, MAPPER, ROLLBACK, SECRET, SEED, STATE, TASK, TEST_DATABASE, WIPE, code, is_test, query};
use crate::{
    rule::Rule,
    shell::{
        Call, Judge, Language, Shell,
        families::unknown,
        subcommands::{Deed, Line, Tool},
    },
    sql,
    value::{Arg, Feed},
    words::is_listed,
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "rails" | "hanami" | "bin/rails" => rails,
        "manage.py" | "django-admin" | "django-admin.py" => django,
        "artisan" | "sail" => artisan,
        "console" | "symfony" | "doctrine" | "doctrine-migrations" => symfony,
        "flask" => flask,
        _ => return None,
    })
}

/// Tells a rule about a task, or only mentions it when it works on the test database.
fn tell(shell: &mut Shell<'_>, call: &Call, rule: &'static Rule, task: &Arg) {
    let rule = if is_test(shell, call) && !std::ptr::eq(rule, &SECRET) { &TEST_DATABASE } else { rule };
    shell.tell(rule, format!("{} {}", call.name, task.shown()), task.span);
}

/// What a task of the project's own is for, by its name.
fn own_task(shell: &mut Shell<'_>, call: &Call, task: &Arg) {
    let Some(name) = task.known() else {
        return shell.tell(&TASK, task.shown(), task.span);
    };
    let parts = || name.split([':', '.', '_', '-']);
    let says = |words: &str| parts().any(|part| is_listed(words, part));
    let cleans = says("cache caches tmp temp log logs assets views config routes compiled stale coverage docs build");
    if says(
        "deploy release publish push drop destroy wipe reset purge nuke truncate flush delete prod production erase \
         anonymize anonymise",
    ) && !cleans
    {
        return shell.tell(&TASK, format!("{} {name}", call.name), task.span);
    }
    let behind = call.args.iter().skip_while(|arg| *arg != task).skip(1);
    unknown::judge_flags(shell, call, task, &behind.cloned().collect::<Vec<_>>());
}

/// `rails` and what `rake` does to databases; a call may name several tasks.
pub fn rails(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `rake db:forget[365]`: no file is called so.
    if call.args.iter().any(|arg| arg.value.has_glob()) {
        let args = call.args.iter().map(Arg::unmatched).collect();
        return rails(shell, &Call { args, ..call.clone() });
    }
    static DATABASE: &[(&Rule, &str)] = &[
        (
            &WIPE,
            "\
            db:drop db:drop:all db:drop:_unsafe db:reset db:reset:all db:purge db:purge:all db:schema:load db:structure:load db:setup db:setup:all \
            db:migrate:reset db:truncate_all db:seed:replant db:fixtures:load",
        ),
        (&ROLLBACK, "db:rollback db:migrate:down db:migrate:redo db:forward data:rollback"),
        (&APPLY, "db:migrate db:migrate:up db:prepare db:migrate:with_data db:encryption:migrate data:migrate"),
        (&SEED, "db:seed db:seed_fu db:data:load"),
        (&STATE, "db:environment:set db:schema:cache:clear"),
        (
            &SECRET,
            "credentials:show credentials:edit secrets:show secrets:edit encrypted:show encrypted:edit credentials:diff",
        ),
        (&TEST_DATABASE, "db:test:prepare db:test:load db:test:purge db:test:load_schema db:test:clone"),
    ];
    let line = Line::read(
        &call.args,
        "-e --environment -p --port -b --binding -f --rakefile -C --directory -j --jobs -c --config -I -r --require -d --database",
    );
    if call.name == "rake"
        && line.has(&["-T", "--tasks", "-P", "--prereqs", "-W", "--where", "-n", "--dry-run", "-D", "--describe", "-A"])
        || line.asks_for_help()
    {
        return call.output();
    }
    if let (Some(code), true) = (line.value(&["-e", "--execute"]), call.name == "rake") {
        code::run(shell, Language::Ruby, &code);
    }
    let rails = call.name != "rake";
    match line.word(0) {
        Some("runner" | "r") if rails => {
            return match line.words.get(1) {
                Some(code) if code.known().is_some_and(|code| code.ends_with(".rb")) => {
                    shell.run_script(Language::Ruby, code, &[], Feed::none())
                }
                Some(code) if code.is("-") => shell.run_feed(Language::Ruby, call.stdin.clone(), call.span),
                Some(code) => code::run(shell, Language::Ruby, code),
                None => call.output(),
            };
        }
        Some("console" | "c") if rails => return code::run_stdin(shell, Language::Ruby, call),
        Some("db" | "dbconsole") if rails => {
            if let Some(text) = &call.stdin.text {
                sql::verdict_of_text(shell, text, sql::Dialect::Any, call.span);
            }
            return call.output();
        }
        Some("destroy" | "d") if rails => return Deed::Tell(&TASK).done(shell, call, &line),
        Some(
            "new" | "server" | "s" | "generate" | "g" | "test" | "t" | "routes" | "about" | "stats" | "notes"
            | "plugin" | "console-sandbox" | "initializers" | "middleware" | "restart" | "version",
        ) if rails => {
            return call.output();
        }
        _ => {}
    }
    for task in &line.words {
        let name = task.known().map(|name| name.split('[').next().unwrap_or(name));
        // A task may be limited to one of several databases: `db:migrate:primary`.
        let rule = name.and_then(|name| {
            DATABASE.iter().find(|(_, names)| is_listed(names, name)).or_else(|| {
                let shorter =
                    name.rsplit_once(':').map(|(shorter, _)| shorter).filter(|_| !name.ends_with(":status"))?;
                DATABASE.iter().find(|(_, names)| shorter.contains(':') && is_listed(names, shorter))
            })
        });
        match (name, rule) {
            (_, Some((rule, _))) => tell(shell, call, rule, task),
            (Some(name), None)
                if name.contains('=')
                    || name.starts_with("assets:")
                    || name.starts_with("tmp:")
                    || name.starts_with("log:") => {}
            _ => own_task(shell, call, task),
        }
    }
    call.output()
}

fn django(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static TASKS: &[(&Rule, &str)] = &[
        (&WIPE, "flush reset_db reset_schema drop_tables sqlreset drop_test_database clear_index rebuild_index"),
        (
            &SEED,
            "loaddata createcachetable createsuperuser changepassword update_permissions remove_stale_contenttypes seed",
        ),
        (&APPLY, "migrate_schemas sync_pgviews syncdb"),
        (&SECRET, "sqldsn print_settings"),
    ];
    let line = Line::read(
        &call.args,
        "--settings --pythonpath --database -c --command --fixture --app -v --verbosity --plan-file",
    );
    let Some(task) = line.words.first() else { return call.output() };
    if line.asks_for_help() {
        return call.output();
    }
    match task.known() {
        Some("migrate") => {
            if line.has(&["--plan", "--check", "--list", "-l"]) {
                return call.output();
            }
            let rule = if line.words.last().is_some_and(|word| word.is("zero")) {
                &WIPE
            } else if line.has(&["--fake"]) {
                &STATE
            } else {
                &APPLY
            };
            tell(shell, call, rule, task);
        }
        Some("shell" | "shell_plus") => {
            return match line.value(&["-c", "--command"]) {
                Some(text) => code::run(shell, Language::Python, &text),
                None => code::run_stdin(shell, Language::Python, call),
            };
        }
        Some("dbshell") => {
            let after =
                line.rest.iter().position(|arg| arg.is("-c") || arg.is("-e")).and_then(|at| line.rest.get(at + 1));
            match (after.map(|arg| &arg.value), &call.stdin.text) {
                (Some(text), _) | (None, Some(text)) => sql::verdict_of_text(shell, text, sql::Dialect::Any, call.span),
                (None, None) if call.stdin.is_none() => {}
                (None, None) => shell.tell(&MAPPER, "dbshell", call.span),
            }
        }
        Some(
            "runserver" | "check" | "test" | "makemigrations" | "showmigrations" | "sqlmigrate" | "sqlflush"
            | "sqlsequencereset" | "inspectdb" | "diffsettings" | "dumpdata" | "startapp" | "startproject"
            | "collectstatic" | "compilemessages" | "makemessages" | "findstatic" | "clearsessions" | "clear_cache"
            | "show_urls" | "help",
        ) => {}
        name => match name.and_then(|name| TASKS.iter().find(|(_, names)| is_listed(names, name))) {
            Some((rule, _)) => tell(shell, call, rule, task),
            None => own_task(shell, call, task),
        },
    }
    call.output()
}

fn artisan(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static TASKS: &[(&Rule, &str)] = &[
        (&WIPE, "migrate:fresh migrate:refresh migrate:reset db:wipe tenants:migrate-fresh"),
        (&ROLLBACK, "migrate:rollback tenants:rollback"),
        (&APPLY, "migrate tenants:migrate migrate:install"),
        (&SEED, "db:seed model:prune passport:install passport:purge scout:import scout:flush tenants:seed"),
        (
            &TASK,
            "queue:flush queue:clear queue:forget queue:prune-failed queue:prune-batches down up horizon:clear horizon:terminate backup:clean telescope:clear telescope:prune key:generate env:encrypt vapor:deploy",
        ),
        (&SECRET, "env:decrypt config:show"),
    ];
    let mut args = call.args.as_slice();
    // The container wrapper takes other programs as well.
    if call.name == "sail" {
        match args.first().and_then(Arg::known) {
            Some("artisan" | "art" | "a") => args = args.get(1..).unwrap_or_default(),
            Some("up" | "down" | "stop" | "restart" | "ps" | "build" | "logs" | "share") | None => {
                let mut argv = vec![Arg::text("docker", call.program.span), Arg::text("compose", call.program.span)];
                argv.extend(args.iter().cloned());
                return shell.run(&argv, call.stdin.clone(), call.span);
            }
            Some(_) => return shell.run(args, call.stdin.clone(), call.span),
        }
    }
    let line =
        Line::read(args, "--env --database --path --class --seeder --step --execute --connection --queue --tries");
    let Some(task) = line.words.first() else { return call.output() };
    if line.asks_for_help() || line.has(&["--pretend"]) || line.has(&["--show"]) {
        return call.output();
    }
    match task.known() {
        Some("tinker") => {
            return match line.value(&["--execute"]) {
                Some(text) => code::run(shell, Language::Php, &text),
                None => code::run_stdin(shell, Language::Php, call),
            };
        }
        Some("migrate") if line.words.iter().any(|word| word.is("migrate:status")) => {}
        Some("migrate") if line.has(&["--seed"]) => tell(shell, call, &SEED, task),
        name => match name.and_then(|name| TASKS.iter().find(|(_, names)| is_listed(names, name))) {
            Some((rule, _)) => tell(shell, call, rule, task),
            None if name.is_some_and(|name| {
                [
                    "make:",
                    "route:",
                    "cache:",
                    "config:",
                    "view:",
                    "event:",
                    "optimize",
                    "schedule:",
                    "lang:",
                    "stub:",
                    "ide-helper:",
                    "storage:",
                    "auth:",
                    "db:",
                    "queue:",
                    "migrate:",
                    "schema:",
                ]
                .iter()
                .any(|group| name.starts_with(group))
            }) => {}
            None => own_task(shell, call, task),
        },
    }
    call.output()
}

static SYMFONY: Tool = Tool {
    values: "-e --env --em --connection -c --configuration --dump-file",
    dry: &["--dry-run", "--dump-sql"],
    deeds: &[
        (
            Deed::Tell(&WIPE),
            "\
            doctrine:database:drop, doctrine:schema:drop, doctrine:fixtures:load, d:d:d, d:s:d, d:f:l, orm:schema-tool:drop, hautelook:fixtures:load, foundry:load-fixtures, \
            doctrine:mongodb:schema:drop",
        ),
        (
            Deed::Tell(&APPLY),
            "\
            doctrine:migrations:migrate, doctrine:migrations:execute, doctrine:schema:update, doctrine:schema:create, d:m:m, d:m:e, d:s:u, d:s:c, orm:schema-tool:update, orm:schema-tool:create, \
            migrations:migrate, migrations:execute, migrate, execute, dbal:schema:update",
        ),
        (
            Deed::Tell(&STATE),
            "doctrine:migrations:version, doctrine:migrations:rollup, doctrine:migrations:sync-metadata-storage, migrations:version, migrations:rollup",
        ),
        (Deed::Judge(query), "doctrine:query:sql, dbal:run-sql, doctrine:query:dql, orm:run-dql"),
        (Deed::Tell(&SECRET), "secrets:reveal, secrets:decrypt-to-local"),
        (
            Deed::Tell(&TASK),
            "messenger:failed:remove, messenger:stop-workers, cloud:deploy, deploy, project:delete, env:delete, secrets:remove, secrets:set, environment:delete",
        ),
    ],
    otherwise: Deed::Judge(symfony_own),
};

fn symfony_own(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if call.name == "console"
        && let Some(task) = line.words.first()
        && !task.known().is_some_and(|name| {
            [
                "cache:",
                "debug:",
                "lint:",
                "make:",
                "doctrine:",
                "assets:",
                "router:",
                "server:",
                "config:",
                "translation:",
            ]
            .iter()
            .any(|group| name.starts_with(group))
        })
    {
        own_task(shell, call, task);
    }
    call.output()
}

fn symfony(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, SYMFONY.values);
    match (call.name.as_str(), line.word(0)) {
        // The outer program wraps others: `symfony console …`, `symfony php …`.
        ("symfony", Some("console" | "php" | "composer" | "run")) => {
            let at = call.args.iter().position(|arg| line.words.first().is_some_and(|word| *word == arg)).unwrap_or(0);
            let skip = usize::from(line.word(0) == Some("run"));
            shell.run(call.args.get(at + skip..).unwrap_or_default(), call.stdin.clone(), call.span)
        }
        _ => {
            let database = |rule: &Rule| [&WIPE, &APPLY, &STATE].iter().any(|other| std::ptr::eq(rule, *other));
            match (SYMFONY.deed(&line), line.words.first()) {
                (Deed::Tell(rule), Some(task)) if database(rule) && is_test(shell, call) => {
                    tell(shell, call, rule, task);
                    call.output()
                }
                _ => SYMFONY.judge_line(shell, call, &line),
            }
        }
    }
}

/// What `mix` does to databases, and the code that it runs.
pub fn mix(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static TOOL: Tool = Tool {
        values: "-r --repo -n --step --to -e --eval",
        dry: &[],
        deeds: &[
            (Deed::Tell(&WIPE), "ecto.drop, ecto.reset, ecto.load, event_store.drop, ash.reset, ash.tear_down"),
            (Deed::Tell(&ROLLBACK), "ecto.rollback, ash.rollback"),
            (Deed::Tell(&APPLY), "ecto.migrate, ecto.setup, ash.migrate, ash.setup"),
            (
                Deed::Tell(&TASK),
                "hex.publish, hex.retire, hex.owner, hex.user, hex.organization, phx.deploy, edeliver, fly.deploy",
            ),
            (Deed::Judge(mix_run), "run, eval"),
        ],
        otherwise: Deed::Judge(mix_own),
    };
    let line = Line::read(&call.args, TOOL.values);
    if is_test(shell, call) && line.word(0).is_some_and(|task| task.starts_with("ecto.")) {
        if let Some(task) = line.words.first() {
            tell(shell, call, &TEST_DATABASE, task);
        }
        return call.output();
    }
    // `mix do` hands its tasks on with the commas that separate them.
    if line.words.iter().any(|word| word.shown().ends_with(',')) {
        for word in &line.words {
            let task = Arg::text(word.shown().trim_end_matches(','), word.span);
            TOOL.judge_line(shell, call, &Line::of_words(&[&task]));
        }
        return call.output();
    }
    TOOL.judge_line(shell, call, &line)
}

fn mix_run(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let text = line
        .value(&["-e", "--eval"])
        .or_else(|| if line.word(0) == Some("eval") { line.words.get(1).map(|word| (*word).clone()) } else { None });
    match text {
        Some(text) => code::run(shell, Language::Other, &text),
        None if line.words.last().is_some_and(|file| file.shown().contains("seeds")) => {
            Deed::Tell(&SEED).done(shell, call, line)
        }
        None => call.output(),
    }
}

fn mix_own(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let builtin = line.word(0).is_some_and(|name| {
        [
            "deps", "hex", "local", "phx", "ecto", "compile", "test", "format", "do", "new", "clean", "help",
            "archive", "docs", "profile", "xref", "release", "assets", "gettext",
        ]
        .iter()
        .any(|group| name.split('.').next() == Some(group))
    });
    match line.words.first() {
        Some(task) if !builtin => own_task(shell, call, task),
        _ => {}
    }
    // `mix do a, b + c` runs several tasks.
    if line.word(0) == Some("do") {
        for word in line.words_from(1) {
            let task = Arg::text(word.shown().trim_end_matches(','), word.span);
            if !task.is("+") {
                shell.run(&[Arg::text("mix", call.span), task], Feed::none(), call.span);
            }
        }
    }
    call.output()
}

fn flask(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "-A --app -e --env-file -h --host -p --port -d --directory");
    if line.word(0) == Some("db") {
        let at = call.args.iter().position(|arg| arg.is("db")).map_or(0, |at| at + 1);
        let mut argv = vec![Arg::text("alembic", call.program.span)];
        argv.extend(call.args.get(at..).unwrap_or_default().iter().cloned());
        return shell.run(&argv, call.stdin.clone(), call.span);
    }
    match line.words.first() {
        Some(task) if task.is("shell") => return code::run_stdin(shell, Language::Python, call),
        Some(task) if !matches!(task.known(), Some("run" | "routes" | "init")) => own_task(shell, call, task),
        _ => {}
    }
    call.output()
}
