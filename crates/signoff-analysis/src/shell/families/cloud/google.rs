//! Google's command lines.

use signoff_model::Dialect;

use super::{ACCESS, CHANGE, DELETE, DELETE_WHOLE, LOGIN, RUN, SECRET, SWITCH, buckets, by_verb};
use crate::{
    shell::{
        Call, Locus, Shell,
        families::network::elsewhere,
        subcommands::{Deed, Line, Tool},
    },
    sql,
    value::Feed,
};

static GCLOUD: Tool = Tool {
    values: "\
        --project --zone --region --format --filter --account --configuration --command --verbosity \
        --location --cluster --limit --sort-by --billing-project --impersonate-service-account \
        --service-account --member --role --secret --quiet-file --tunnel-port --ssh-flag --flatten \
        --key-file --image --source",
    dry: &["--dry-run", "--validate-only"],
    deeds: &[
        (
            Deed::Reveal(&SECRET),
            "\
            auth print-access-token, auth print-identity-token, auth application-default print-access-token, \
            secrets versions access, kms decrypt, kms asymmetric-decrypt, iam service-accounts keys create, \
            sql generate-login-token, config config-helper, compute reset-windows-password",
        ),
        (Deed::Tell(&LOGIN), "auth, init, components, source repos clone"),
        (
            Deed::Harmless,
            "\
            auth list, components list, info, version, feedback, topic, cheat-sheet, survey, \
            container clusters get-credentials, auth configure-docker, docker, help, \
            compute instances get-serial-port-output, app browse, app logs, emulators",
        ),
        (Deed::Tell(&SWITCH), "config set, config unset, config configurations activate, config configurations create"),
        (Deed::Judge(ssh), "compute ssh, compute tpus tpu-vm ssh, app instances ssh, cloud-shell ssh"),
        (
            Deed::Tell(&RUN),
            "\
            sql connect, functions call, run jobs execute, builds triggers run, workflows execute, compute scp, \
            compute start-iap-tunnel, alloydb",
        ),
        (
            Deed::Tell(&DELETE_WHOLE),
            "\
            projects delete, sql instances delete, sql databases delete, container clusters delete, \
            compute disks delete, compute snapshots delete, storage buckets delete, \
            iam service-accounts delete, firestore databases delete, spanner instances delete, \
            spanner databases delete, bigtable instances delete, dns managed-zones delete, secrets delete, \
            organizations, filestore instances delete, redis instances delete",
        ),
        (
            Deed::Harmless,
            "\
            organizations list, organizations describe, alloydb clusters list, logging read, builds log, \
            config get-value, config configurations list, config list, config get",
        ),
        (Deed::Judge(storage), "storage, alpha storage"),
    ],
    otherwise: Deed::Judge(group),
};

pub(super) fn gcloud(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, GCLOUD.values);
    match line.word(0) {
        // Releases under test have the same groups below them.
        Some("alpha" | "beta" | "preview") => {
            let (release, words) = line.words.split_at(1);
            GCLOUD.judge_line(shell, call, &Line::below(release, words))
        }
        _ => GCLOUD.judge_line(shell, call, &line),
    }
}

fn group(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let opens = line
        .words
        .iter()
        .filter_map(|word| word.known())
        .any(|word| word.contains("iam-policy") && !word.starts_with("get") || matches!(word, "firewall-rules"));
    let reads = matches!(line.verb(), Some(crate::shell::subcommands::Verb::Reads));
    if opens && !reads {
        return Deed::Tell(&ACCESS).done(shell, call, line);
    }
    by_verb(shell, call, line)
}

fn storage(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    match line.word(1) {
        Some("buckets" | "objects" | "folders" | "managed-folders" | "operations" | "batch-operations") => {
            by_verb(shell, call, line)
        }
        operation => buckets::google(shell, call, line, operation.unwrap_or_default(), line.words_from(2)),
    }
}

fn ssh(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    let Some(code) = line.value(&["--command"]) else {
        return Deed::Tell(&RUN).done(shell, call, line);
    };
    if !elsewhere::is_text_judged_by_itself(&code.shown()) {
        shell.tell(&RUN, line.named(&call.name), call.span);
    }
    let host = line.words.last().map_or_else(String::new, |host| host.shown().into_owned());
    shell.elsewhere(Locus::Remote(host), |shell| shell.run_text(&code, Dialect::Bash, Feed::none()))
}

pub(super) fn gsutil(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "-o -h -u -x -i");
    if line.asks_for_help() || line.word(0) == Some("rsync") && line.has(&["-n"]) {
        return call.output();
    }
    buckets::google(shell, call, &line, line.word(0).unwrap_or_default(), line.words_from(1))
}

pub(super) fn bq(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(
        &call.args,
        "\
        --project_id --location --format -n --max_rows --dataset_id --destination_table --label --parameter \
        --start_row --source_format --schema",
    );
    if line.asks_for_help() || line.is_dry(&["--dry_run"]) {
        return call.output();
    }
    match line.word(0) {
        Some("query") => match (line.words.get(1), &call.stdin.text) {
            (Some(text), _) => sql::verdict_of_text(shell, &text.value, sql::Dialect::Any, text.span),
            (None, Some(text)) => sql::verdict_of_text(shell, text, sql::Dialect::Any, call.span),
            (None, None) if call.stdin.is_none() => {}
            (None, None) => shell.tell(sql::Deed::Unclear.rule(), "bq query", call.span),
        },
        Some("ls" | "show" | "head" | "info" | "version" | "wait" | "get-iam-policy" | "init" | "shell" | "help")
        | None => {}
        Some("rm" | "remove") => {
            let rule = if line.has(&["-r", "-d", "--dataset", "--recursive"]) { &DELETE_WHOLE } else { &DELETE };
            return Deed::Tell(rule).done(shell, call, &line);
        }
        Some(_) => return Deed::Tell(&CHANGE).done(shell, call, &line),
    }
    call.output()
}
