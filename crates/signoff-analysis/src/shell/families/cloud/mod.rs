//! Clouds: what their command lines read, change, delete and reveal.

mod aws;
mod azure;
mod buckets;
mod google;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Shell,
        subcommands::{Deed, Line, Tool, Verb, verb},
    },
    value::{Arg, Feed},
};

rules! {
    DELETE_WHOLE = Rule::new("cloud-delete-whole", EffectKind::NetworkWrite, Risk::Critical, "deletes a store, a database, an account or a whole group of resources in the cloud: {}", "删除云上的存储、数据库、账号或整组资源：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["aws s3 rb s3://prod-uploads --force", "aws iam delete-user --user-name deploy", "gcloud projects delete shop", "az group delete -n prod --yes"], &["aws s3 ls", "gcloud projects list", "aws ec2 delete-tags --resources i-1"]);
    DELETE = Rule::new("cloud-delete", EffectKind::NetworkWrite, Risk::High, "deletes in the cloud: {}", "删除云上资源：{}")
        .reversible(Reversible::No)
        .examples(&["aws ec2 terminate-instances --instance-ids i-1", "gcloud compute instances delete web"], &["aws ec2 describe-instances", "gcloud compute instances list --filter=status=TERMINATED"]);
    ACCESS = Rule::new("cloud-access", EffectKind::Privilege, Risk::High, "changes who may reach or use cloud resources: {}", "更改谁能访问或使用云资源：{}")
        .priority(Priority::P0)
        .examples(&["aws ec2 authorize-security-group-ingress --group-id sg-1 --protocol tcp --port 22 --cidr 0.0.0.0/0", "aws iam attach-user-policy --user-name a --policy-arn b", "gcloud projects add-iam-policy-binding shop --member=allUsers --role=roles/viewer"], &["aws iam list-users", "gcloud projects get-iam-policy shop"]);
    CHANGE = Rule::new("cloud-change", EffectKind::NetworkWrite, Risk::High, "changes cloud resources: {}", "更改云资源：{}")
        .examples(&["aws ec2 stop-instances --instance-ids i-1", "az lock create --name a --lock-type ReadOnly", "doctl compute droplet create web", "gcloud run deploy api"], &["az vm list -o table", "aws iam simulate-principal-policy --policy-source-arn a", "aws ec2 run-instances --dry-run"]);
    RUN = Rule::new("cloud-run", EffectKind::NetworkWrite, Risk::High, "runs something on a cloud machine: {}", "在云主机上运行内容：{}")
        .examples(&["aws ssm send-command --instance-ids i-1 --document-name AWS-RunShellScript", "aws lambda invoke --function-name f out.json", "gcloud compute ssh web"], &["aws lambda list-functions"]);
    SECRET = Rule::new("cloud-secret", EffectKind::SecretRead, Risk::High, "prints a secret or a token of the cloud: {}", "输出云端机密或令牌：{}")
        .examples(&["aws secretsmanager get-secret-value --secret-id db", "gcloud auth print-access-token", "az keyvault secret show --vault-name v --name n", "aws ssm get-parameter --name a --with-decryption"], &["aws secretsmanager list-secrets", "aws ssm get-parameter --name a", "aws sts get-caller-identity"]);
    UPLOAD = Rule::new("cloud-upload", EffectKind::NetworkWrite, Risk::High, "sends files to the cloud: {}", "向云端上传文件：{}")
        .reversible(Reversible::No)
        .examples(&["aws s3 cp report.csv s3://bucket/", "gsutil cp a.txt gs://bucket/", "aws s3 sync dist/ s3://site --delete"], &["aws s3 cp s3://bucket/a.txt .", "aws s3 sync dist/ s3://site --dryrun"]);
    LOGIN = Rule::new("cloud-login", EffectKind::System, Risk::Medium, "changes the cloud log-ins of this account: {}", "更改本账号的云登录状态：{}")
        .reversible(Reversible::Unknown)
        .examples(&["aws configure set aws_access_key_id x", "az login", "gcloud auth login"], &["aws configure list", "az account show"]);
    SWITCH = Rule::new("cloud-switch", EffectKind::System, Risk::Low, "makes later commands go to another project or account: {}", "让之后的命令作用于另一个项目或账号：{}")
        .reversible(Reversible::Yes).priority(Priority::P2)
        .examples(&["gcloud config set project dev", "az account set --subscription dev"], &["gcloud config list"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "aws" | "aws2" | "awslocal" => aws::aws,
        "aws-vault" | "aws-google-auth" | "saml2aws" | "aws-sso" | "granted" | "assume" => aws::sessions,
        "gcloud" => google::gcloud,
        "gsutil" => google::gsutil,
        "bq" => google::bq,
        "az" => azure::az,
        "s3cmd" | "s4cmd" | "s5cmd" | "mc" | "mcli" | "azcopy" | "b2" | "s3" | "gdrive" | "ossutil" | "coscmd" => {
            buckets::tool
        }
        "doctl" | "linode-cli" | "linode" | "hcloud" | "ibmcloud" | "bx" | "oci" | "aliyun" | "tccli" | "scw"
        | "exo" | "vultr-cli" | "openstack" | "nova" | "glance" | "neutron" | "cinder" | "swift-client" | "yc"
        | "cf" | "civo" | "upctl" | "ovhcloud" | "flarectl" | "cli4" | "cli53" | "gnmic" | "eb" | "nutanix"
        | "govc" | "tgcloud" | "balena" | "particle" | "huaweicloud" | "hcloud-cli" | "volcengine" | "ucloud"
        | "qingcloud" | "gcpdiag" | "prowler" | "awslogs" | "steampipe" | "cloudquery" | "elasticbeanstalk"
        | "sqsc" | "chainctl" | "temporal" | "astro" | "dbt-cloud" | "databricks" | "confluent" | "ccloud" | "dapr"
        | "rosa" | "ocm" | "lightsail" => generic,
        _ => return None,
    })
}

/// Things whose deletion takes a store of data, an account or many resources at once.
const WHOLE: &[&str] = &[
    "bucket",
    "buckets",
    "user",
    "users",
    "database",
    "databases",
    "db",
    "table",
    "tables",
    "stack",
    "cluster",
    "clusters",
    "project",
    "projects",
    "group",
    "organization",
    "account",
    "subscription",
    "vpc",
    "file",
    "hosted",
    "zone",
    "domain",
    "domains",
    "volume",
    "volumes",
    "disk",
    "disks",
    "snapshot",
    "snapshots",
    "vault",
    "keyspace",
    "namespace",
    "server",
    "sql",
    "rds",
    "instances-all",
    "tenant",
    "resource-group",
    "storage",
    "pool",
    "key",
    "keyvault",
    "backup",
    "dataset",
    "kubernetes",
    "space",
    "app",
    "apps",
];

/// Whether a noun in the plural stands for things that are not shown to everybody.
fn names_secrets(noun: &str) -> bool {
    ["key", "secret", "token", "credential", "password", "cert"].iter().any(|secret| noun.contains(secret))
}

/// The rule for a deletion, by what is deleted.
fn deletion(words: &[&str]) -> &'static Rule {
    let whole = words.iter().any(|word| {
        let mut parts = word.split(['-', '_', ':']);
        let object = match verb(word) {
            Some(Verb::Destroys) => parts.nth(1),
            _ => parts.next(),
        };
        object.is_some_and(|object| WHOLE.contains(&object))
            && !word.ends_with("tags")
            && !word.ends_with("policy")
            && !word.ends_with("-key-pair")
    });
    if whole { &DELETE_WHOLE } else { &DELETE }
}

/// Tells what the verbs of a cloud's command line say.
fn by_verb(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    // Cloud Foundry says the verb first: `cf create-service plan`.
    let said = if call.name == "cf" { line.word(0).and_then(verb) } else { line.verb() };
    let rule = match said {
        Some(Verb::Reads | Verb::Mentions) => return call.output(),
        Some(Verb::Destroys) => {
            let words: Vec<&str> = line.words.iter().take(3).filter_map(|word| word.known()).collect();
            deletion(&words)
        }
        Some(Verb::Changes) | None => &CHANGE,
    };
    Deed::Tell(rule).done(shell, call, line)
}

static GENERIC: Tool = Tool {
    values: "\
        --project -p --region -r --zone --profile -c --config --context -o --output --format -t \
        --access-token --token -n --name --os-cloud --compartment-id --org --endpoint -s --space --text \
        --query -a --address --account -g --resource-group --fleet --application --device",
    dry: &["--dry-run", "--dryrun"],
    deeds: &[
        (Deed::Tell(&LOGIN), "login, logout, auth, auth init, auth login, configure, config, context create, init"),
        (
            Deed::Harmless,
            "\
            auth list, config list, config get, config info, context list, context active, context, marketplace, \
            printenv, local, quota, iam token, server start-dev",
        ),
        (
            Deed::Reveal(&SECRET),
            "\
            iam oauth-tokens, kubernetes cluster kubeconfig show, databases connection, databases user get, \
            oauth-token, service-key, credentials, iam create-token, token issue",
        ),
        (Deed::Tell(&SWITCH), "auth switch, context use, config set, config profile activate, target"),
    ],
    otherwise: Deed::Judge(by_verb),
};

/// Cloud Foundry says nouns for looking: `cf apps`.
static CLOUD_FOUNDRY: Tool = Tool {
    values: GENERIC.values,
    dry: &[],
    deeds: &[
        (
            Deed::Harmless,
            "\
            apps, app, a, services, service, s, routes, orgs, spaces, domains, logs, events, env, e, \
            buildpacks, stacks, marketplace, m, org, space, quotas, plugins, target, t, help, security-groups, \
            isolation-segments, service-keys, api",
        ),
        (Deed::Tell(&LOGIN), "login, l, logout, lo, auth, install-plugin"),
        (Deed::Reveal(&SECRET), "oauth-token, service-key, ssh-code"),
    ],
    otherwise: Deed::Judge(by_verb),
};

/// Clouds whose subcommands are groups and a verb, without a table of their own.
pub fn generic(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, GENERIC.values);
    if line.words.is_empty() {
        return call.output();
    }
    if matches!(call.name.as_str(), "prowler" | "gcpdiag" | "awslogs" | "steampipe" | "cloudquery") {
        return call.output();
    }
    // A noun in the plural says what is looked at: `balena devices`, and for IBM behind others, `ibmcloud ks clusters`.
    let plural = |word: &&Arg| {
        word.known().is_some_and(|word| word.ends_with('s') && verb(word).is_none() && !names_secrets(word))
    };
    let alone = line.words.len() == 1 || matches!(call.name.as_str(), "ibmcloud" | "bx");
    if alone && line.verb().is_none() && line.words.last().is_some_and(plural) {
        return call.output();
    }
    // VMware puts a dot between the thing and the verb: `govc vm.info`.
    let dotted = line.word(0).filter(|_| call.name == "govc").and_then(|word| word.rsplit_once('.'));
    if dotted.and_then(|(_, said)| verb(said)) == Some(Verb::Reads) {
        return call.output();
    }
    if call.name == "cf" {
        CLOUD_FOUNDRY.judge_line(shell, call, &line)
    } else {
        GENERIC.judge_line(shell, call, &line)
    }
}

#[cfg(test)]
mod tests;
