//! The names of cmdlets: their aliases, and what a name alone says.

/// The cmdlet behind an alias, in small letters; every other name stays as it is.
pub(super) fn resolve(name: &str) -> &str {
    let plain = name.strip_prefix("microsoft.powershell.").and_then(|rest| rest.rsplit('\\').next()).unwrap_or(name);
    ALIASES.iter().find(|(names, _)| names.split(' ').any(|alias| alias == plain)).map_or(plain, |(_, full)| *full)
}

const ALIASES: &[(&str, &str)] = &[
    ("rm del ri rd erase rmdir", "remove-item"),
    ("rp", "remove-itemproperty"),
    ("gci ls dir", "get-childitem"),
    ("where ?", "where-object"),
    ("% foreach", "foreach-object"),
    ("select", "select-object"),
    ("sort", "sort-object"),
    ("sls", "select-string"),
    ("ft", "format-table"),
    ("fl", "format-list"),
    ("measure", "measure-object"),
    ("group", "group-object"),
    ("tee", "tee-object"),
    ("ac", "add-content"),
    ("ni", "new-item"),
    ("clc", "clear-content"),
    ("cli", "clear-item"),
    ("mv mi move", "move-item"),
    ("ren rni", "rename-item"),
    ("cp copy cpi", "copy-item"),
    ("gc cat type", "get-content"),
    ("iex", "invoke-expression"),
    ("iwr", "invoke-webrequest"),
    ("irm", "invoke-restmethod"),
    ("saps start", "start-process"),
    ("sajb", "start-job"),
    ("icm", "invoke-command"),
    ("etsn", "enter-pssession"),
    ("nsn", "new-pssession"),
    ("spps kill", "stop-process"),
    ("cd sl chdir", "set-location"),
    ("pushd", "push-location"),
    ("popd", "pop-location"),
    ("echo write", "write-output"),
    ("sal", "set-alias"),
    ("nal", "new-alias"),
    ("sp", "set-itemproperty"),
    ("si", "set-item"),
    ("gp", "get-itemproperty"),
    ("gi", "get-item"),
    ("gm", "get-member"),
    ("gv", "get-variable"),
    ("sv", "set-variable"),
    ("ps gps", "get-process"),
    ("gsv", "get-service"),
    ("sasv", "start-service"),
    ("spsv", "stop-service"),
    ("gcm", "get-command"),
    ("gwmi", "get-wmiobject"),
    ("iwmi", "invoke-wmimethod"),
    ("icim", "invoke-cimmethod"),
    ("ii", "invoke-item"),
    ("cls clear", "clear-host"),
    ("pwd gl", "get-location"),
    ("sleep", "start-sleep"),
    ("epcsv", "export-csv"),
    ("ipcsv", "import-csv"),
    ("ipmo", "import-module"),
    ("oh", "out-host"),
    ("h history ghy", "get-history"),
];

/// Whether a path leads into something other than files: the registry, variables, certificates.
pub(super) fn is_drive_of_settings(path: &str) -> bool {
    const DRIVES: &[&str] = &[
        "hklm:",
        "hkcu:",
        "hkcr:",
        "hku:",
        "registry::",
        "env:",
        "cert:",
        "function:",
        "variable:",
        "alias:",
        "wsman:",
        "hkey_",
        "microsoft.powershell.core",
    ];
    DRIVES.iter().any(|drive| path.starts_with(drive))
}

/// Whether what is written at a path runs by itself later.
pub(super) fn runs_by_itself(path: &str) -> bool {
    path.ends_with("profile.ps1") || path.replace('\\', "/").contains("/startup/")
}

/// Whether a name is made of a verb that cmdlets have, and a noun.
pub(super) fn is_cmdlet(name: &str) -> bool {
    name.split_once('-').is_some_and(|(verb, noun)| {
        !noun.is_empty()
            && matches!(
                verb,
                "get"
                    | "set"
                    | "new"
                    | "remove"
                    | "add"
                    | "clear"
                    | "start"
                    | "stop"
                    | "restart"
                    | "test"
                    | "write"
                    | "read"
                    | "out"
                    | "import"
                    | "export"
                    | "convertto"
                    | "convertfrom"
                    | "convert"
                    | "select"
                    | "sort"
                    | "where"
                    | "foreach"
                    | "format"
                    | "measure"
                    | "compare"
                    | "join"
                    | "split"
                    | "resolve"
                    | "invoke"
                    | "update"
                    | "install"
                    | "uninstall"
                    | "enable"
                    | "disable"
                    | "register"
                    | "unregister"
                    | "wait"
                    | "show"
                    | "find"
                    | "save"
                    | "copy"
                    | "move"
                    | "rename"
                    | "group"
                    | "tee"
                    | "expand"
                    | "compress"
                    | "push"
                    | "pop"
                    | "use"
                    | "trace"
                    | "debug"
            )
    })
}

/// Whether a cmdlet changes the machine.
pub(super) fn changes_system(name: &str) -> bool {
    let Some((verb, noun)) = name.split_once('-') else { return false };
    match noun {
        "computer" => matches!(verb, "restart" | "stop" | "rename" | "remove" | "add" | "reset"),
        "service" => matches!(verb, "stop" | "restart" | "set" | "new" | "remove" | "start" | "suspend"),
        "executionpolicy"
        | "acl"
        | "mppreference"
        | "netfirewallprofile"
        | "netfirewallrule"
        | "localuser"
        | "localgroup"
        | "localgroupmember"
        | "scheduledtask"
        | "itemproperty"
        | "windowsfeature"
        | "windowsoptionalfeature"
        | "smbshare"
        | "netadapter"
        | "dnsclientserveraddress"
        | "date"
        | "timezone"
        | "psrepository"
        | "eventlog"
        | "bitlocker"
        | "vm"
        | "adaccount"
        | "aduser"
        | "adgroup"
        | "adcomputer"
        | "mailbox"
        | "process"
        | "package"
        | "module"
        | "appxpackage"
        | "wmiinstance"
        | "wmievent"
        | "ciminstance"
        | "wmiobject"
        | "mpthreat"
        | "netfirewallsetting"
        | "wuservice"
        | "bitlockervolume"
        | "partition"
        | "disk"
        | "volume"
        | "localaccount"
        | "scheduledjob"
        | "netipaddress"
        | "netroute"
        | "hotfix"
        | "computerrestore"
        | "psremoting"
        | "wsmanquickconfig"
        | "eventlogsource"
        | "azresourcegroup"
        | "azvm" => {
            let additive = matches!(noun, "module" | "package") && matches!(verb, "import" | "get" | "new" | "remove")
                || noun == "executionpolicy" && verb == "get";
            !additive
                && matches!(
                    verb,
                    "set"
                        | "new"
                        | "remove"
                        | "disable"
                        | "enable"
                        | "add"
                        | "clear"
                        | "register"
                        | "unregister"
                        | "install"
                        | "uninstall"
                        | "stop"
                        | "limit"
                        | "suspend"
                        | "rename"
                )
        }
        _ => {
            verb == "remove"
                && (noun.starts_with("az")
                    || noun.starts_with("ad")
                    || noun.starts_with("net")
                    || noun.starts_with("vm")
                    || noun.starts_with("winevent"))
        }
    }
}
