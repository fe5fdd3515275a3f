//! Platforms that host whole projects.

use super::{CHANGE, DELETE, DEPLOY, LOCAL_RESET, LOGIN, RUN, SECRET, WIPE};
use crate::{
    shell::{
        Call, Locus, Shell,
        subcommands::{Deed, Line, Tool, Verb, verb},
    },
    sql,
    value::{Arg, Feed},
};

pub(super) static VERCEL: Tool = Tool {
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

pub(super) static NETLIFY: Tool = Tool {
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

pub(super) static HEROKU: Tool = Tool {
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
    call.output()
}

/// A command on a hosted machine: judged like any remote command, and never harmless by being unknown.
fn heroku_run(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let argv: Vec<Arg> = if line.rest.is_empty() {
        line.words_from(1).iter().map(|word| (*word).clone()).collect()
    } else {
        line.rest.to_vec()
    };
    shell.elsewhere(Locus::Remote(call.name.to_string()), |shell| shell.run(&argv, Feed::none(), call.span));
    Deed::Tell(&RUN).done(shell, call, line)
}

pub(super) static RAILWAY: Tool = Tool {
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

pub(super) static SUPABASE: Tool = Tool {
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
    if remote { Deed::Tell(&DEPLOY).done(shell, call, line) } else { call.output() }
}

fn supabase_stop(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    Deed::done(if line.has(&["--no-backup"]) { Deed::Tell(&LOCAL_RESET) } else { Deed::Harmless }, shell, call, line)
}

fn supabase_reset(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let remote = line.has(&["--linked"]) || line.given.iter().any(|given| given.name == "--db-url");
    Deed::Tell(if remote { &WIPE } else { &LOCAL_RESET }).done(shell, call, line)
}

pub(super) static FIREBASE: Tool = Tool {
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

pub(super) static WRANGLER: Tool = Tool {
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
    call.output()
}

fn d1_migrate(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    Deed::done(if line.has(&["--remote"]) { Deed::Tell(&CHANGE) } else { Deed::Harmless }, shell, call, line)
}

/// Two tools share this name: the one of Fly.io and the one of the Concourse build server.
pub(super) fn fly(shell: &mut Shell<'_>, call: &Call) -> Feed {
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
            return call.output();
        }
    }
    Deed::Tell(&RUN).done(shell, call, line)
}
