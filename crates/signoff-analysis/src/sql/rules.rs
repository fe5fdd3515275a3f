//! The rules about SQL text that comes through a command line.

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    WRITE = Rule::new("sql-write", EffectKind::DatabaseWrite, Risk::High, "changes rows of {}", "更改 {} 的数据行")
        .reversible(Reversible::No)
        .examples(&["psql -c \"UPDATE users SET a = 1 WHERE id = 2\"", "mysql -e \"INSERT INTO t VALUES (1)\""], &["psql -c \"SELECT 1\""]);
    WRITE_ALL = Rule::new("sql-write-all", EffectKind::DatabaseWrite, Risk::Critical, "changes or deletes every row of {}", "更改或删除 {} 的所有行")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["sqlite3 app.db \"DELETE FROM users\"", "psql -c \"DELETE FROM users WHERE 1=1\""], &["psql -c \"DELETE FROM users WHERE id = 1\""]);
    SCHEMA = Rule::new("sql-schema", EffectKind::DatabaseSchema, Risk::Medium, "changes the structure of the database: {}", "更改数据库结构：{}")
        .reversible(Reversible::WithBackup)
        .examples(&["psql -c \"CREATE TABLE t (x int)\""], &["psql -c \"CREATE TEMP TABLE t (x int)\""]);
    DROP = Rule::new("sql-drop", EffectKind::DatabaseSchema, Risk::Critical, "drops {} with all its data", "删除 {} 及其全部数据")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["psql -c \"DROP TABLE users\"", "mysql -e \"TRUNCATE users\""], &["psql -c \"SELECT 'DROP TABLE users'\""]);
    DROP_DATABASE = Rule::new("sql-drop-database", EffectKind::DatabaseSchema, Risk::Critical, "drops the whole database or schema {}", "删除整个数据库或模式 {}")
        .reversible(Reversible::No).priority(Priority::P0)
        .examples(&["mysql -e \"DROP DATABASE shop\"", "psql -c \"DROP SCHEMA public CASCADE\""], &["mysql -e \"SHOW DATABASES\""]);
    RIGHTS = Rule::new("sql-rights", EffectKind::DatabaseRights, Risk::High, "changes who may do what in the database: {}", "更改数据库权限：{}")
        .examples(&["psql -c \"GRANT ALL ON users TO app\""], &["mysql -e \"SHOW GRANTS\""]);
    SERVER = Rule::new("sql-server", EffectKind::System, Risk::High, "changes or disturbs the database server: {}", "更改或干扰数据库服务器：{}")
        .examples(&["mysql -e \"SHUTDOWN\"", "psql -c \"SELECT pg_terminate_backend(1)\""], &["mysql -e \"SHOW PROCESSLIST\""]);
    FILES = Rule::new("sql-files", EffectKind::Overwrite, Risk::High, "reads or writes files of the database server: {}", "读写数据库服务器上的文件：{}")
        .examples(&["psql -c \"SELECT pg_read_file('/etc/passwd')\"", "psql -c \"COPY users TO '/srv/x.csv'\""], &["psql -c \"COPY users TO STDOUT\""]);
    PLANT = Rule::new("sql-plants-code", EffectKind::Privilege, Risk::Critical, "plants a program on the database server: {}", "在数据库服务器上植入程序：{}")
        .absurd().priority(Priority::P0)
        .examples(&["mysql -e \"SELECT '<?php system(1); ?>' INTO OUTFILE '/var/www/html/s.php'\""], &["mysql -e \"SELECT 1\""]);
    COMMAND = Rule::new("sql-runs-command", EffectKind::Execute, Risk::Critical, "runs a command on the database server: {}", "在数据库服务器上运行命令：{}")
        .absurd().priority(Priority::P0)
        .examples(&["psql -c \"COPY t FROM PROGRAM 'id'\"", "sqlcmd -Q \"EXEC xp_cmdshell 'dir'\""], &["psql -c \"SELECT 'xp_cmdshell'\""]);
    CATALOGUE = Rule::new("sql-catalogue", EffectKind::DatabaseSchema, Risk::Critical, "changes the database's own catalogue: {}", "更改数据库自身的系统目录：{}")
        .absurd().priority(Priority::P0)
        .examples(&["psql -c \"DELETE FROM pg_class\""], &["psql -c \"SELECT * FROM pg_class\""]);
    SECRETS = Rule::new("sql-secrets", EffectKind::SecretRead, Risk::High, "shows passwords, their hashes or other secrets: {}", "显示密码、密码哈希或其他机密：{}")
        .examples(&["mysql -e \"SELECT user, authentication_string FROM mysql.user\""], &["mysql -e \"SELECT user FROM mysql.user\""]);
    HIDDEN = Rule::new("sql-hidden", EffectKind::DatabaseWrite, Risk::Medium, "runs something in the database whose effect cannot be seen: {}", "在数据库中运行无法看出效果的内容：{}")
        .examples(&["mysql -e \"CALL purge_logs()\"", "psql -c \"SELECT cleanup_old_rows()\""], &["psql -c \"SELECT now()\""]);
    UNCLEAR = Rule::new("sql-unclear", EffectKind::Opaque, Risk::Medium, "cannot be read as SQL from here: {}", "无法作为 SQL 读取：{}")
        .examples(&["psql -c \"$QUERY\""], &["psql -c \"SELECT 1\""]);
}
