//! Accounts, groups and passwords of the machine; jobs that run by themselves.

use super::{CHANGE_MACHINE, EDIT_ACCOUNTS};
use crate::{
    path_effects::ACCOUNTS,
    shell::{
        Call, Shell,
        families::tool::{
            self,
            Does::{Fine, Speaks},
            Tool, tools,
        },
        is_from_accounts,
    },
    value::Arg,
};

/// `passwd`: an account of root without a password is open to everybody.
pub(super) fn opens_root(shell: &mut Shell<'_>, call: &Call) {
    let opens = call.args.iter().any(|arg| arg.is("-d") || arg.is("--delete"));
    if opens && call.has("root") {
        tool::speak(shell, call, &super::RAISE_RIGHTS, 0);
    }
}

/// `userdel`: without the account of root, or without any account, the machine is lost.
pub(super) fn removes_root(shell: &mut Shell<'_>, call: &Call) {
    let everybody = |arg: &Arg| arg.value.origins().any(is_from_accounts);
    if !call.asks_for_help() && call.args.iter().any(|arg| arg.is("root") || everybody(arg)) {
        tool::speak(shell, call, &ACCOUNTS, 0);
    }
}

tools! { pub(super) TOOLS:
    "userdel deluser delgroup groupdel groupmod groupadd addgroup chfn chsh newusers chpasswd chgpasswd vipw vigr pwconv \
        pwunconv \
        grpconv grpunconv pwck grpck lchage lchsh luseradd lusermod luserdel mkhomedir_helper" => Speaks(&EDIT_ACCOUNTS),
        options: &[("-l --list-shells --read-only", Fine)],
        bare: Speaks(&EDIT_ACCOUNTS);
    "adcli realm sss_override samba-tool kadmin kadmin.local ipa" => Speaks(&EDIT_ACCOUNTS),
        verbs: &[("list info testjoin discover listprincs getprinc user-find user-show group-find", Fine)];
    "passwd" => Speaks(&EDIT_ACCOUNTS),
        bare: Speaks(&EDIT_ACCOUNTS),
        options: &[("-S --status", Fine), ("-d -l -u -e -n -x -w -i --delete --lock --unlock --expire \
            --stdin", Speaks(&EDIT_ACCOUNTS))];
    "chage" => Speaks(&EDIT_ACCOUNTS),
        options: &[("-l --list", Fine)];
    "visudo" => Speaks(&EDIT_ACCOUNTS),
        bare: Speaks(&EDIT_ACCOUNTS),
        options: &[("-c --check -V", Fine), ("-f -x", Speaks(&EDIT_ACCOUNTS))];
    "faillock" => Fine,
        options: &[("--reset", Speaks(&EDIT_ACCOUNTS))];
    "fprintd-enroll fprintd-delete howdy" => Speaks(&EDIT_ACCOUNTS),
        bare: Speaks(&EDIT_ACCOUNTS),
        verbs: &[("list test", Fine)];
    "fprintd-list fprintd-verify lslogins users who w id groups whoami logname pinky ac sa" => Fine;
    "dscl" => Speaks(&EDIT_ACCOUNTS),
        verbs: &[(".+list .+read .+search .+readall .+ls localhost+list /Local/Default+list /Search+list /Search+read \
            localhost+read", Fine)],
        options: &[("-list -read -search -readall -readpl -authonly -ls -cat", Fine)],
        whole_words: true;
    "sysadminctl" => Fine,
        options: &[("-addUser -deleteUser -resetPasswordFor -newPassword -secureTokenOn -secureTokenOff -guestAccount \
            -smbGuestAccess -afpGuestAccess -automaticTime -filesystem -screenLock", Speaks(&EDIT_ACCOUNTS))],
        whole_words: true;
    "sudo_logsrvd sudoreplay" => Fine;
    "anacron fcrontab incrontab" => Speaks(&super::SCHEDULE),
        bare: Speaks(&super::SCHEDULE),
        options: &[("-T -l --list", Fine)];
    "chntpw pam_tally2 google-authenticator ykpamcfg" => Speaks(&CHANGE_MACHINE),
        options: &[("-l", Fine)];
}
