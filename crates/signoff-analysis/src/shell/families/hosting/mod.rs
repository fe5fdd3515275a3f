//! Hosting platforms and services behind an account: deploys, their data, their settings.

mod platforms;
mod services;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell, subcommands::Tool},
    value::Feed,
};
use platforms::{FIREBASE, HEROKU, NETLIFY, RAILWAY, SUPABASE, VERCEL, WRANGLER};
use services::{EXPO, PUBLISHERS, REPORTS, SERVICES, SITES, TUNNELS};

rules! {
    WIPE = Rule::new("hosted-wipe", EffectKind::DatabaseWrite, Risk::Critical, "empties or deletes a hosted database: {}", "清空或删除托管数据库：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["heroku pg:reset DATABASE --confirm acme", "supabase db reset --linked", "turso db destroy app"], &["heroku pg:info", "supabase db diff"]);
    DELETE = Rule::new("hosted-delete", EffectKind::NetworkWrite, Risk::Critical, "deletes a hosted project or part of it: {}", "删除托管项目或其一部分：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["vercel remove my-app --yes", "heroku apps:destroy acme", "fly apps destroy web", "netlify sites:delete x", "wrangler delete"], &["vercel ls", "heroku apps"]);
    DEPLOY = Rule::new("hosted-deploy", EffectKind::Publish, Risk::High, "deploys or publishes: {}", "部署或发布：{}")
        .examples(&["vercel --prod", "netlify deploy --prod", "firebase deploy", "wrangler deploy", "fly deploy", "surge dist"], &["vercel dev", "netlify dev", "firebase emulators:start", "wrangler dev", "wrangler deploy --dry-run"]);
    REPORT = Rule::new("send-report", EffectKind::Publish, Risk::Medium, "sends a report to an outside service: {}", "向外部服务发送报告：{}")
        .examples(&["codecov -f coverage.xml", "npx codecov --file lcov.info", "sonar-scanner", "chromatic --project-token x"], &["codecov --help", "codecov --dry-run", "lhci collect"]);
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
        return Some(platforms::fly);
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
        "surge" | "gh-pages" | "ghp-import" | "push-dir" => &PUBLISHERS,
        "ngrok" | "cloudflared" | "localtunnel" | "lt" | "bore" | "expose" | "zrok" | "tunnelmole" | "tmole"
        | "frpc" | "serveo" | "sish" | "inlets" | "chisel" | "devtunnel" => &TUNNELS,
        "expo" | "eas" => &EXPO,
        "wp" | "drush" | "drupal" | "magento" | "n98-magerun" | "n98-magerun2" | "terminus" | "ghost" | "craft"
        | "occ" | "joomla" => &SITES,
        "render" | "dokku" | "shopify" | "convex" | "pscale" | "neonctl" | "neon" | "turso" | "sentry-cli"
        | "stripe" | "twilio" | "contentful" | "sanity" | "directus" | "amplify" | "platform" | "upsun"
        | "deployctl" | "koyeb" | "northflank" | "zeabur" | "coolify" | "caprover" | "nhost" | "appwrite" | "xata"
        | "fauna" | "auth0" | "okta" | "algolia" | "launchdarkly" | "ldcli" | "edgio" | "fastly" | "akamai"
        | "cloudsmith" | "plesk" | "propelauth" | "resend" | "zapier" | "pipedream" | "modal" | "replicate"
        | "huggingface-cli" | "hf" | "kaggle" | "circleci" | "buildkite-agent" | "travis" | "datadog-ci"
        | "newrelic" | "pagerduty" | "clever" | "scalingo" | "mongocli" | "atlas-cli" | "upstash" | "livekit-cli"
        | "lk" | "inngest" | "trigger.dev" | "mintlify" | "rdme" | "ampx" | "partykit" | "instant-cli"
        | "deno-deploy" | "gandi" | "godaddy" | "namecheap" | "hut" | "shopify-cli" | "gitbook" => &SERVICES,
        "codecov"
        | "codecovcli"
        | "codecov-cli"
        | "codecov.sh"
        | "coveralls"
        | "coveralls-lcov"
        | "goveralls"
        | "coveralls-python"
        | "codacy"
        | "codacy-coverage"
        | "codacy-coverage-reporter"
        | "sonar-scanner"
        | "sonarqube-scanner"
        | "sonar"
        | "sonar-scanner-cli"
        | "dotnet-sonarscanner"
        | "pysonar"
        | "pysonar-scanner"
        | "bundlewatch"
        | "chromatic"
        | "storybook-chromatic"
        | "percy"
        | "percy-cli"
        | "percy-storybook"
        | "argos"
        | "happo"
        | "happo-e2e"
        | "eyes-storybook"
        | "cc-test-reporter"
        | "codeclimate-test-reporter"
        | "test-reporter"
        | "qlty"
        | "deepsource"
        | "lhci"
        | "bugsnag-cli"
        | "bugsnag-source-maps"
        | "bugsnag-sourcemaps"
        | "rollbar-cli"
        | "launchable"
        | "trunk-analytics-cli"
        | "buildpulse-test-reporter"
        | "relative-ci-agent"
        | "fossa"
        | "codspeed"
        | "bencher"
        | "lostpixel"
        | "lost-pixel"
        | "backtrace-js"
        | "raygun-cli"
        | "testspace"
        | "testmo"
        | "octomind" => &REPORTS,
        _ => return None,
    })
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
