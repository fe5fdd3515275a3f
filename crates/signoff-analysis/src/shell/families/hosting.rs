//! Hosting platforms and services behind an account: deploys, their data, their settings.

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Language, Locus, Shell,
        subcommands::{ByVerb, Deed, Line, Tool, Verb, verb},
    },
    sql,
    value::{Arg, Feed, Origin},
};

rules! {
    WIPE = Rule::new("hosted-wipe", EffectKind::DatabaseWrite, Risk::Critical, "empties or deletes a hosted database: {}", "清空或删除托管数据库：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["heroku pg:reset DATABASE --confirm acme", "supabase db reset --linked", "turso db destroy app"], &["heroku pg:info", "supabase db diff"]);
    DELETE = Rule::new("hosted-delete", EffectKind::NetworkWrite, Risk::Critical, "deletes a hosted project or part of it: {}", "删除托管项目或其一部分：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["vercel remove my-app --yes", "heroku apps:destroy acme", "fly apps destroy web", "netlify sites:delete x", "wrangler delete"], &["vercel ls", "heroku apps"]);
    DEPLOY = Rule::new("hosted-deploy", EffectKind::Publish, Risk::High, "deploys or publishes: {}", "部署或发布：{}")
        .examples(&["vercel --prod", "netlify deploy --prod", "firebase deploy", "wrangler deploy", "fly deploy", "surge dist"], &["vercel dev", "netlify dev", "firebase emulators:start", "wrangler dev", "wrangler deploy --dry-run"]);
    CHANGE = Rule::new("hosted-change", EffectKind::NetworkWrite, Risk::High, "changes a hosted project: {}", "更改托管项目：{}")
        .examples(&["railway variables --set DATABASE_URL=postgres://localhost/dev", "heroku config:set A=b", "vercel env add A", "wrangler secret put A"], &["railway status", "heroku ps", "wrangler whoami"]);
    SECRET = Rule::new("hosted-secret", EffectKind::SecretRead, Risk::High, "prints secrets of a hosted project: {}", "输出托管项目的机密：{}")
        .examples(&["heroku config --app acme", "heroku auth:token", "vercel env pull .env.local", "neonctl connection-string"], &["heroku logs --app acme", "vercel env ls"]);
    RUN = Rule::new("hosted-run", EffectKind::NetworkWrite, Risk::High, "runs something on a hosted machine: {}", "在托管机器上运行内容：{}")
        .examples(&["heroku run worker --app acme", "fly ssh console"], &["heroku logs -t"]);
    EXPOSE = Rule::new("expose-port", EffectKind::NetworkWrite, Risk::High, "opens a port of this machine to the internet: {}", "将本机端口暴露到互联网：{}")
        .priority(Priority::P0)
        .examples(&["ngrok http 80", "cloudflared tunnel --url http://localhost:8080", "bore local 80 --to bore.pub"], &["ngrok version", "cloudflared tunnel list"]);
    LOGIN = Rule::new("hosted-login", EffectKind::System, Risk::Medium, "changes log-ins or links of this account: {}", "更改本账号的登录或关联：{}")
        .reversible(Reversible::Yes)
        .examples(&["vercel login", "supabase link --project-ref x", "railway link x"], &["vercel whoami"]);
    LOCAL_RESET = Rule::new("local-stack-reset", EffectKind::DatabaseWrite, Risk::High, "rebuilds the local database from nothing: {}", "清空并重建本地数据库：{}")
        .reversible(Reversible::No)
        .examples(&["supabase db reset", "supabase stop --no-backup"], &["supabase start", "supabase stop"]);
    SITE = Rule::new("site-change", EffectKind::DatabaseWrite, Risk::High, "changes a web site's content, users or settings: {}", "更改网站的内容、用户或设置：{}")
        .examples(&["wp search-replace old new", "wp db reset --yes", "drush sql-drop -y", "wp plugin install x --activate"], &["wp plugin list", "drush status", "wp search-replace a b --dry-run", "drush cr"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    if name == "fly" || name == "flyctl" {
        return Some(fly);
    }
    tool(name).map(|_| judge as Judge)
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    tool(&call.name).map_or_else(Feed::none, |tool| tool.judge(shell, call))
}

fn tool(name: &str) -> Option<&'static Tool> {
    Some(match name {
        "vercel" | "vc" | "now" => &VERCEL,
        "netlify" | "ntl" => &NETLIFY,
        "heroku" => &HEROKU,
        "railway" => &RAILWAY,
        "supabase" => &SUPABASE,
        "firebase" => &FIREBASE,
        "wrangler" | "wrangler2" => &WRANGLER,
        "surge" | "gh-pages" | "cap" | "mina" | "ghp-import" | "push-dir" => &PUBLISHERS,
        "ngrok" | "cloudflared" | "localtunnel" | "lt" | "bore" | "expose" | "zrok" | "tunnelmole" | "tmole"
        | "frpc" | "serveo" | "sish" | "inlets" | "chisel" | "devtunnel" => &TUNNELS,
        "expo" | "eas" | "expo-cli" => &EXPO,
        "wp" | "drush" | "drupal" | "magento" | "n98-magerun" | "n98-magerun2" | "terminus" | "ghost" | "craft"
        | "occ" | "joomla" => &SITES,
        "render" | "dokku" | "shopify" | "convex" | "pscale" | "neonctl" | "neon" | "turso" | "sentry-cli"
        | "stripe" | "twilio" | "contentful" | "sanity" | "directus" | "amplify" | "platform" | "upsun" | "acli"
        | "deployctl" | "koyeb" | "northflank" | "zeabur" | "coolify" | "caprover" | "nhost" | "appwrite" | "xata"
        | "fauna" | "auth0" | "okta" | "algolia" | "launchdarkly" | "ldcli" | "edgio" | "fastly" | "akamai"
        | "cloudsmith" | "plesk" | "propelauth" | "resend" | "zapier" | "pipedream" | "modal" | "replicate"
        | "huggingface-cli" | "hf" | "kaggle" | "circleci" | "buildkite-agent" | "travis" | "codecov" | "coveralls"
        | "jira" | "datadog-ci" | "newrelic" | "pagerduty" | "clever" | "scalingo" | "mongocli" | "atlas-cli"
        | "upstash" | "livekit-cli" | "lk" | "inngest" | "trigger.dev" | "mintlify" | "rdme" | "chromatic"
        | "percy" | "ampx" | "partykit" | "instant-cli" | "deno-deploy" | "gandi" | "godaddy" | "namecheap" | "hut"
        | "shopify-cli" | "gitbook" => &SERVICES,
        _ => return None,
    })
}

static VERBS: ByVerb = ByVerb { destroys: Deed::Tell(&DELETE), changes: Deed::Tell(&CHANGE), unclear: Deed::Harmless };

static VERCEL: Tool = Tool {
    values: "\
        --env -e --build-env -b --token -t --scope -S --cwd -A --local-config -Q --global-config --regions \
        -n --name --meta -m --listen -l --target",
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "\
            dev, build, ls, list, inspect, logs, log, whoami, init, env ls, env list, domains ls, \
            domains inspect, dns ls, certs ls, alias ls, projects ls, project ls, secrets ls, teams ls, help, \
            switch, bisect, env run, telemetry, httpstat, curl, cache, integration list, target list, \
            blob list, webhooks list",
        ),
        (Deed::Reveal(&SECRET), "env pull, pull"),
        (
            Deed::Tell(&DELETE),
            "\
            remove, rm, projects rm, project rm, project remove, domains rm, dns rm, teams rm, blob del, \
            blob store remove",
        ),
        (
            Deed::Tell(&CHANGE),
            "\
            env, domains, dns, certs, alias, secrets, project, projects, teams, rollback, promote, redeploy, \
            git, integration, blob, rolling-release, target, buy",
        ),
        (Deed::Tell(&LOGIN), "login, logout, link, telemetry disable"),
    ],
    // A bare call, or one with a path, deploys.
    otherwise: Deed::Tell(&DEPLOY),
};

static NETLIFY: Tool = Tool {
    values: "--dir -d --functions -f --message -m --site -s --auth -a --alias --context --port -p --filter --data",
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "\
            dev, build, status, open, sites:list, env:list, functions:list, functions:create, functions:invoke, \
            functions:serve, functions:build, addons:list, logs, watch, api listSites, completion, recipes, \
            serve, dev:exec, blobs:list, blobs:get, integration, lm, help, switch, db status",
        ),
        (Deed::Reveal(&SECRET), "env:get"),
        (Deed::Tell(&DELETE), "sites:delete, blobs:delete, addons:delete"),
        (Deed::Tell(&LOGIN), "login, logout, link, unlink"),
        (
            Deed::Tell(&CHANGE),
            "\
            env, env:set, env:unset, env:import, env:clone, sites:create, init, api, addons:create, blobs:set, \
            db",
        ),
    ],
    otherwise: Deed::Tell(&DEPLOY),
};

static HEROKU: Tool = Tool {
    values: "-a --app -r --remote -n --num -t --type --confirm -c --command --team --region --dyno -d",
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "\
            logs, ps, apps, apps:info, info, status, releases, releases:info, addons, addons:info, \
            addons:services, addons:plans, addons:docs, buildpacks, domains, domains:info, pg:info, pg, pg:ps, \
            pg:locks, pg:outliers, pg:diagnose, pg:wait, pg:backups, pg:backups:info, pg:backups:schedules, \
            redis:info, certs, certs:info, whoami, auth:whoami, regions, stack, version, help, open, plugins, \
            access, features, labs, drains, pipelines, pipelines:info, members, orgs, teams, keys, local, \
            git:remote, ps:type, pg:bloat, pg:cache-hit, notifications, spaces, webhooks, container, \
            autocomplete, usage:addons, pg:backups:download, apps:open, run:logs, maintenance, reviewapps, ci, \
            ci:info, logs:drains, pg:settings",
        ),
        (
            Deed::Reveal(&SECRET),
            "\
            config, config:get, auth:token, pg:credentials, pg:credentials:url, pg:backups:url, \
            redis:credentials, authorizations:info, authorizations:create",
        ),
        (Deed::Judge(heroku_sql), "pg:psql, psql"),
        (Deed::Judge(heroku_run), "run, run:detached, ps:exec"),
        (
            Deed::Tell(&WIPE),
            "\
            pg:reset, pg:restore, pg:backups:restore, pg:copy, pg:push, pg:backups:delete, addons:destroy, \
            redis:cli",
        ),
        (Deed::Tell(&DELETE), "apps:destroy, destroy, apps:delete, pipelines:destroy, spaces:destroy"),
        (
            Deed::Tell(&LOGIN),
            "login, logout, auth:login, auth:logout, container:login, plugins:install, plugins:uninstall, update",
        ),
        (
            Deed::Tell(&DEPLOY),
            "container:push, container:release, releases:rollback, rollback, builds:create, pipelines:promote",
        ),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

fn heroku_sql(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match (line.value(&["-c", "--command"]), &call.stdin.text) {
        (Some(text), _) => sql::verdict_of_text(shell, &text.value, sql::Dialect::Postgres, text.span),
        (None, Some(text)) => sql::verdict_of_text(shell, text, sql::Dialect::Postgres, call.span),
        (None, None) => return Deed::Tell(&RUN).done(shell, call, line),
    }
    Feed::from(Origin::Program(call.name.clone()))
}

/// A command on a hosted machine: judged like any remote command, and never harmless by being unknown.
fn heroku_run(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let argv: Vec<Arg> = if line.rest.is_empty() {
        line.words_from(1).iter().map(|word| (*word).clone()).collect()
    } else {
        line.rest.to_vec()
    };
    shell.elsewhere(Locus::Remote(call.name.clone()), |shell| shell.run(&argv, Feed::none(), call.span));
    Deed::Tell(&RUN).done(shell, call, line)
}

static RAILWAY: Tool = Tool {
    values: "-s --service -e --environment -p --project -d --deployment",
    dry: &[],
    deeds: &[
        (Deed::Harmless, "status, logs, list, whoami, open, docs, completion, help"),
        (Deed::Judge(railway_variables), "variables, vars, variable"),
        (Deed::Judge(railway_run), "run, local"),
        (Deed::Tell(&LOGIN), "login, logout, link, unlink, service, environment, init, shell"),
        (Deed::Tell(&RUN), "ssh, connect"),
        (Deed::Tell(&DELETE), "down, delete, volume delete, environment delete"),
    ],
    otherwise: Deed::Tell(&DEPLOY),
};

fn railway_variables(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let changes = call.args.iter().any(|arg| arg.value.prefix().starts_with("--set"))
        || matches!(line.word(1), Some("set" | "delete"));
    Deed::done(if changes { Deed::Tell(&CHANGE) } else { Deed::Reveal(&SECRET) }, shell, call, line)
}

/// Runs a program here with the project's variables, the production database among them.
fn railway_run(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let at =
        call.args.iter().position(|arg| line.words.first().is_some_and(|word| *word == arg)).map_or(0, |at| at + 1);
    let rest = call.args.get(at..).unwrap_or_default();
    let inner = Line::leading(rest, "-s --service -e --environment -p --project");
    let argv = if inner.rest.is_empty() { line.rest } else { inner.rest };
    shell.run(argv, call.stdin.clone(), call.span)
}

static SUPABASE: Tool = Tool {
    values: "\
        --project-ref --workdir --db-url -p --password -s --schema -f --file -o --output --env-file \
        --linked-file --profile --network-id -x --exclude",
    dry: &["--dry-run"],
    deeds: &[
        (
            Deed::Harmless,
            "\
            start, status, init, gen, projects list, functions list, functions new, functions serve, \
            functions download, migration new, migration list, db diff, db dump, db pull, db lint, db start, \
            test, services, branches list, secrets list, orgs list, inspect, snippets list, domains get, help, \
            migration fetch, storage ls, bootstrap, migration squash, db advisors",
        ),
        (Deed::Judge(supabase_stop), "stop"),
        (Deed::Judge(supabase_reset), "db reset"),
        (Deed::Tell(&WIPE), "migration down"),
        (Deed::Tell(&DELETE), "projects delete, functions delete, branches delete, storage rm"),
        (Deed::Tell(&LOGIN), "login, logout, link, unlink"),
        (Deed::Tell(&DEPLOY), "functions deploy, db push, config push, deploy"),
        (Deed::Reveal(&SECRET), "projects api-keys"),
        (Deed::Judge(supabase_up), "migration up"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

fn supabase_up(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let remote = line.has(&["--linked"]) || line.has(&["--db-url"]);
    if remote { Deed::Tell(&DEPLOY).done(shell, call, line) } else { Feed::from(Origin::Program(call.name.clone())) }
}

fn supabase_stop(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    Deed::done(if line.has(&["--no-backup"]) { Deed::Tell(&LOCAL_RESET) } else { Deed::Harmless }, shell, call, line)
}

fn supabase_reset(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let remote = line.has(&["--linked"]) || line.given.iter().any(|given| given.name == "--db-url");
    Deed::Tell(if remote { &WIPE } else { &LOCAL_RESET }).done(shell, call, line)
}

static FIREBASE: Tool = Tool {
    values: "-P --project --token --only --except -m --message --config -c --account --import --port -p --host -o",
    dry: &["--dry-run"],
    deeds: &[
        (
            Deed::Harmless,
            "\
            serve, emulators:start, emulators:exec, emulators:export, projects:list, apps:list, apps:sdkconfig, \
            functions:log, functions:list, functions:config:get, hosting:sites:list, hosting:channel:list, \
            init, help, database:get, firestore:indexes, remoteconfig:get, target, login:list, open, \
            setup:emulators, functions:shell, ext, ext:info, firestore:databases:list, \
            appdistribution:testers:list, experiments:list",
        ),
        (Deed::Reveal(&SECRET), "functions:secrets:access, login:ci, auth:export"),
        (
            Deed::Tell(&WIPE),
            "\
            firestore:delete, database:remove, firestore:databases:delete, database:set, \
            firestore:databases:restore",
        ),
        (
            Deed::Tell(&DELETE),
            "functions:delete, hosting:disable, hosting:sites:delete, hosting:channel:delete, apps:delete",
        ),
        (Deed::Tell(&LOGIN), "login, logout, use, login:add, login:use"),
        (Deed::Tell(&DEPLOY), "deploy, hosting:channel:deploy, hosting:clone, appdistribution:distribute"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

static WRANGLER: Tool = Tool {
    values: "\
        -c --config -e --env --name --compatibility-date --port --ip --command --file --project-name \
        --branch --commit-hash --message --tag --var --outdir --binding --namespace-id --host --cwd",
    dry: &["--dry-run"],
    deeds: &[
        (
            Deed::Harmless,
            "\
            dev, whoami, tail, types, init, generate, build, check, docs, pages dev, pages functions build, \
            pages project list, pages deployment list, pages deployment tail, pages download, deployments list, \
            deployments status, deployments view, deployments, versions list, versions view, secret list, \
            kv namespace list, kv:namespace list, kv key list, kv key get, kv:key list, kv:key get, \
            r2 bucket list, r2 bucket info, r2 object get, d1 list, d1 info, d1 migrations list, \
            d1 migrations create, d1 export, d1 insights, d1 time-travel info, queues list, queues info, \
            vectorize list, vectorize get, vectorize query, vectorize info, hyperdrive list, hyperdrive get, \
            telemetry, setup, workflows list, workflows describe, pages secret list, ai models, preview, \
            version, startup, containers list",
        ),
        (Deed::Judge(d1), "d1 execute"),
        (Deed::Judge(d1_migrate), "d1 migrations apply"),
        (
            Deed::Tell(&WIPE),
            "\
            d1 delete, d1 time-travel restore, kv namespace delete, kv:namespace delete, r2 bucket delete, \
            kv bulk delete, kv:bulk delete, vectorize delete",
        ),
        (
            Deed::Tell(&DELETE),
            "\
            delete, pages project delete, pages deployment delete, queues delete, r2 object delete, \
            kv key delete, kv:key delete, hyperdrive delete",
        ),
        (
            Deed::Tell(&DEPLOY),
            "\
            deploy, publish, pages deploy, pages publish, versions upload, versions deploy, rollback, \
            triggers deploy, dispatch-namespace",
        ),
        (Deed::Tell(&LOGIN), "login, logout"),
    ],
    otherwise: Deed::Tell(&CHANGE),
};

/// SQL for a hosted database; the local one under `--local` is the project's own.
fn d1(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if let Some(text) = line.value(&["--command"]) {
        sql::verdict_of_text(shell, &text.value, sql::Dialect::Sqlite, text.span);
    } else if !line.has(&["--local"]) || line.has(&["--remote"]) {
        return Deed::Tell(&CHANGE).done(shell, call, line);
    }
    Feed::from(Origin::Program(call.name.clone()))
}

fn d1_migrate(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    Deed::done(if line.has(&["--remote"]) { Deed::Tell(&CHANGE) } else { Deed::Harmless }, shell, call, line)
}

static PUBLISHERS: Tool = Tool {
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

static TUNNELS: Tool = Tool {
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

static EXPO: Tool = Tool {
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

static SITES: Tool = Tool {
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
        (
            Deed::Reveal(&SECRET),
            "config get, config list, user session list, user:login, uli, user-login, option get, connection:info",
        ),
    ],
    otherwise: Deed::Tell(&SITE),
};

fn php(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match line.words.get(1) {
        Some(code) => shell.run_code(Language::Php, code, Feed::none()),
        None => Deed::Tell(&SITE).done(shell, call, line),
    }
}

fn site_sql(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let text = line.words.last().filter(|_| line.words.len() > if line.word(0) == Some("db") { 2 } else { 1 });
    match (text, &call.stdin.text) {
        (Some(text), _) => sql::verdict_of_text(shell, &text.value, sql::Dialect::MySql, text.span),
        (None, Some(text)) => sql::verdict_of_text(shell, text, sql::Dialect::MySql, call.span),
        (None, None) => return Deed::Tell(&SITE).done(shell, call, line),
    }
    Feed::from(Origin::Program(call.name.clone()))
}

static SERVICES: Tool = Tool {
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
    Feed::from(Origin::Program(call.name.clone()))
}

/// Two tools share this name: the one of Fly.io and the one of the Concourse build server.
fn fly(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static CONCOURSE: Tool = Tool {
        values: "\
        -t --target -p --pipeline -c --config -j --job -b --build -r --resource -n --team-name \
        --concourse-url -u --username",
        dry: &[],
        deeds: &[
            (
                Deed::Harmless,
                "\
            targets, get-pipeline, gp, pipelines, ps, builds, bs, jobs, js, watch, w, containers, cs, workers, \
            ws, validate-pipeline, vp, format-pipeline, fp, status, teams, ts, volumes, vs, userinfo, \
            resources, rs",
            ),
            (Deed::Tell(&LOGIN), "login, l, logout, sync"),
            (Deed::Tell(&DELETE), "destroy-pipeline, dp, destroy-team, dt, prune-worker, pw"),
            (Deed::Tell(&RUN), "execute, e, hijack, intercept, i"),
        ],
        otherwise: Deed::Tell(&CHANGE),
    };
    static FLY: Tool = Tool {
        values: "\
        -a --app -c --config -r --region -t --access-token -o --org -C --command -s --size --image -i \
        --name --stage",
        dry: &["--build-only"],
        deeds: &[
            (
                Deed::Harmless,
                "\
            status, logs, apps list, apps ls, apps open, info, checks, checks list, history, releases, \
            releases list, regions, regions list, platform, platform status, ips list, volumes list, \
            volumes show, vol list, secrets list, machine list, machines list, machine status, machine ls, \
            m list, scale show, config show, config validate, config env, config save, certs list, certs show, \
            certs check, auth whoami, orgs list, orgs show, postgres list, pg list, doctor, version, docs, \
            dashboard, services, services list, proxy, ping, dig, jobs, open, volumes snapshots list, \
            image show, mysql list, redis list, redis status, tokens list, storage list, help, settings, \
            wireguard list, agent",
            ),
            (
                Deed::Tell(&WIPE),
                "\
            volumes destroy, volumes delete, vol destroy, vol delete, postgres detach, pg detach, \
            redis destroy, storage destroy, mysql destroy, mpg destroy",
            ),
            (Deed::Tell(&DELETE), "apps destroy, destroy, machine destroy, machines destroy, m destroy, orgs delete"),
            (Deed::Judge(fly_ssh), "ssh console, console"),
            (Deed::Tell(&RUN), "ssh, postgres connect, pg connect, machine run, machine exec, mpg connect, sftp"),
            (Deed::Reveal(&SECRET), "auth token, tokens create, tokens"),
            (Deed::Tell(&LOGIN), "auth login, auth logout, auth signup, auth docker, wireguard"),
            (Deed::Tell(&DEPLOY), "deploy, launch, apps restart, restart"),
        ],
        otherwise: Deed::Tell(&CHANGE),
    };
    let line = Line::read(&call.args, CONCOURSE.values);
    let is_concourse = call.name == "fly"
        && (line.has(&["--target"])
            || line.has(&["-t"])
            || line.word(0).is_some_and(|word| {
                word.contains("-pipeline") || matches!(word, "targets" | "hijack" | "userinfo" | "sync")
            }));
    if is_concourse { CONCOURSE.judge(shell, call) } else { FLY.judge(shell, call) }
}

fn fly_ssh(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if let Some(code) = line.value(&["-C", "--command"]) {
        let risk = shell.findings.risk();
        shell.elsewhere(Locus::Remote("fly".to_owned()), |shell| {
            shell.run_text(&code, signoff_model::Dialect::Sh, Feed::none())
        });
        let harmless =
            code.known().is_some_and(|code| code.split_whitespace().next().and_then(verb) == Some(Verb::Reads));
        if shell.findings.risk() > risk || harmless {
            return Feed::from(Origin::Program(call.name.clone()));
        }
    }
    Deed::Tell(&RUN).done(shell, call, line)
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn looking_and_developing_are_allowed() {
        check(
            Verdict::Allow,
            &[
                "vercel dev",
                "vercel ls",
                "vercel --version",
                "vercel logs x",
                "netlify dev",
                "netlify status",
                "heroku logs --app acme",
                "heroku ps -a acme",
                "heroku pg:info",
                "railway status",
                "supabase start",
                "supabase status",
                "supabase --version",
                "supabase db diff",
                "supabase functions serve",
                "supabase gen types typescript --local",
                "firebase emulators:start",
                "firebase projects:list",
                "wrangler dev",
                "wrangler whoami",
                "wrangler tail",
                "wrangler types",
                "wrangler deploy --dry-run",
                "wrangler d1 execute app --local --command 'SELECT 1'",
                "fly status",
                "fly logs",
                "fly targets",
                "expo start",
                "eas whoami",
                "wp plugin list",
                "wp search-replace a b --dry-run",
                "drush cr",
                "stripe listen --print-json",
                "cloudflared tunnel list",
                "ngrok version",
                "convex dev",
                "turso db list",
                "heroku pg:psql -c 'SELECT 1'",
            ],
        );
    }

    #[test]
    fn deploys_and_changes_ask() {
        check(
            Verdict::Ask,
            &[
                "vercel",
                "vercel --prod",
                "vercel remove my-app --yes",
                "vercel env pull",
                "netlify deploy --prod",
                "heroku pg:reset DATABASE --confirm acme",
                "heroku config -a acme",
                "heroku run worker --app acme",
                "heroku apps:destroy acme",
                "railway variables --set DATABASE_URL=postgres://localhost/dev",
                "railway up",
                "supabase db reset",
                "supabase db reset --linked",
                "supabase functions deploy",
                "supabase db push",
                "firebase deploy",
                "firebase firestore:delete --all-collections",
                "wrangler deploy",
                "wrangler pages deploy dist",
                "wrangler secret put A",
                "wrangler d1 execute app --remote --command 'DROP TABLE t'",
                "wrangler delete",
                "fly deploy",
                "fly apps destroy web",
                "fly --target x destroy-pipeline --pipeline y",
                "eas submit",
                "eas build",
                "wp db reset --yes",
                "drush sql-drop -y",
                "ngrok http 80",
                "cloudflared tunnel --url http://localhost:80",
                "surge dist",
                "gh-pages -d dist",
                "pscale branch delete app main",
                "heroku pg:psql -c 'DROP TABLE t'",
                "stripe customers delete cus_1",
            ],
        );
    }
}
