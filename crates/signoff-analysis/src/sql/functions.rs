//! Functions of the servers that do more than compute.

use super::Deed;

const FUNCTIONS: &[(Deed, &[&str])] = &[
    (Deed::Command, &["xp_cmdshell", "sys_exec", "sys_eval", "sys_get", "executable", "sp_oacreate", "sp_oamethod"]),
    (
        Deed::Server,
        &[
            "pg_terminate_backend",
            "pg_cancel_backend",
            "pg_switch_wal",
            "pg_switch_xlog",
            "pg_reload_conf",
            "pg_rotate_logfile",
            "pg_promote",
            "pg_advisory_lock",
            "pg_advisory_lock_shared",
            "pg_try_advisory_lock",
            "pg_advisory_xact_lock",
            "pg_create_restore_point",
            "pg_drop_replication_slot",
            "pg_create_physical_replication_slot",
            "pg_create_logical_replication_slot",
            "pg_start_backup",
            "pg_stop_backup",
            "pg_backup_start",
            "pg_backup_stop",
            "pg_wal_replay_pause",
            "pg_wal_replay_resume",
            "pg_stat_reset",
            "pg_stat_statements_reset",
            "pg_replication_origin_drop",
            "pg_logical_emit_message",
            "get_lock",
            "release_lock",
            "set_config",
            "pg_notify",
        ],
    ),
    (
        Deed::Write,
        &[
            "lo_unlink",
            "lo_put",
            "lo_create",
            "lo_creat",
            "lo_from_bytea",
            "lo_truncate",
            "lowrite",
            "setval",
            "nextval",
            "dblink_exec",
            "dblink_send_query",
            "pg_import_system_collations",
        ],
    ),
    (
        Deed::Files,
        &[
            "lo_export",
            "lo_import",
            "pg_read_file",
            "pg_read_binary_file",
            "pg_ls_dir",
            "pg_ls_logdir",
            "pg_ls_waldir",
            "pg_stat_file",
            "pg_file_write",
            "pg_write_file",
            "pg_file_unlink",
            "pg_file_rename",
            "load_file",
            "writefile",
            "pg_write_server_files",
            "xp_dirtree",
            "xp_fileexist",
            "xp_regread",
            "xp_regwrite",
        ],
    ),
    (
        Deed::Hidden,
        &[
            "dblink",
            "dblink_open",
            "dblink_connect",
            "query_to_xml",
            "query_to_xml_and_xmlschema",
            "query_to_xmlschema",
            "cursor_to_xml",
            "edit",
            "load_extension",
            "openrowset",
            "openquery",
            "opendatasource",
            "lo_manage",
            "database_to_xml",
            "sp_executesql",
            "fts3_tokenizer",
            "ts_stat",
            "readfile_exec",
        ],
    ),
];

/// What calling a function does, if it does more than compute.
pub(super) fn deed(name: &str) -> Option<Deed> {
    let known = FUNCTIONS.iter().find(|(_, names)| names.contains(&name)).map(|(deed, _)| *deed);
    known.or_else(|| names_harm(name).then_some(Deed::Hidden))
}

/// Whether the name of a function or procedure that is not known says that it takes something away.
fn names_harm(name: &str) -> bool {
    if matches!(
        name,
        "array_remove"
            | "json_remove"
            | "json_array_remove"
            | "jsonb_delete"
            | "map_delete"
            | "truncate"
            | "remove"
            | "list_remove"
    ) {
        return false;
    }
    name.split('_').any(|part| {
        matches!(
            part,
            "delete"
                | "purge"
                | "drop"
                | "cleanup"
                | "clean"
                | "wipe"
                | "kill"
                | "terminate"
                | "erase"
                | "reset"
                | "destroy"
                | "remove"
                | "truncate"
                | "archive"
                | "prune"
                | "expire"
                | "anonymize"
        )
    })
}
