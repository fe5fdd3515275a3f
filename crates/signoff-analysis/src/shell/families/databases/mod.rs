//! Databases: their clients, their servers' tools, dumps and restores.
//!
//! What SQL does is not known here; the text goes to [`crate::sql`].

mod clients;
mod meta;
mod redis;
mod stores;

pub use redis::over_connection;

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::{Write, rules},
    rule::{Priority, Rule},
    shell::{
        Call, Judge, Shell, Written,
        subcommands::{Deed, Line, Tool},
    },
    value::{Arg, Feed, Origin},
};

rules! {
    DROP = Rule::new("database-drop", EffectKind::DatabaseSchema, Risk::Critical, "drops the database {}", "删除数据库 {}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["dropdb production", "mysqladmin drop shop", "mongosh prod --eval 'db.dropDatabase()'"], &["psql -l", "mysqladmin status"]);
    WIPE = Rule::new("database-wipe", EffectKind::DatabaseWrite, Risk::Critical, "empties a whole data store: {}", "清空整个数据存储：{}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["redis-cli FLUSHALL", "redis-cli -n 3 flushdb", "etcdctl del --prefix ''"], &["redis-cli DBSIZE"]);
    STORE_WRITE = Rule::new("store-write", EffectKind::DatabaseWrite, Risk::High, "changes data in the store: {}", "更改数据存储中的数据：{}")
        .reversible(Reversible::No)
        .examples(&["redis-cli DEL session:1", "mongosh --eval 'db.users.deleteMany({})'", "etcdctl put a b"], &["redis-cli GET a", "mongosh --eval 'db.users.find()'"]);
    PLANT_FILE = Rule::new("store-plants-file", EffectKind::Privilege, Risk::Critical, "makes a data store write where log-ins, jobs or pages are kept: {}", "让数据存储写入登录、定时任务或网页目录：{}")
        .absurd().priority(Priority::P0)
        .examples(&["redis-cli -h 10.0.0.5 config set dir /root/.ssh", "redis-cli config set dbfilename authorized_keys"], &["redis-cli config get dir", "redis-cli info"]);
    STORE_CODE = Rule::new("store-code", EffectKind::Opaque, Risk::High, "runs code inside the data store: {}", "在数据存储中运行代码：{}")
        .examples(&["redis-cli EVAL 'return 1' 0", "redis-cli MODULE LOAD /tmp/x.so"], &["redis-cli INFO"]);
    SCRIPT = Rule::new("database-script", EffectKind::DatabaseWrite, Risk::Medium, "runs statements in the database that were not read: {}", "在数据库中运行未读取的语句：{}")
        .examples(&["psql -f schema.sql", "mysql shop < dump.sql", "pg_dump a | psql b"], &["psql -c 'SELECT 1'", "pg_dump a"]);
    RESTORE = Rule::new("database-restore", EffectKind::DatabaseWrite, Risk::High, "loads a dump over what is in the database: {}", "将备份导入数据库，覆盖现有内容：{}")
        .reversible(Reversible::No)
        .examples(&["pg_restore --clean -d production backup.dump", "mongorestore --drop dump/"], &["pg_restore --list backup.dump", "pg_dump app"]);
    CREATE = Rule::new("database-create", EffectKind::DatabaseSchema, Risk::Medium, "makes a new database or account on the server: {}", "在服务器上新建数据库或账号：{}")
        .reversible(Reversible::Yes)
        .examples(&["createdb app", "mysqladmin create app"], &["psql -l"]);
    ACCOUNT = Rule::new("database-account", EffectKind::DatabaseRights, Risk::High, "changes accounts of the database: {}", "更改数据库账号：{}")
        .examples(&["createuser --superuser bob", "dropuser bob"], &["psql -c '\\du'"]);
    SERVER = Rule::new("database-server", EffectKind::System, Risk::High, "stops, changes or repairs the database server: {}", "停止、更改或修复数据库服务器：{}")
        .examples(&["redis-cli SHUTDOWN", "redis-cli CONFIG SET dir /tmp", "mysqladmin shutdown", "pg_ctl stop -D data", "pg_resetwal data"], &["pg_ctl status -D data", "redis-cli CONFIG GET dir"]);
}

/// The judgement for a program of this family.
pub fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "psql" | "pgcli" | "ysqlsh" | "cockroach" | "usql" | "gsql" | "vsql" | "edgedb" | "gel" => clients::postgres,
        "mysql" | "mariadb" | "mycli" | "mysqlsh" | "singlestore" => clients::mysql,
        "sqlite3" | "sqlite" | "litecli" | "sqlcipher" | "libsql" | "duckdb" => clients::sqlite,
        "sqlcmd" | "osql" | "isql" | "mssql-cli" | "tsql" | "clickhouse-client" | "clickhouse" | "cqlsh" | "ycqlsh"
        | "trino" | "presto" | "snowsql" | "snow" | "hive" | "beeline" | "spark-sql" | "impala-shell" | "sqlplus"
        | "ksql" | "cbq" | "influx" | "chdb" | "questdb" | "surreal" | "sqlite-utils" => clients::others,
        "elasticdump" | "multielasticdump" => redis::elasticdump,
        "hbase" => redis::hbase,
        "cypher-shell" => stores::cypher,
        "bcp" => bcp,
        "redis-cli" | "valkey-cli" | "keydb-cli" => redis::redis,
        "mongosh" | "mongo" => stores::mongo,
        "etcdctl" => stores::etcd,
        "pg_dump" | "pg_dumpall" | "mysqldump" | "mariadb-dump" | "mongodump" | "mongoexport" | "pg_basebackup"
        | "mysqlpump" => dump,
        "pg_restore" => pg_restore,
        "mongorestore" | "mongoimport" | "mysqlimport" | "mariadb-import" => restore,
        "dropdb" => dropdb,
        "createdb" => creates,
        "createuser" | "dropuser" => account,
        "mysqladmin" | "mariadb-admin" => mysqladmin,
        "pg_ctl" | "pg_ctlcluster" => pg_ctl,
        "vacuumdb"
        | "reindexdb"
        | "clusterdb"
        | "pgbench"
        | "pg_resetwal"
        | "pg_rewind"
        | "pg_upgrade"
        | "pg_archivecleanup"
        | "pg_checksums"
        | "mysqlcheck"
        | "mariadb-check"
        | "mysql_secure_installation"
        | "mysqlslap"
        | "pg_recvlogical"
        | "pg_createsubscriber"
        | "pg_dropcluster"
        | "mysql_upgrade"
        | "myisamchk"
        | "pg_repack" => maintenance,
        "pg_isready" | "pg_config" | "pg_controldata" | "pg_waldump" | "pg_amcheck" | "pg_verifybackup"
        | "pg_test_fsync" | "pg_test_timing" | "pg_walsummary" | "pg_lsclusters" | "mysqlshow" | "mongotop"
        | "mongostat" | "bsondump" | "redis-benchmark" | "initdb" | "postgres" | "redis-sentinel" | "mysqlbinlog"
        | "pg_receivewal" | "pg_createcluster" | "expdp" => harmless,
        "mongod" | "mongos" | "redis-server" | "valkey-server" | "etcd" => serves,
        "impdp" => restore,
        _ => return None,
    })
}

/// Looks, or starts a server of its own.
fn harmless(_shell: &mut Shell<'_>, call: &Call) -> Feed {
    call.output()
}

/// Starts a server of its own: fine, unless everybody may use it.
fn serves(shell: &mut Shell<'_>, call: &Call) -> Feed {
    super::network::exposed::judge(shell, call);
    call.output()
}

const CONNECTION: &str = "\
    -h --host -p --port -U --username -d --dbname -u --user -P -S --socket -D --pgdata --uri --db \
    --maintenance-db -O --owner -T --template -E --encoding -l --locale -f --file -r --result-file -o \
    --out -j --jobs -n --schema -t --table -N -c --collection --authenticationDatabase -m --mode -L \
    --use-list -F --format -s --type --section";

/// A dump is a read; what it writes is its own file.
fn dump(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, CONNECTION);
    if !line.asks_for_help() {
        for file in line.all_values(&["-f", "--file", "-r", "--result-file", "--out"]) {
            shell.write(&file, Write::Replace);
            if holds_accounts(call, &line) {
                shell.remember_written(&file, Written::Content(accounts()));
            }
        }
        if holds_accounts(call, &line) {
            return accounts();
        }
    }
    call.output()
}

/// What a dump of the accounts of a server holds.
fn accounts() -> Feed {
    Feed::from(Origin::Secret("the password hashes of the database server".to_owned()))
}

/// Whether a dump is of the accounts of a server with their passwords, and not of somebody's data.
fn holds_accounts(call: &Call, line: &Line<'_>) -> bool {
    match call.name.as_str() {
        // In this program the letters say what is dumped.
        "pg_dumpall" => {
            let flag = |arg: &Arg| matches!(arg.known(), Some("-r" | "-g" | "--roles-only" | "--globals-only"));
            call.args.iter().any(flag) && !call.has("--no-role-passwords")
        }
        "mysqldump" | "mariadb-dump" | "mysqlpump" => {
            let all = line.words.iter().skip_while(|word| !word.is("mysql")).skip(1).collect::<Vec<_>>();
            let system = line.words.first().is_some_and(|word| word.is("mysql"));
            let users = all.is_empty() || all.iter().any(|table| matches!(table.known(), Some("user" | "global_priv")));
            system && users || call.has_any(&["--users", "--system=users"])
        }
        _ => false,
    }
}

fn pg_restore(shell: &mut Shell<'_>, call: &Call) -> Feed {
    // `-l` lists and `-c` cleans here, so neither takes a value.
    static VALUES: &str = "\
    -d --dbname -h --host -p --port -U --username -f --file -j --jobs -n --schema -t --table -L \
    --use-list -F --format -I --index -P --function -T --trigger -S --superuser -N --exclude-schema \
    --role --section";
    let line = Line::read(&call.args, VALUES);
    if line.asks_for_help() || call.asks_for_help() || line.has(&["-l", "--list"]) {
        return call.output();
    }
    match line.value(&["-d", "--dbname"]) {
        Some(database) => shell.tell(&RESTORE, database.shown(), call.span),
        None => {
            if let Some(file) = line.value(&["-f", "--file"]) {
                shell.write(&file, Write::Replace);
            }
        }
    }
    call.output()
}

fn restore(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, CONNECTION);
    if !line.asks_for_help() && !line.is_dry(&["--dryRun"]) && !call.asks_for_help() {
        let database = line.value(&["-d", "--db", "--uri", "--host", "-h"]);
        let target = database.map_or_else(|| call.name.to_string(), |database| database.shown().into_owned());
        shell.tell(&RESTORE, target, call.span);
    }
    call.output()
}

fn dropdb(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, CONNECTION);
    if !line.asks_for_help() && !call.asks_by(&["--version", "-V"]) {
        let name = line.words.last().map_or_else(|| "…".to_owned(), |name| name.shown().into_owned());
        if let Some(name) = line.words.last().and_then(|name| name.known()) {
            shell.safer(format!("pg_dump {name}"));
        }
        shell.tell(&DROP, name, call.span);
    }
    call.output()
}

fn creates(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, CONNECTION);
    if !line.asks_for_help() && !call.asks_for_help() {
        shell.tell(&CREATE, line.words.first().map_or_else(String::new, |name| name.shown().into_owned()), call.span);
    }
    call.output()
}

fn account(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, CONNECTION);
    if !line.asks_for_help() && !call.asks_for_help() {
        shell.tell(&ACCOUNT, line.named(&call.name), call.span);
    }
    call.output()
}

/// As many orders as one call of an administrator's program has.
const MAX_ORDERS: usize = 32;

fn mysqladmin(shell: &mut Shell<'_>, call: &Call) -> Feed {
    static TOOL: Tool = Tool {
        values: "-u --user -h --host -P --port -S --socket -i --sleep -c --count -w --protocol",
        dry: &[],
        deeds: &[
            (Deed::Harmless, "status, ping, processlist, variables, version, extended-status, proc, stat"),
            (Deed::Tell(&DROP), "drop"),
            (Deed::Tell(&CREATE), "create"),
            (Deed::Tell(&ACCOUNT), "password, old-password"),
        ],
        otherwise: Deed::Tell(&SERVER),
    };
    let line = Line::read(&call.args, TOOL.values);
    if line.words.is_empty() {
        return call.output();
    }
    // Several commands may follow each other: every one is looked at.
    // Each word may be an order, and what is behind it belongs to it: more than anybody gives at once are not followed.
    if line.words.len() > MAX_ORDERS {
        shell.spend_out(call.span);
    }
    for start in 0..line.words.len().min(MAX_ORDERS) {
        let one = Line::of_words(line.words_from(start));
        let is_argument = start > 0 && matches!(line.word(start - 1), Some("drop" | "create" | "kill" | "password"));
        if !is_argument {
            TOOL.judge_line(shell, call, &one);
        }
    }
    call.output()
}

fn pg_ctl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "-D --pgdata -l --log -m --mode -o --options -p -t --timeout");
    let changes = ["stop", "restart", "reload", "promote", "kill", "logrotate", "register", "unregister"];
    if line.words.iter().any(|word| word.known().is_some_and(|word| changes.contains(&word))) {
        shell.tell(&SERVER, line.named(&call.name), call.span);
    }
    call.output()
}

fn maintenance(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, CONNECTION);
    let looks = match call.name.as_str() {
        "pg_upgrade" | "pg_checksums" if line.has(&["--check", "-c"]) => true,
        "pg_checksums" => !line.has(&["--enable", "-e", "--disable", "-d"]),
        "pg_archivecleanup" | "pg_repack" | "pg_rewind" | "pg_resetwal" | "pg_createsubscriber" => {
            line.has(&["-n", "--dry-run"])
        }
        "mysqlcheck" | "mariadb-check" => !line.has(&["-r", "--repair", "-o", "--optimize", "--auto-repair"]),
        "pg_recvlogical" => !call.has_any(&["--drop-slot", "--create-slot"]),
        "vacuumdb" | "reindexdb" | "clusterdb" => call.has("--echo-only"),
        _ => false,
    };
    if !looks && !line.asks_for_help() && !call.asks_for_help() {
        shell.tell(&SERVER, line.named(&call.name), call.span);
    }
    call.output()
}

/// The bulk copy program of SQL Server: `in` loads, `out` and `queryout` read.
fn bcp(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "-S -U -P -d -f -b -t -r -e -F -L");
    match line.word(1) {
        Some("in") => shell.tell(&RESTORE, line.named("bcp"), call.span),
        Some("queryout") => {
            if let Some(query) = line.words.first() {
                crate::sql::verdict_of_text(shell, &query.value, crate::sql::Dialect::TSql, query.span);
            }
        }
        _ => {}
    }
    if let (Some("out" | "queryout"), Some(file)) = (line.word(1), line.words.get(2)) {
        shell.write(file, Write::Replace);
    }
    call.output()
}

#[cfg(test)]
mod tests;
