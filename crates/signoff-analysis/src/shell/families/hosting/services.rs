//! Publishers, tunnels, web sites and other services behind an account.

use super::{CHANGE, DELETE, DEPLOY, EXPOSE, LOGIN, REPORT, SECRET, SITE, WIPE};
use crate::{
    shell::{
        Call, Language, Shell,
        families::migrations,
        subcommands::{ByVerb, Deed, Line, Tool},
    },
    sql,
    value::Feed,
    words::is_listed,
};

static VERBS: ByVerb = ByVerb { destroys: Deed::Tell(&DELETE), changes: Deed::Tell(&CHANGE), unclear: Deed::Harmless };

pub(super) static PUBLISHERS: Tool = Tool {
    values: "-d --dist -b --branch -p --project -m --message --domain -r --repo",
    dry: &["--dry-run", "-n"],
    deeds: &[
        (Deed::Harmless, "list, whoami, help"),
        (Deed::Tell(&LOGIN), "login, logout, token"),
        (Deed::Tell(&DELETE), "teardown"),
        (Deed::Harmless, "install, console, doctor"),
    ],
    otherwise: Deed::Tell(&DEPLOY),
};

pub(super) static TUNNELS: Tool = Tool {
    values: "--config --log --region --authtoken --name --origincert --loglevel",
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "\
            tunnel list, tunnel info, config check, version, diagnose, status, tunnel ingress validate, \
            overview, list, help",
        ),
        (
            Deed::Tell(&LOGIN),
            "\
            tunnel login, login, config, authtoken, config add-authtoken, enable, disable, access login, \
            service, update, user, credits",
        ),
        (
            Deed::Tell(&CHANGE),
            "tunnel create, tunnel delete, tunnel route, tunnel cleanup, api, release, delete, reserve",
        ),
        (Deed::Harmless, "proxy-dns, access"),
    ],
    otherwise: Deed::Tell(&EXPOSE),
};

pub(super) static EXPO: Tool = Tool {
    values: "--platform -p --profile -e --message -m --branch --channel --port --id --environment",
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "\
            start, run:ios, run:android, run, install, doctor, whoami, config, prebuild, customize, export, \
            lint, login:whoami, diagnostics, build:list, build:view, update:list, update:view, channel:list, \
            channel:view, branch:list, branch:view, device:list, env:list, project:info, init, build:inspect, \
            build:run, build:download, open, add, upgrade, fingerprint:compare, analytics, help, metadata:lint, \
            config:view",
        ),
        (Deed::Tell(&LOGIN), "login, logout, register, build:configure, update:configure, init, credentials"),
        (Deed::Reveal(&SECRET), "env:get, env:pull, env:exec"),
        (
            Deed::Tell(&DELETE),
            "\
            branch:delete, channel:delete, build:delete, update:delete, env:delete, device:delete, \
            project:delete",
        ),
    ],
    otherwise: Deed::Tell(&DEPLOY),
};

pub(super) static SITES: Tool = Tool {
    values: "--path --url --ssh --http --user --require --exec -r --root -l --uri --fields --format",
    dry: &["--dry-run", "--simulate", "-s"],
    deeds: &[
        (Deed::Judge(php), "eval, php:eval, ev, php-eval"),
        (Deed::Judge(site_sql), "db query, sql:query, sqlq, sql-query"),
        (
            Deed::Harmless,
            "\
            cache, cr, cc, cache:rebuild, cache-rebuild, cache:flush, cache:clean, cache:clear, cache:status, \
            cli, info, status, st, core version, core check-update, core verify-checksums, core download, \
            core is-installed, config create, config path, config has, plugin list, plugin status, plugin get, \
            plugin path, plugin search, theme list, theme status, theme get, user list, post list, post get, \
            option list, db export, db tables, db size, db check, db prefix, db columns, db search, \
            cron event list, rewrite list, server, scaffold, i18n, export, help, watchdog:show, ws, wd-show, \
            pm:list, pml, config:export, cex, config:get, cget, config-export, config:status, cst, sql:dump, \
            sql-dump, sql:conf, updatedb:status, updbst, user:information, uinf, site:list, env:info, env:list, \
            self:info, setup:di:compile, setup:static-content:deploy, indexer:status, indexer:reindex, \
            deploy:mode:show, module:status, setup:db:status, dev, sys:info, ls, check, log, doctor, version, \
            maintenance:status, app:list, user:list, config:list, locale:list, route, core:requirements, rq, \
            transient, generate, gen, profile, package list, redis, cap list, role list, menu list, site list, \
            comment list, term list, media regenerate, update",
        ),
        (Deed::Reveal(&SECRET), "config list, user session list, user:login, uli, user-login, connection:info"),
        (Deed::Judge(setting), "config get, option get"),
    ],
    otherwise: Deed::Tell(&SITE),
};

fn php(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match line.words.get(1) {
        Some(code) => migrations::code::run(shell, Language::Php, code),
        None => Deed::Tell(&SITE).done(shell, call, line),
    }
}

/// One setting is shown: by its name it is a secret or none.
fn setting(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    const PLAIN: &str = "siteurl home blogname blogdescription admin_email timezone_string date_format time_format permalink_structure \
        stylesheet template active_plugins db_version current_theme show_on_front page_on_front posts_per_page blog_public \
        WPLANG table_prefix DB_NAME DB_HOST DB_USER DB_CHARSET WP_DEBUG WP_HOME WP_SITEURL version installed core.extension";
    let secret = line.words.get(2).is_none_or(|name| name.known().is_none_or(|name| !is_listed(PLAIN, name)));
    if secret { Deed::Reveal(&SECRET).done(shell, call, line) } else { call.output() }
}

fn site_sql(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let text = line.words.last().filter(|_| line.words.len() > if line.word(0) == Some("db") { 2 } else { 1 });
    match (text, &call.stdin.text) {
        (Some(text), _) => sql::verdict_of_text(shell, &text.value, sql::Dialect::MySql, text.span),
        (None, Some(text)) => sql::verdict_of_text(shell, text, sql::Dialect::MySql, call.span),
        (None, None) => return Deed::Tell(&SITE).done(shell, call, line),
    }
    call.output()
}

/// Programs whose purpose is to send a report of a test, a measurement or a build to a service.
pub(super) static REPORTS: Tool = Tool {
    values: "\
        -f --file --files -F --flag --flags -t --token -r --slug -R --root -n --name -p --project --project-token -c \
        --config -o --org -l --language -s --service --build-dir -b --base-url",
    dry: &["--dry-run", "--dryrun", "-d", "--dry", "--output-only", "--output"],
    deeds: &[
        (
            Deed::Harmless,
            "\
            help, version, init, healthcheck, collect, assert, open, wizard, before-build, format-coverage, \
            sum-coverage, config, config validate, check, fmt, metrics, smells, plugins, test, list-targets, \
            ping, doctor, local, update, login status",
        ),
        (Deed::Tell(&LOGIN), "login, logout, auth"),
    ],
    otherwise: Deed::Tell(&REPORT),
};

pub(super) static SERVICES: Tool = Tool {
    values: "\
        -p --project -o --org --org-slug --token --api-key --auth-token -e --env --environment -f --format \
        --output --config --branch --database --role-name --app -a -s --store --dataset --space-id \
        --environment-id -d --data",
    dry: &["--dry-run", "--dryrun"],
    deeds: &[
        (Deed::Judge(service_sql), "db shell, shell"),
        (
            Deed::Reveal(&SECRET),
            "\
            connection-string, cs, db tokens create, group tokens create, auth token, auth api-tokens mint, \
            password create, env get, secrets, config:show, api-key, apikeys list",
        ),
        (
            Deed::Tell(&WIPE),
            "\
            db destroy, database delete, db delete, databases delete, branches delete, branch delete, \
            projects delete, dataset delete, postgres:destroy, mysql:destroy, redis:destroy, postgres:unlink, \
            import",
        ),
        (
            Deed::Harmless,
            "\
            dev, build, codegen, typecheck, listen, logs tail, samples, docs, init, theme dev, theme check, \
            app dev, app build, theme pull, hydrogen dev, hydrogen build, logs, whoami, login:list, scan-cache, \
            repo-files, datasets list, competitions list, kernels list, datasets download, \
            competitions download, config validate, config process, local execute, status, start, manage, \
            dataset list, dataset export, documents get, documents query, schema extract, typegen, version, \
            env, mock, add, pull, db list, org list, plan, db inspect, trigger, fixtures, apps:list, \
            apps:report, ps:report, config:keys, download, orgs list, projects list, function-spec, models, \
            versions, info, doctor, schema, cache, project:list, environment:list, mcp, lint, sandbox",
        ),
        (
            Deed::Tell(&LOGIN),
            "login, logout, auth, auth login, auth logout, configure, link, profiles:use, config set, setup",
        ),
        (
            Deed::Tell(&DEPLOY),
            "\
            deploy, publish, push, upload, promote, release, releases, sourcemaps, upload-dif, theme push, \
            theme publish, app deploy, hydrogen deploy, app release, deploy-request, preview, up, \
            datasets create, datasets version, kernels push, competitions submit, serve, ship, post, \
            git:from-image, git:sync, upload-proguard",
        ),
        (Deed::Harmless, "releases list, theme preview, releases info"),
    ],
    otherwise: Deed::ByVerb(&VERBS),
};

/// `turso db shell app "SQL"`, `pscale shell`.
fn service_sql(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let at = if line.word(0) == Some("db") { 3 } else { 2 };
    match (line.words.get(at), &call.stdin.text) {
        (Some(text), _) => sql::verdict_of_text(shell, &text.value, sql::Dialect::Any, text.span),
        (None, Some(text)) => sql::verdict_of_text(shell, text, sql::Dialect::Any, call.span),
        (None, None) if call.stdin.is_none() => {}
        (None, None) => return Deed::Tell(&CHANGE).done(shell, call, line),
    }
    call.output()
}
