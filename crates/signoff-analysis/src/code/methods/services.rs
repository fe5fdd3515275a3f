//! Methods that reach a service on another machine.

use crate::words::is_listed;

/// Whether the chain of names is a client of HTTP.
pub(super) fn is_client(of: &str) -> bool {
    let first = of.split('.').next().unwrap_or(of);
    matches!(
        first,
        "requests"
            | "httpx"
            | "axios"
            | "aiohttp"
            | "session"
            | "client"
            | "http"
            | "LWP"
            | "Net"
            | "HTTP"
            | "$ua"
            | "Faraday"
            | "RestClient"
            | "urllib3"
            | "superagent"
            | "got"
            | "$http"
    ) && (of.contains("Session")
        || of.contains("Client")
        || of.contains("UserAgent")
        || of.contains("Tiny")
        || of.starts_with("Net.HTTP")
        || matches!(first, "axios" | "session" | "$ua" | "superagent" | "got" | "http" | "urllib3"))
}

/// Whether a call changes something at a service that is reached through this library.
pub(super) fn changes_service(of: &str, name: &str) -> bool {
    let library = of.split(['.', '/']).find(|part| !part.is_empty()).unwrap_or(of).trim_start_matches('@');
    // `begin_delete`, `beginDeleteAndWait`: what takes long is begun.
    let verb = ["batch_", "bulk_", "batch", "begin_", "begin"]
        .iter()
        .fold(name, |name, way| name.strip_prefix(way).filter(|rest| !rest.is_empty()).unwrap_or(name));
    let lower = verb.to_ascii_lowercase();
    // `chat_delete`, `conversations_archive`: the thing stands in front of the verb.
    let last = crate::lexicon::words(name).pop().unwrap_or_default();
    let behind = DESTROYS.contains(&last.as_str()) || is_listed("archive kick revoke rename", &last);
    // Whatever is changed there is changed for others.
    let shared = matches!(
        library,
        "boto3"
            | "aws-sdk"
            | "aws_sdk"
            | "botocore"
            | "aioboto3"
            | "google"
            | "google-cloud"
            | "googleapiclient"
            | "azure"
            | "stripe"
            | "github"
            | "gitlab"
            | "octokit"
            | "Octokit"
            | "slack_sdk"
            | "twilio"
            | "sendgrid"
            | "shopify"
            | "firebase_admin"
            | "firebase-admin"
            | "cloudflare"
            | "CloudFlare"
            | "digitalocean"
            | "hvac"
            | "oci"
            | "heroku3"
            | "jira"
            | "kubernetes"
            | "openstack"
            | "linode_api4"
            | "hcloud"
            | "scaleway"
            | "vultr"
            | "fly"
            | "pulumi_service"
            | "zoomus"
            | "mailchimp_marketing"
            | "discord"
            | "tweepy"
            | "telegram"
            | "dockerode"
    );
    // What is created there is everyday work; what is deleted is gone.
    let kept = matches!(
        library,
        "mlflow"
            | "wandb"
            | "huggingface_hub"
            | "docker"
            | "pinecone"
            | "qdrant_client"
            | "weaviate"
            | "chromadb"
            | "elasticsearch"
            | "opensearchpy"
            | "pulsar"
            | "kafka"
            | "confluent_kafka"
            | "pika"
            | "nats"
            | "minio"
            | "hdfs"
            | "pyarrow"
            | "snowflake"
            | "influxdb_client"
            | "consul"
            | "etcd3"
            | "openai"
            | "anthropic"
            | "prefect"
            | "airflow"
            | "clearml"
            | "neptune"
            | "supabase"
            | "notion_client"
            | "pyairtable"
            | "meilisearch"
            | "typesense"
            | "algoliasearch"
            | "ldap3"
            | "kazoo"
    );
    shared && (changes_cloud(&lower) || behind) || kept && DESTROYS.iter().any(|destroys| lower.starts_with(destroys))
}

/// Whether a call throws away the work that waits in a queue.
pub(super) fn empties_queue(of: &str, name: &str) -> bool {
    let library = of.split(['.', '/']).find(|part| !part.is_empty()).unwrap_or(of);
    let queue = matches!(library, "Sidekiq" | "celery" | "rq" | "bull" | "bullmq" | "Resque" | "dramatiq" | "huey");
    let verb = name.to_ascii_lowercase();
    let empties = ["clear", "purge", "empty", "obliterate", "drain", "discard", "flush", "delete", "remove", "kill"];
    // `app.control.purge()`, whatever the application is called.
    let steered = of.contains(".control.") && matches!(name, "purge" | "discard_all" | "shutdown");
    steered || queue && empties.iter().any(|empties| verb.starts_with(empties))
}

/// How the names of methods begin that take something away.
const DESTROYS: &[&str] = &["delete", "remove", "destroy", "terminate", "purge", "drop", "prune", "kill", "rm"];

fn changes_cloud(name: &str) -> bool {
    [
        "delete",
        "terminate",
        "put",
        "create",
        "update",
        "stop",
        "reboot",
        "modify",
        "attach",
        "detach",
        "upload",
        "run_",
        "start_",
        "send_",
        "publish",
        "invoke",
        "purge",
        "copy_object",
        "revoke",
        "authorize",
        "restore",
        "deregister",
        "disable",
        "enable",
        "add_",
        "remove_",
        "set_",
        "tag_",
        "untag_",
        "destroy",
        "empty",
        "prune",
        "power_off",
        "poweroff",
        "shutdown",
        "rebuild",
        "archive",
        "kick",
    ]
    .iter()
    .any(|verb| name.starts_with(verb))
}
