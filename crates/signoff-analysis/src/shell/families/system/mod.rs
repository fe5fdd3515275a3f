//! The machine: disks, services, accounts, schedules, firewall, kernel, network settings, packages of the system.
//!
//! Most of these tools are described by tables, one module a subject; what needs more than a table stands in `special`.

mod accounts;
mod devices;
mod disks;
mod packages;
mod services;
mod settings;
mod special;

use signoff_model::{EffectKind, Reversible, Risk};

use super::{
    own,
    tool::{self, Tool, Tools},
};
use crate::{
    path_effects::rules,
    rule::{Priority, Rule},
    shell::{Call, Judge, Shell},
    value::Feed,
};

rules! {
    FORMAT_DISK = Rule::new("format-disk", EffectKind::System, Risk::Critical, "destroys what is on a disk or volume: {}", "销毁磁盘或卷上的内容：{}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(
            &["mkfs.ext4 /dev/sdb1", "mkfs -t xfs -f /dev/nvme0n1p2", "wipefs -a /dev/sda", "sudo lvremove -f /dev/vg0/data", "cryptsetup luksFormat /dev/sda2", "diskutil eraseDisk APFS x disk2", "blkdiscard /dev/sda", "sgdisk --zap-all /dev/sda"],
            &["mkfs.ext4 -V", "wipefs /dev/sda", "lvs", "diskutil list", "fdisk -l"],
        );
    CHANGE_DISK = Rule::new("change-disk", EffectKind::System, Risk::Critical, "changes partitions, volumes or a file system: {}", "更改分区、卷或文件系统：{}")
        .reversible(Reversible::No)
        .examples(&["fdisk /dev/sda", "resize2fs /dev/sda1 10G", "lvextend -L +5G /dev/vg0/data", "mkswap /swapfile", "mkfs.ext4 disk.img"], &["fdisk -l", "lsblk", "zpool status"]);
    CHANGE_MOUNT = Rule::new("change-mount", EffectKind::System, Risk::Medium, "attaches or detaches a file system: {}", "挂载或卸载文件系统：{}")
        .reversible(Reversible::Yes)
        .examples(&["mount /dev/sdb1 /mnt", "umount /mnt", "swapoff -a"], &["mount", "mount -l", "findmnt"]);
    CHANGE_SERVICE = Rule::new("change-service", EffectKind::System, Risk::High, "starts, stops or changes a service of the machine: {}", "启动、停止或更改系统服务：{}")
        .examples(&["systemctl restart nginx", "service apache2 stop", "launchctl unload x.plist"], &["systemctl status nginx", "service --status-all", "launchctl list"]);
    START_DAEMON = Rule::new("start-daemon", EffectKind::System, Risk::Medium, "starts or steers a system daemon: {}", "启动或控制系统守护进程：{}")
        .examples(&["nginx -s reload", "sshd -D", "apachectl restart"], &["nginx -t", "apachectl configtest", "sshd -t"]);
    SHUT_DOWN = Rule::new("shut-down", EffectKind::System, Risk::High, "turns the machine off or restarts it: {}", "关机或重启：{}")
        .priority(Priority::P0)
        .examples(&["sudo shutdown -h now", "reboot", "init 6", "systemctl poweroff"], &["shutdown --help", "uptime"]);
    EDIT_ACCOUNTS = Rule::new("edit-accounts", EffectKind::Privilege, Risk::High, "changes accounts, groups or passwords of the machine: {}", "更改系统账户、组或密码：{}")
        .examples(&["useradd bob", "sudo passwd root", "visudo", "userdel -r bob"], &["id bob", "groups", "passwd -S bob", "visudo -c"]);
    RAISE_RIGHTS = Rule::new("raise-rights", EffectKind::Privilege, Risk::Critical, "gives an account the rights of root: {}", "授予账户 root 权限：{}")
        .absurd().priority(Priority::P0)
        .examples(&["sudo useradd -o -u 0 -g 0 backup2", "sudo useradd -m -G sudo svc", "sudo passwd -d root"], &["usermod -aG audio bob", "usermod -aG docker,wheel alice", "groups bob"]);
    SCHEDULE = Rule::new("schedule-job", EffectKind::System, Risk::High, "changes jobs that run by themselves: {}", "更改会自动运行的任务：{}")
        .examples(&["crontab jobs.txt", "crontab -r", "crontab -"], &["crontab -l"]);
    CHANGE_FIREWALL = Rule::new("change-firewall", EffectKind::System, Risk::High, "changes the firewall: {}", "更改防火墙：{}")
        .examples(&["sudo iptables -F", "ufw disable", "nft flush ruleset"], &["iptables -L -n", "ufw status", "nft list ruleset"]);
    CHANGE_KERNEL = Rule::new("change-kernel", EffectKind::System, Risk::High, "changes the kernel or how the machine starts: {}", "更改内核或启动方式：{}")
        .examples(&["modprobe -r kvm", "sysctl -w vm.swappiness=10", "grub-install /dev/sda"], &["lsmod", "sysctl -a", "modinfo kvm"]);
    CHANGE_NETWORK = Rule::new("change-network", EffectKind::System, Risk::High, "changes the machine's network settings: {}", "更改网络设置：{}")
        .examples(&["ip link set eth0 down", "ifconfig eth0 down", "nmcli connection delete x", "wg-quick up wg0"], &["ip addr", "ifconfig", "nmcli device status"]);
    CHANGE_MACHINE = Rule::new("change-machine", EffectKind::System, Risk::High, "changes settings of the whole machine: {}", "更改整机设置：{}")
        .examples(&["timedatectl set-timezone UTC", "setenforce 0", "hostnamectl set-hostname x", "update-alternatives --config java"], &["timedatectl", "getenforce", "hostnamectl"]);
    SYSTEM_PACKAGES = Rule::new("system-packages", EffectKind::System, Risk::High, "changes the packages of the system: {}", "更改系统软件包：{}")
        .examples(&["sudo apt-get install -y jq", "apt-get update", "dnf remove vim", "pacman -Syu", "apk add curl", "snap remove x"], &["apt list --upgradable", "apt-get install -s jq", "pacman -Qs vim", "rpm -qa", "snap list"]);
    HIDE_TRACES = Rule::new("hide-traces", EffectKind::System, Risk::High, "removes traces of what was done: {}", "清除操作痕迹：{}")
        .reversible(Reversible::No)
        .examples(&["journalctl --vacuum-time=1s", "auditctl -e 0"], &["history", "journalctl -u app"]);
    CHANGE_DEVICE = Rule::new("change-device", EffectKind::System, Risk::High, "changes another device or its firmware: {}", "更改外部设备或其固件：{}")
        .reversible(Reversible::No)
        .examples(&["fastboot erase userdata", "adb uninstall com.x", "esptool.py erase_flash", "flashrom -w x.bin"], &["adb devices", "fastboot devices", "adb logcat"]);
    ERASE_FIRMWARE = Rule::new("erase-firmware", EffectKind::System, Risk::Critical, "erases the firmware that the machine starts from: {}", "擦除机器启动所需的固件：{}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["sudo flashrom -p internal -E"], &["flashrom -p internal -r backup.bin", "flashrom --version"]);
    REMOVE_ESSENTIAL = Rule::new("remove-essential", EffectKind::System, Risk::Critical, "removes a package that the system does not run without: {}", "移除系统运行所必需的软件包：{}")
        .absurd().reversible(Reversible::No).priority(Priority::P0)
        .examples(&["sudo apt-get purge -y libc6", "sudo rpm -e --nodeps glibc", "apk del musl"], &["sudo apt-get remove vim", "apt-get install libc6-dev", "rpm -q glibc"]);
    CLUSTER_JOB = Rule::new("cluster-job", EffectKind::NetworkWrite, Risk::Medium, "changes jobs or settings of a shared cluster: {}", "更改共享集群的作业或设置：{}")
        .examples(&["scancel 42", "sbatch job.sh", "scontrol update jobid=1 x=y"], &["squeue", "sinfo", "scontrol show job 1"]);
    BURN = Rule::new("load-machine", EffectKind::System, Risk::Medium, "loads the machine to its limits: {}", "使机器满负荷运行：{}")
        .examples(&["stress --cpu 8", "stress-ng --vm 4"], &["stress --version"]);
}

pub use disks::names_disk;

/// The tables of names of this family.
pub const TABLES: &[super::Find] = &[special::find, devices::find, |name| described(name).map(|_| judge as Judge)];

/// What words do, in the order in which the descriptions are asked.
pub(super) static DESCRIPTIONS: [&Tools; 6] =
    [&disks::TOOLS, &services::TOOLS, &packages::TOOLS, &settings::TOOLS, &accounts::TOOLS, &devices::TOOLS];

fn described(name: &str) -> Option<&'static Tool> {
    DESCRIPTIONS.iter().find_map(|tools| tool::find(tools, name))
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    match call.name.as_str() {
        "passwd" => accounts::opens_root(shell, call),
        "userdel" | "deluser" | "luserdel" => accounts::removes_root(shell, call),
        "shutdown" | "halt" | "poweroff" | "reboot" => services::halts(shell, call),
        "mount" => disks::binds(shell, call),
        _ => {}
    }
    match described(&call.name) {
        Some(described) => {
            let before = shell.findings.risk();
            let out = tool::judge(shell, call, described);
            if shell.findings.risk() > Risk::None && packages::removes_essential(call) {
                tool::speak(shell, call, &REMOVE_ESSENTIAL, 0);
            }
            let names_own = || call.args.iter().any(|arg| own::names_signoff(&arg.shown()));
            // What steers services is watched by what it is asked to do with which of them.
            if shell.findings.risk() > before && !own::is_watched(&call.name) && names_own() {
                tool::speak(shell, call, &own::OWN_PROCESS, 0);
            }
            disks::listed(call).unwrap_or(out)
        }
        None => Feed::none(),
    }
}

#[cfg(test)]
mod tests;
