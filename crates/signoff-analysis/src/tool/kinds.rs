//! The names of known tools.

use signoff_model::FileAction;

use crate::shell::Language;

/// What a known tool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It runs a text in a shell.
    Shell,
    /// It types into a program that runs.
    Types,
    /// It runs code of some language.
    Code(Language),
    /// It does this to the paths it names.
    File(FileAction),
    /// It edits as its own `command` argument says.
    Editor,
    /// It applies a patch.
    Patch,
    /// It runs SQL.
    Sql,
    /// It fetches a page.
    Fetch,
    /// It carries calls of other tools.
    Carrier,
    /// It changes nothing outside the agent's own head.
    Harmless,
}

/// Whether a name says that the tool belongs to some server and not to the agent itself.
pub(super) fn is_foreign(name: &str) -> bool {
    name.starts_with("mcp__") || name.contains(['.', '/', ':'])
}

/// The kinds by name, in lower case and without signs.
pub(super) fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "bash"
        | "shell"
        | "sh"
        | "zsh"
        | "exec"
        | "execcommand"
        | "executecommand"
        | "executebash"
        | "executeshellcommand"
        | "runshellcommand"
        | "runshell"
        | "runcommand"
        | "runcommands"
        | "runbash"
        | "runterminalcmd"
        | "runinterminal"
        | "runterminalcommand"
        | "terminal"
        | "localshell"
        | "localshellcall"
        | "shellcommand"
        | "unifiedexec"
        | "executeshell"
        | "containerexec"
        | "shellexec"
        | "powershell"
        | "developershell"
        | "cmd"
        | "bashcommand"
        | "runcmd"
        | "terminalexecute"
        | "createterminal"
        | "startprocess" => Kind::Shell,
        "writebash"
        | "writestdin"
        | "sendinput"
        | "sendtoterminal"
        | "interactwithprocess"
        | "sendcommandinput"
        | "typetext" => Kind::Types,
        "python" | "runpython" | "executepython" | "pythonexec" | "codeinterpreter" | "ipython" | "executecode"
        | "runcode" | "jupyterexecute" | "runpythoncode" => Kind::Code(Language::Python),
        "runjavascript" | "executejavascript" | "runjs" | "nodeexec" => Kind::Code(Language::JavaScript),
        "read" | "readfile" | "readfiles" | "view" | "viewfile" | "openfile" | "readtextfile" | "readmediafile"
        | "readmanyfiles" | "readmultiplefiles" | "notebookread" | "viewimage" | "catfile" | "fsread"
        | "readfilecontent" | "readfilelines" | "grep" | "searchfilecontent" | "grepsearch" | "greptool"
        | "searchinfile" => Kind::File(FileAction::Read),
        "ls"
        | "list"
        | "listdir"
        | "listdirectory"
        | "listfiles"
        | "listdirectorywithsizes"
        | "directorytree"
        | "glob"
        | "globsearch"
        | "findfiles"
        | "filesearch"
        | "searchfiles"
        | "getfileinfo"
        | "listalloweddirectories"
        | "listcodedefinitionnames"
        | "codebasesearch"
        | "findpath"
        | "findbyname"
        | "globfilesearch" => Kind::File(FileAction::List),
        "write" | "writefile" | "writetofile" | "savefile" | "fswrite" | "createorupdatefile" => {
            Kind::File(FileAction::Write)
        }
        "createfile" | "create" | "createdirectory" | "mkdir" | "makedirectory" | "newfile" | "createnewfile"
        | "createdir" => Kind::File(FileAction::Create),
        "edit"
        | "multiedit"
        | "editfile"
        | "replace"
        | "notebookedit"
        | "strreplace"
        | "searchreplace"
        | "replaceinfile"
        | "inserteditintofile"
        | "replacestringinfile"
        | "multireplacestringinfile"
        | "editnotebook"
        | "editnotebookfile"
        | "insertcontent"
        | "replacefilecontent"
        | "modifyfile"
        | "editblock"
        | "smartedit"
        | "strreplacefile" => Kind::File(FileAction::Edit),
        "appendfile" | "appendtofile" => Kind::File(FileAction::Append),
        "delete" | "remove" | "deletefile" | "removefile" | "deletedirectory" | "removedirectory" | "rm" | "unlink"
        | "deletepath" | "removepath" | "deletefiles" | "deletefolder" => Kind::File(FileAction::Delete),
        "movefile" | "renamefile" | "move" | "rename" | "mv" | "movepath" => Kind::File(FileAction::Move),
        "copyfile" | "copypath" | "cp" | "copy" => Kind::File(FileAction::Copy),
        "chmod" | "setpermissions" | "setfilepermissions" => Kind::File(FileAction::Chmod),
        "createsymlink" | "symlink" => Kind::File(FileAction::Symlink),
        "strreplaceeditor" | "strreplacebasededittool" | "texteditor" | "developertexteditor" => Kind::Editor,
        "applypatch" | "patch" | "applydiff" => Kind::Patch,
        "executesql" | "runsql" | "sql" | "executequery" | "runquery" | "sqlquery" | "query" | "querydatabase"
        | "readquery" | "writequery" | "pgquery" | "mysqlquery" | "executestatement" => Kind::Sql,
        "webfetch" | "fetch" | "fetchurl" | "fetchwebpage" | "urlfetch" | "httprequest" | "fetchhtml"
        | "fetchmarkdown" | "readurl" | "readurlcontent" | "readwebpage" | "openbrowserpage" => Kind::Fetch,
        "websearch"
        | "googlewebsearch"
        | "searchweb"
        | "todowrite"
        | "todoread"
        | "todo"
        | "task"
        | "agent"
        | "exitplanmode"
        | "enterplanmode"
        | "askuserquestion"
        | "askuser"
        | "think"
        | "sequentialthinking"
        | "updateplan"
        | "bashoutput"
        | "taskoutput"
        | "tasklist"
        | "taskget"
        | "taskcreate"
        | "taskupdate"
        | "killshell"
        | "killbash"
        | "taskstop"
        | "skill"
        | "activateskill"
        | "slashcommand"
        | "savememory"
        | "listmcpresources"
        | "readmcpresource"
        | "listmcpresourcestool"
        | "readmcpresourcetool"
        | "toolsearch"
        | "writetodos"
        | "completetask"
        | "attemptcompletion"
        | "askfollowupquestion"
        | "askquestion"
        | "switchmode"
        | "newtask"
        | "readlints"
        | "getdiagnostics"
        | "geterrors"
        | "getchangedfiles"
        | "getterminaloutput"
        | "requestuserinput"
        | "getterminallastcommand"
        | "structuredoutput"
        | "updatetodos"
        | "managetodolist"
        | "lsp"
        | "sleep"
        | "finish"
        | "getinternaldocs"
        | "clidocs"
        | "memory"
        | "reportintent"
        | "readbash"
        | "listbash"
        | "stopbash"
        | "subagent"
        | "codesearch"
        | "listagents"
        | "wait"
        | "waitagent"
        | "semanticsearch"
        | "settodolist"
        | "runsubagent"
        | "delegatetoagent"
        | "finder"
        | "commandstatus"
        | "taskboundary"
        | "viewoutline" => Kind::Harmless,
        "usemcptool" | "calltool" | "mcpcalltool" | "callmcptool" | "invoketool" | "executetool" | "runtool"
        | "usetool" | "batch" | "batchtool" | "parallel" | "multitool" | "runbatch" => Kind::Carrier,
        _ => return None,
    })
}
