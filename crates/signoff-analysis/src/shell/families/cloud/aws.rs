//! Amazon's command line: `aws service operation`.

use super::{ACCESS, CHANGE, LOGIN, RUN, SECRET, buckets, deletion};
use crate::{
    path_effects::Write,
    shell::{
        Call, Shell,
        subcommands::{Deed, Line, Verb, verb},
    },
    sql,
    value::{Arg, Feed},
    words::is_listed,
};

const VALUES: &str = "\
    --profile --region --output --query --endpoint-url --color --ca-bundle --cli-read-timeout \
    --cli-connect-timeout --cli-binary-format --exclude --include --acl --storage-class --sse \
    --content-type --cache-control --metadata --expires-in --query-string --sql --statement";

pub(super) fn aws(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, VALUES);
    let asks = line.asks_for_help()
        || line.words.last().is_some_and(|word| word.is("help"))
        || line.is_dry(&["--generate-cli-skeleton"]);
    let dry = line.is_dry(&["--dryrun"]) || line.is_dry(&["--dry-run"]) && !call.has("--no-dry-run");
    let Some(service) = line.word(0) else { return call.output() };
    if asks || dry {
        return call.output();
    }
    let operation = line.word(1).unwrap_or_default();
    // A stand-in for the cloud that runs on this machine.
    let local = call.name == "awslocal"
        || line
            .value(&["--endpoint-url"])
            .is_some_and(|url| url.shown().contains("localhost") || url.shown().contains("127.0.0.1"));
    if local && service != "configure" {
        return call.output();
    }
    if service == "s3" {
        return buckets::aws(shell, call, &line, operation);
    }
    if let Some(text) = line.value(&["--query-string", "--sql", "--statement"])
        && (operation.contains("query") || operation.contains("statement"))
    {
        sql::verdict_of_text(shell, &text.value, sql::Dialect::Any, text.span);
        return call.output();
    }
    if is_listed(WRITES_FILE, operation)
        && let Some(file) = file_operand(call)
    {
        shell.write(file, Write::Replace);
    }
    deed(service, operation, call, &line).map_or_else(|| call.output(), |deed| deed.done(shell, call, &line))
}

/// Operations that write what they get into a file that stands without an option.
const WRITES_FILE: &str = "get-object get-object-torrent select-object-content invoke get-job-output synthesize-speech \
    get-media get-archive-media get-export get-sdk get-clip get-function-definition-version-export";

/// The operand behind the service and the operation. Every option but a few takes a value.
fn file_operand(call: &Call) -> Option<&Arg> {
    const SWITCHES: &[&str] = &["--debug", "--cli-auto-prompt", "--bucket-key-enabled"];
    let mut words = Vec::new();
    let mut args = call.args.iter();
    while let Some(arg) = args.next() {
        let text = arg.value.prefix();
        if !text.starts_with("--") {
            words.push(arg);
        } else if !text.contains('=') && !text.starts_with("--no-") && !SWITCHES.contains(&text) {
            args.next();
        }
    }
    words.get(2).copied()
}

fn deed(service: &str, operation: &str, call: &Call, line: &Line<'_>) -> Option<Deed> {
    Some(match (service, operation) {
        ("configure", "list" | "list-profiles") => return None,
        ("configure", "get")
            if line
                .words
                .get(2)
                .is_none_or(|key| !key.shown().contains("secret") && !key.shown().contains("session_token")) =>
        {
            return None;
        }
        ("configure", "get" | "export-credentials") => Deed::Reveal(&SECRET),
        ("sso", operation) if verb(operation) == Some(Verb::Reads) => return None,
        ("configure" | "sso" | "login" | "logout", _) => Deed::Tell(&LOGIN),
        ("secretsmanager", "get-secret-value" | "batch-get-secret-value")
        | ("kms", "decrypt" | "generate-data-key" | "generate-data-key-pair") => Deed::Reveal(&SECRET),
        ("ssm", "get-parameter" | "get-parameters" | "get-parameters-by-path" | "get-parameter-history")
            if call.has("--with-decryption") =>
        {
            Deed::Reveal(&SECRET)
        }
        ("ssm", "send-command" | "start-session" | "resume-session" | "start-automation-execution") => Deed::Tell(&RUN),
        (
            "sts",
            "get-session-token"
            | "get-federation-token"
            | "assume-role"
            | "assume-role-with-saml"
            | "assume-role-with-web-identity",
        ) => Deed::Reveal(&SECRET),
        ("ecr" | "ecr-public", "get-login-password" | "get-authorization-token" | "get-login")
        | ("eks", "get-token") => Deed::Reveal(&SECRET),
        ("codeartifact", "get-authorization-token")
        | ("ec2", "get-password-data")
        | ("iam", "create-access-key")
        | ("redshift", "get-cluster-credentials") => Deed::Reveal(&SECRET),
        ("rds", "generate-db-auth-token")
        | ("cognito-idp", "admin-initiate-auth")
        | ("lightsail", "download-default-key-pair" | "get-instance-access-details") => Deed::Reveal(&SECRET),
        ("lambda", "invoke" | "invoke-async")
        | ("ecs", "execute-command" | "run-task")
        | ("ec2-instance-connect", _)
        | ("emr", "ssh" | "socks" | "put" | "get") => Deed::Tell(&RUN),
        ("logs", "start-query" | "stop-query" | "start-live-tail") | ("kms", "encrypt" | "verify") | ("pricing", _) => {
            return None;
        }
        ("cloudformation", "deploy") if call.has("--no-execute-changeset") => return None,
        ("eks", "update-kubeconfig") | ("codeartifact", "login") | ("ecr", "configure") => Deed::Tell(&LOGIN),
        ("iam", operation) if verb(operation) == Some(Verb::Changes) => Deed::Tell(&ACCESS),
        (
            _,
            "authorize-security-group-ingress"
            | "authorize-security-group-egress"
            | "modify-image-attribute"
            | "modify-snapshot-attribute"
            | "put-public-access-block"
            | "delete-public-access-block",
        ) => Deed::Tell(&ACCESS),
        (_, operation)
            if operation.ends_with("-policy") && verb(operation) == Some(Verb::Changes)
                || operation.ends_with("-acl") && operation.starts_with("put")
                || operation == "add-permission" =>
        {
            Deed::Tell(&ACCESS)
        }
        (_, "") => return None,
        (_, operation) if operation.starts_with("schedule-key-deletion") => Deed::Tell(&super::DELETE_WHOLE),
        (_, operation) => match verb(operation) {
            Some(Verb::Reads | Verb::Mentions) => return None,
            Some(Verb::Destroys) => Deed::Tell(deletion(&[operation])),
            Some(Verb::Changes) | None => Deed::Tell(&CHANGE),
        },
    })
}

/// Tools that open a session: `aws-vault exec profile -- command`.
pub(super) fn sessions(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "--role -p --profile -d --duration --backend --region");
    match line.word(0) {
        Some("exec") => {
            let argv: Vec<Arg> = if line.rest.is_empty() {
                line.words_from(2).iter().map(|word| (*word).clone()).collect()
            } else {
                line.rest.to_vec()
            };
            shell.run(&argv, call.stdin.clone(), call.span)
        }
        Some("list" | "ls") | None => call.output(),
        Some("export") => Deed::Reveal(&SECRET).done(shell, call, &line),
        Some(_) => Deed::Tell(&LOGIN).done(shell, call, &line),
    }
}
