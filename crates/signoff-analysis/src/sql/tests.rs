use super::{Deed, Dialect, deeds_of_text};

#[track_caller]
fn worst(text: &str, dialect: Dialect) -> Vec<Deed> {
    let mut deeds: Vec<Deed> = deeds_of_text(text, dialect).into_iter().map(|finding| finding.deed).collect();
    deeds.sort();
    deeds
}

#[test]
fn reads_do_nothing() {
    for (dialect, text) in [
        (Dialect::Any, "SELECT * FROM deleted_users LIMIT 5"),
        (Dialect::Any, "select 'DROP TABLE users' as example; -- ; DROP TABLE users"),
        (Dialect::Any, "SELECT replace(name, 'a', 'b'), truncate(x, 2) FROM users WHERE updated_at > now()"),
        (Dialect::Any, "SELECT CASE WHEN status = 'DELETE' THEN 1 ELSE 0 END FROM jobs"),
        (Dialect::Any, "(SELECT 1) UNION (SELECT 2)"),
        (Dialect::Any, "SELECT 'it''s; DROP TABLE x' AS s"),
        (Dialect::Postgres, "SELECT $tag$ ; DELETE FROM users; $tag$ AS t"),
        (Dialect::Postgres, "EXPLAIN DELETE FROM users"),
        (Dialect::Postgres, "EXPLAIN (ANALYZE false) DELETE FROM users"),
        (Dialect::Postgres, "EXPLAIN ANALYZE SELECT 1"),
        (Dialect::Postgres, "COPY (SELECT * FROM users LIMIT 10) TO STDOUT WITH CSV HEADER"),
        (Dialect::Postgres, "SELECT 1 /* outer /* inner */ ; DROP TABLE x */"),
        (Dialect::Postgres, "CREATE TEMP TABLE t AS SELECT 1; INSERT INTO t VALUES (2); DROP TABLE t"),
        (Dialect::Postgres, "SELECT * FROM users WHERE id = 1 FOR UPDATE"),
        (Dialect::Postgres, "PREPARE q AS SELECT * FROM users WHERE id = $1"),
        (Dialect::MySql, "SELECT \"; DROP TABLE users\""),
        (Dialect::MySql, "SELECT 1 # DELETE FROM users"),
        (Dialect::MySql, "SELECT id INTO @x FROM users LIMIT 1"),
        (Dialect::MySql, "SHOW CREATE TABLE users"),
        (Dialect::Sqlite, "PRAGMA table_info(users); PRAGMA user_version; PRAGMA foreign_keys = ON"),
        (Dialect::TSql, "SELECT TOP 10 [drop] FROM [delete from]"),
        (Dialect::TSql, "DECLARE @x INT = 1; SELECT @x"),
        (Dialect::Any, "BEGIN; SELECT 1; COMMIT"),
        (Dialect::Any, "SET search_path TO app, public"),
        (Dialect::Any, "SELECT count(password) FROM users"),
    ] {
        assert_eq!(worst(text, dialect), [], "{text}");
    }
}

#[test]
fn everything_else_is_named() {
    for (dialect, text, deed) in [
        (Dialect::Any, "DELETE FROM users", Deed::WriteAll),
        (Dialect::Any, "DELETE FROM users WHERE 1=1", Deed::WriteAll),
        (Dialect::Any, "UPDATE users SET a = 1 -- WHERE id = 1", Deed::WriteAll),
        (Dialect::Any, "UPDATE users SET a = 1 WHERE id = 1", Deed::Write),
        (Dialect::Any, "SELECT 1; DROP TABLE users; --'", Deed::Drop),
        (Dialect::Any, "DROP\nTABLE\nusers", Deed::Drop),
        (Dialect::Any, "dRoP/**/TaBlE users", Deed::Drop),
        (Dialect::Any, "DROP DATABASE IF EXISTS shop", Deed::DropDatabase),
        (Dialect::Any, "SELECT 1 /*!50000 ; DROP TABLE users */", Deed::Drop),
        (Dialect::Any, "SELECT '\\'; DROP TABLE users; -- '", Deed::Drop),
        (Dialect::Any, "nonsense that is not a statement", Deed::Unclear),
        (Dialect::Any, "ＤＲＯＰ TABLE users", Deed::Unclear),
        (Dialect::Any, "GRANT SELECT ON users TO reporting", Deed::Rights),
        (Dialect::Any, "CREATE TABLE t(x int)", Deed::Schema),
        (Dialect::Any, "ALTER TABLE users DROP COLUMN email", Deed::Drop),
        (
            Dialect::Postgres,
            "WITH gone AS (DELETE FROM users WHERE id = 1 RETURNING *) SELECT * FROM gone",
            Deed::Write,
        ),
        (Dialect::Postgres, "WITH m AS (UPDATE a SET x = 1 WHERE id = 2 RETURNING *) SELECT * FROM m", Deed::Write),
        (Dialect::Postgres, "EXPLAIN (ANALYZE, BUFFERS) DELETE FROM users", Deed::WriteAll),
        (Dialect::Postgres, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity", Deed::Server),
        (Dialect::Postgres, "COPY t FROM PROGRAM 'id'", Deed::Command),
        (Dialect::Postgres, "COPY (SELECT 1) TO PROGRAM 'sh'", Deed::Command),
        (Dialect::Postgres, "COPY users TO '/srv/users.csv'", Deed::Files),
        (Dialect::Postgres, "COPY users FROM '/tmp/users.csv' WITH CSV", Deed::Write),
        (Dialect::Postgres, "SELECT 'a' /* ' */ ; DROP TABLE users -- '", Deed::Drop),
        (Dialect::Postgres, "SELECT * INTO backup FROM users", Deed::Schema),
        (Dialect::Postgres, "SET session_replication_role = replica", Deed::Server),
        (Dialect::Postgres, "SELECT setval('users_id_seq', 1)", Deed::Write),
        (Dialect::Postgres, "DELETE FROM pg_class", Deed::Catalogue),
        (Dialect::Postgres, "SELECT cleanup_old_rows()", Deed::Hidden),
        (Dialect::MySql, "SELECT '<?php ?>' INTO OUTFILE '/var/www/html/s.php'", Deed::Plant),
        (Dialect::MySql, "SELECT * FROM t INTO OUTFILE '/tmp/t.csv'", Deed::Files),
        (Dialect::MySql, "SET PERSIST x = 0", Deed::Server),
        (Dialect::MySql, "SELECT user, authentication_string FROM mysql.user", Deed::Secrets),
        (Dialect::Sqlite, "PRAGMA foreign_keys = OFF", Deed::Server),
        (Dialect::Sqlite, "SELECT edit('a', 'sh')", Deed::Hidden),
        (Dialect::Sqlite, "ATTACH 'x.db' AS y", Deed::Files),
        (Dialect::TSql, "EXEC xp_cmdshell 'dir'", Deed::Command),
        (Dialect::TSql, "SELECT 1 EXEC master..xp_cmdshell 'dir'", Deed::Command),
        (Dialect::TSql, "EXEC('DROP TABLE dbo.Users')", Deed::Drop),
        (Dialect::TSql, "IF 1 = 1 DROP TABLE users", Deed::Drop),
    ] {
        assert!(worst(text, dialect).contains(&deed), "{text}: {:?}", worst(text, dialect));
    }
}
