//! What stands at a path of the operating system.

use super::{is_within, names, nature::Nature};
use crate::{
    shell::expand::pattern::Pattern,
    words::{Words, lines},
};

/// What a device is.
pub(super) fn device(path: &str) -> Nature {
    static STREAMS: Words<32> = Words::of_lines(lines![
        "/dev/null",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/stdin",
        "/dev/tty",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/console",
        "/dev/ptmx",
    ]);
    if STREAMS.holds(path)
        || path.starts_with("/dev/fd/")
        || path.starts_with("/dev/pts")
        || path.starts_with("/dev/tty")
    {
        return Nature::Stream;
    }
    if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") {
        return Nature::Connection;
    }
    // Devices that store nothing. Any other may be a disk, whatever its name.
    const OTHERS: &[&str] = &[
        "pty", "nul", "snd", "dsp", "audio", "mixer", "input", "dri", "video", "net", "kmsg", "log", "watchdog", "rtc",
        "bus", "char", "hidraw", "i2c", "lp", "fuse", "kvm", "vhost", "usb/", "serial", "uinput", "hpet", "ppp", "cu.",
        "vcs", "std",
    ];
    let name = path.trim_start_matches("/dev/");
    if OTHERS.iter().any(|other| name.starts_with(other)) { Nature::SystemFile } else { Nature::Disk }
}

/// Whether a pattern among the devices says that it means disks: it matches the usual name of one, or begins as no other
/// device does.
pub(super) fn may_be_disk(pattern: &str) -> bool {
    const DISKS: &[&str] = &["sda", "sda1", "hda", "vda", "xvda", "nvme0n1", "nvme0n1p1", "mmcblk0", "disk0", "rdisk0"];
    let letters = pattern.split(['*', '?', '[']).next().unwrap_or_default();
    let compiled = Pattern::new(pattern);
    pattern.bytes().any(|byte| byte.is_ascii_alphanumeric()) && DISKS.iter().any(|disk| compiled.matches(disk))
        || letters.len() > 1 && device(&format!("/dev/{letters}")) == Nature::Disk
}

/// What another path of the system is.
pub(super) fn system(path: &str) -> Nature {
    static ACCOUNTS: Words<32> = Words::of_lines(lines![
        "/etc/passwd",
        "/etc/shadow",
        "/etc/group",
        "/etc/gshadow",
        "/etc/sudoers",
        "/etc/sudoers.d",
        "/etc/pam.d",
        "/etc/ld.so.preload",
        "/etc/doas.conf",
        "/etc/security",
        "/etc/polkit-1",
        "/etc/passwd-",
        "/etc/shadow-",
        "/private/etc/sudoers",
    ]);
    // Whatever lies among the modules of the log-in decides about it.
    if ACCOUNTS.holds_start_of(path) || path.contains("/security/pam_") {
        return Nature::Accounts;
    }
    static START_UP: Words<64> = Words::of_lines(lines![
        "/etc/cron.d",
        "/etc/cron.daily",
        "/etc/cron.hourly",
        "/etc/cron.weekly",
        "/etc/cron.monthly",
        "/etc/crontab",
        "/var/spool/cron",
        "/etc/rc.local",
        "/etc/init.d",
        "/etc/systemd/system",
        "/lib/systemd/system",
        "/usr/lib/systemd/system",
        "/etc/profile",
        "/etc/profile.d",
        "/etc/bash.bashrc",
        "/etc/zshrc",
        "/etc/environment",
        "/etc/xdg/autostart",
        "/Library/LaunchDaemons",
        "/Library/LaunchAgents",
        "/etc/udev/rules.d",
    ]);
    if START_UP.holds_start_of(path) {
        return Nature::StartUp;
    }
    if names::SYSTEM_TREES.holds(path) {
        return Nature::SystemTree;
    }
    if is_within(path, "/var/cache") || is_within(path, "/var/lib/apt/lists") {
        return Nature::Cache;
    }
    if is_within(path, "/var/www")
        || is_within(path, "/var/lib")
        || is_within(path, "/var/backups")
        || is_within(path, "/var/spool")
    {
        return Nature::Data;
    }
    Nature::SystemFile
}
