//! Microsoft's command line: groups and then a verb, all before the first option.

use super::{ACCESS, CHANGE, LOGIN, RUN, SECRET, SWITCH, buckets::upload, deletion};
use crate::{
    shell::{
        Call, Shell,
        subcommands::{Deed, Line, Tool, Verb, verb},
    },
    value::{Arg, Feed},
};

static AZ: Tool = Tool {
    values: "",
    dry: &[],
    deeds: &[
        (
            Deed::Reveal(&SECRET),
            "\
            keyvault secret show, keyvault secret download, keyvault key download, account get-access-token, \
            storage account keys list, storage account show-connection-string, cosmosdb keys list, \
            cosmosdb list-keys, webapp deployment list-publishing-profiles, \
            webapp deployment list-publishing-credentials, functionapp keys list, redis list-keys, \
            acr credential show, storage account generate-sas, storage container generate-sas, \
            storage blob generate-sas, ad sp create-for-rbac, ad sp credential reset, ad app credential reset, \
            servicebus namespace authorization-rule keys list, \
            eventhubs namespace authorization-rule keys list, iot hub connection-string show, \
            sql db show-connection-string, keyvault key decrypt, cognitiveservices account keys list",
        ),
        (
            Deed::Tell(&LOGIN),
            "\
            login, logout, acr login, configure, config set, config unset, extension add, extension remove, \
            extension update, upgrade, cloud set, cloud register, account clear, devops login, aks install-cli",
        ),
        (Deed::Tell(&SWITCH), "account set"),
        (
            Deed::Harmless,
            "\
            version, find, interactive, feedback, self-test, survey, aks get-credentials, bicep, \
            deployment group what-if, deployment sub what-if, deployment group validate, ml job stream, \
            webapp log, functionapp log, account, group, vm, config get, next, rest, aks browse, webapp browse, \
            pipelines runs show, storage blob download, storage blob download-batch, storage file download, \
            webapp list-runtimes",
        ),
        (
            Deed::Tell(&RUN),
            "\
            vm run-command invoke, vm run-command create, vmss run-command invoke, aks command invoke, \
            container exec, ssh vm, webapp ssh, containerapp exec, webapp create-remote-connection",
        ),
        (
            Deed::Judge(upload),
            "\
            storage blob upload, storage blob upload-batch, storage blob sync, storage file upload, \
            storage file upload-batch, storage copy, storage azcopy",
        ),
        (
            Deed::Tell(&ACCESS),
            "\
            role assignment create, role definition create, network nsg rule create, network nsg rule update, \
            keyvault set-policy, ad user create, sql server firewall-rule create, role assignment update",
        ),
    ],
    otherwise: Deed::Judge(by_last),
};

pub(super) fn az(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let leading = call.args.iter().skip_while(|arg| arg.is_option()).take_while(|arg| !arg.is_option());
    let words: Vec<&Arg> = leading.collect();
    let whole = Line::read(&call.args, "--method -m --uri -u --url");
    if whole.asks_for_help() || words.is_empty() {
        return call.output();
    }
    if words.first().is_some_and(|word| word.is("rest")) {
        let method = whole.value(&["--method", "-m"]);
        let reads = method.as_ref().is_none_or(|method| {
            method
                .known()
                .is_some_and(|method| method.eq_ignore_ascii_case("get") || method.eq_ignore_ascii_case("head"))
        });
        if !reads {
            return Deed::Tell(&CHANGE).done(shell, call, &whole);
        }
        return call.output();
    }
    if words.first().is_some_and(|word| word.is("acr")) && call.has("--expose-token") {
        return Deed::Reveal(&SECRET).done(shell, call, &Line::of_words(&words));
    }
    let line = Line::of_words(&words);
    if whole.is_dry(&["--dryrun", "--dry-run", "--what-if", "-w"]) && !words.iter().any(|word| word.is("storage"))
        || whole.is_dry(&["--dryrun"])
    {
        return call.output();
    }
    match AZ.deed(&line) {
        // A group alone prints help, but its name is also the beginning of longer commands.
        Deed::Harmless if line.words.len() > 1 && matches!(line.word(0), Some("account" | "group" | "vm")) => {
            by_last(shell, call, &line)
        }
        deed => deed.done(shell, call, &line),
    }
}

fn by_last(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    // A group alone prints its help.
    if line.words.len() == 1 && line.verb().is_none() {
        return call.output();
    }
    let Some(last) = line.words.last().and_then(|word| word.known()) else { return call.output() };
    let deed = match verb(last) {
        Some(Verb::Reads | Verb::Mentions) => return call.output(),
        Some(Verb::Destroys) => {
            let words: Vec<&str> = line.words.iter().filter_map(|word| word.known()).collect();
            Deed::Tell(deletion(&words))
        }
        Some(Verb::Changes) | None => Deed::Tell(&CHANGE),
    };
    deed.done(shell, call, line)
}
