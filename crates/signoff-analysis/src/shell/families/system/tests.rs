use signoff_model::Verdict;

use crate::testing::check;

#[test]
fn looking_at_the_machine_is_fine() {
    check(
        Verdict::Allow,
        &[
            "fdisk -l",
            "sfdisk -d /dev/sda",
            "parted -l",
            "parted /dev/sda print",
            "lvs",
            "vgdisplay",
            "mdadm --detail /dev/md0",
            "cryptsetup luksDump /dev/sda2",
            "zfs list",
            "zpool status",
            "btrfs subvolume list /",
            "wipefs /dev/sda",
            "mkfs.ext4 -V",
            "mkfs.ext4 /tmp/x.img",
            "mount",
            "mount -l",
            "losetup -a",
            "swapon --show",
            "diskutil list",
            "hdiutil info",
            "smartctl -a /dev/sda",
            "tune2fs -l /dev/sda1",
            "blkid",
            "systemctl status firewalld",
            "systemctl --user list-units",
            "systemctl -H host status x",
            "service --status-all",
            "service nginx status",
            "launchctl list",
            "rc-service nginx status",
            "sv status x",
            "supervisorctl status",
            "pm2 list",
            "pm2 logs",
            "pm2 start app.js",
            "nginx -t",
            "apachectl configtest",
            "sshd -t",
            "shutdown --help",
            "shutdown -c",
            "crontab -l",
            "crontab -u bob -l",
            "iptables -L -n",
            "ip6tables -S",
            "nft list ruleset",
            "ufw status",
            "firewall-cmd --list-all",
            "pfctl -s rules",
            "lsmod",
            "modinfo kvm",
            "sysctl -a",
            "sysctl vm.swappiness",
            "dmesg",
            "efibootmgr",
            "sestatus",
            "getenforce",
            "setenforce --help",
            "ip addr",
            "ip a",
            "ip -br link show",
            "ip route get 1.1.1.1",
            "ifconfig",
            "ifconfig eth0",
            "nmcli device status",
            "nmcli con show",
            "nmcli d wifi",
            "route -n",
            "hostname",
            "hostname -I",
            "hostnamectl",
            "timedatectl",
            "timedatectl list-timezones",
            "localectl status",
            "resolvectl status",
            "resolvectl query example.com",
            "apt list --upgradable",
            "apt search x",
            "apt-get install -s jq",
            "apt-get download jq",
            "apt-cache policy jq",
            "dpkg -l",
            "dpkg -S /bin/ls",
            "dpkg --print-architecture",
            "dnf list",
            "dnf search x",
            "yum info x",
            "rpm -qa",
            "rpm -qi bash",
            "pacman -Qs vim",
            "pacman -Ss vim",
            "pacman -Qdt",
            "apk search x",
            "apk info",
            "zypper search x",
            "emerge -p x",
            "snap list",
            "flatpak list",
            "port search x",
            "pkg info",
            "nix-env -q",
            "xbps-query -l",
            "winget list",
            "choco list",
            "scoop list",
            "update-alternatives --display java",
            "journalctl -u app --since -1h",
            "journalctl --list-boots",
            "history",
            "history 20",
            "squeue",
            "sinfo",
            "sacct",
            "scontrol show job 1",
            "adb devices",
            "adb logcat",
            "adb shell getprop",
            "fastboot devices",
            "date",
            "date +%s",
            "date -d yesterday",
            "passwd -S bob",
            "chage -l bob",
            "visudo -c",
            "tmutil listbackups",
            "pmset -g",
            "scutil --dns",
            "networksetup -listallhardwareports",
            "softwareupdate -l",
            "csrutil status",
            "rabbitmqctl list_queues",
            "useradd --help",
            "userdbctl user x",
            "cmd.exe /c dir",
            "grub-script-check x",
        ],
    );
}

#[test]
fn changing_the_machine_asks() {
    check(
        Verdict::Ask,
        &[
            "fdisk /dev/sda",
            "parted /dev/sda mkpart primary 0% 50%",
            "lvcreate -L 1G vg0",
            "mdadm --create /dev/md0",
            "zfs destroy tank/data",
            "btrfs subvolume delete x",
            "resize2fs /dev/sda1",
            "e2fsck -y /dev/sda1",
            "mkswap /dev/sda2",
            "mount /dev/sdb1 /mnt",
            "umount /mnt",
            "swapoff -a",
            "hdiutil attach x.dmg",
            "systemctl restart nginx",
            "systemctl enable --now x",
            "systemctl daemon-reload",
            "systemctl mask x",
            "service nginx stop",
            "launchctl unload x",
            "rc-service nginx restart",
            "sv restart x",
            "supervisorctl restart all",
            "pm2 delete all",
            "nginx -s reload",
            "slurmdbd -s",
            "sshd -D",
            "shutdown -h now",
            "reboot",
            "poweroff",
            "init 0",
            "useradd bob",
            "passwd root",
            "visudo",
            "userdel -r bob",
            "usermod -aG audio bob",
            "chsh -s /bin/zsh",
            "crontab -r",
            "crontab -e",
            "crontab -",
            "crontab jobs.txt",
            "iptables -F",
            "ufw disable",
            "nft flush ruleset",
            "firewall-cmd --add-port=80/tcp",
            "modprobe x",
            "rmmod x",
            "sysctl -w a=1",
            "sysctl a.b=1",
            "grub-install /dev/sda",
            "update-initramfs -u",
            "efibootmgr -b 1 -B",
            "setenforce 0",
            "newrole --level s0-s0:c0.c1023",
            "ip link set eth0 down",
            "ip addr flush dev eth0",
            "ifconfig eth0 down",
            "nmcli con delete x",
            "route add default gw 1.1.1.1",
            "hostnamectl set-hostname x",
            "timedatectl set-timezone UTC",
            "apt-get update",
            "apt-get install -y jq",
            "apt purge x",
            "dpkg -i x.deb",
            "dpkg -r x",
            "dnf install x",
            "yum remove x",
            "rpm -e x",
            "rpm -Uvh x.rpm",
            "pacman -Syu",
            "pacman -Rns x",
            "yay -S x",
            "apk add curl",
            "zypper in x",
            "emerge x",
            "snap install x",
            "flatpak install x",
            "port install x",
            "nix-env -iA x",
            "nixos-rebuild switch",
            "winget install x",
            "choco install x",
            "update-alternatives --config java",
            "ldconfig",
            "journalctl --vacuum-time=1d",
            "history -c",
            "dmesg -C",
            "auditctl -e 0",
            "scancel 42",
            "adb shell rm -rf /sdcard",
            "adb install x.apk",
            "adb reboot",
            "fastboot flash boot x.img",
            "esptool.py write_flash 0 x.bin",
            "stress --cpu 8",
            "date -s 2020-01-01",
            "timedatectl set-time 10:00",
            "hostname newname",
            "apt-get -o APT::Update::Pre-Invoke::=/bin/sh update",
            "a2enmod rewrite",
            "wall hello",
            "cmd.exe /c 'del /s x.txt'",
        ],
    );
}

#[test]
fn destroying_disks_and_raising_rights_is_absurd() {
    check(
        Verdict::Block,
        &[
            "mkfs.ext4 /dev/sdb1",
            "mkfs -t xfs -f /dev/nvme0n1p2",
            "wipefs -a /dev/sda",
            "lvremove -f /dev/vg0/data",
            "vgremove vg0",
            "cryptsetup luksFormat /dev/sda2",
            "zpool destroy tank",
            "blkdiscard /dev/sda",
            "nvme format /dev/nvme0n1",
            "badblocks -wsv /dev/sda",
            "diskutil eraseDisk APFS x disk2",
            "parted -s /dev/sda mklabel gpt",
            "sgdisk --zap-all /dev/sda",
            "hdparm --security-erase p /dev/sda",
            "useradd -o -u 0 -g 0 backup2 -p x",
            "useradd -m -G sudo svc_upd",
            "cmd.exe /d /c 'rd /s /q C:\\'",
        ],
    );
}

#[test]
fn shells_of_routers_are_read() {
    check(
        Verdict::Ask,
        &[
            "vtysh -c 'configure terminal' -c 'no router bgp 65000'",
            "vtysh -c 'clear ip bgp *'",
            "vtysh -f new.conf",
            "vtysh -c 'write memory'",
            "echo 'configure terminal' | vtysh",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "vtysh -c 'show ip bgp'",
            "vtysh -c 'show running-config'",
            "vtysh -c 'show version' -c 'do show clock'",
            "vtysh --help",
        ],
    );
}

#[test]
fn which_disk_an_image_goes_to_decides() {
    check(
        Verdict::Block,
        &[
            "sudo bmaptool copy --nobmap build/core.wic.gz /dev/nvme0n1",
            "rpi-imager --cli x.img /dev/sda",
            "etcher x.img --drive /dev/nvme0n1",
            "partclone.restore -s x -o /dev/sda1",
            "dc3dd wipe=/dev/sda",
            "qemu-img dd if=x of=/dev/sda",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "sudo bmaptool copy x.wic /dev/mmcblk0",
            "rpi-imager --cli x.img /dev/sdc",
            "partclone.restore -s x -o out.img",
        ],
    );
    check(Verdict::Allow, &["bmaptool create x.wic -o x.bmap", "rpi-imager --version", "qemu-img dd if=x of=/tmp/y"]);
}

#[test]
fn data_sets_of_the_system_and_of_homes_are_not_destroyed() {
    check(
        Verdict::Block,
        &[
            "sudo zfs destroy -R rpool/USERDATA",
            "sudo zfs destroy -r rpool",
            "sudo zfs destroy -r rpool/ROOT/ubuntu",
            "sudo zfs destroy -rf tank/home",
            "sudo btrfs subvolume delete /home",
            "sudo btrfs subvolume delete /",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "sudo zfs destroy tank/scratch",
            "sudo zfs destroy -r tank/builds",
            "sudo zfs destroy -r rpool/USERDATA@autosnap_1",
            "sudo zfs destroy rpool/USERDATA",
            "btrfs subvolume delete /mnt/data/snap",
        ],
    );
    check(Verdict::Allow, &["zfs destroy -nvr rpool/USERDATA", "zfs list -r rpool"]);
}

#[test]
fn reading_a_chip_leaves_it_as_it_is() {
    check(
        Verdict::Allow,
        &[
            "avrdude -c arduino -p m328p -P /dev/ttyACM0 -U flash:r:/tmp/b.hex:i",
            "avrdude -c usbasp -p m328p -U lfuse:r:-:h -U hfuse:r:-:h",
            "avrdude -c usbasp -p m328p -U flash:v:a.hex:i",
            "avrdude -c usbasp -p m328p -Uflash:r:/tmp/a.hex:i",
            "flashrom -p ch341a_spi -r /tmp/b.bin",
            "nrfjprog --readcode /tmp/b.hex",
            "picotool save -a /tmp/b.uf2",
            "rkdeveloptool rl 0 100 /tmp/x",
            "esptool.py read_flash 0 0x400000 /tmp/b.bin",
        ],
    );
    check(
        Verdict::Ask,
        &[
            "avrdude -c usbasp -p m328p -U flash:w:a.hex:i",
            "avrdude -c usbasp -p m328p -U flash:r:/tmp/b.hex:i -U lfuse:w:0xff:m",
            "avrdude -c usbasp -p m328p -e",
            "avrdude -c usbasp -p m328p -U a.hex",
            "flashrom -p internal -w bios.bin",
            "nrfjprog --eraseall",
            "picotool load b.uf2",
            "avrdude -c usbasp -p m328p -U flash:r:/etc/motd:r",
        ],
    );
    check(Verdict::Block, &["sudo flashrom -p internal -w /dev/zero", "sudo flashrom -p internal -E"]);
}

#[test]
fn tunnels_are_changed_with_a_question() {
    check(Verdict::Ask, &["wg set wg0 peer x remove", "monit unmonitor all"]);
    check(Verdict::Allow, &["monit status"]);
}

#[test]
fn clones_and_programmers_are_read_by_their_options() {
    check(
        Verdict::Ask,
        &[
            "partclone.ext4 -c -s /dev/sdb1 -o /dev/sdc1",
            "avrdude -p m328p -c usbasp -Fe",
            "avrdude -p m328p -c usbasp -T erase",
            "avrdude -p m328p -c usbasp -Uflash:w:x.hex",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "partclone.ext4 -c -s /dev/sdb1 -o /tmp/sdb1.img",
            "avrdude -p m328p -c usbasp -T 'dump flash 0 64'",
            "avrdude -p m328p -c usbasp -U flash:r:/tmp/x.hex:i",
            "avrdude -p m328p -c usbasp -v",
        ],
    );
}

#[test]
fn orders_for_a_probe_stand_in_a_file() {
    check(Verdict::Ask, &["JLinkExe -CommandFile erase.jlink", "JLinkExe -device X -CommanderScript flash.jlink"]);
}

#[test]
fn all_disks_and_all_accounts_are_meant_by_patterns_and_lists_of_them() {
    check(
        Verdict::Block,
        &[
            r#"for d in /dev/sd?; do sudo mkfs.ext4 -F "$d"; done"#,
            "for d in /dev/sd[a-z]; do dd if=/dev/zero of=$d; done",
            "for d in /dev/nvme*n1; do sudo dd if=/dev/zero of=$d; done",
            "sudo shred /dev/sd*",
            "sudo shred -n1 /dev/nvme?n1",
            "cat /dev/zero | sudo tee /dev/sd*",
            "for d in /dev/vd*; do wipefs -a $d; done",
            "sudo mkfs.ext4 /dev/sd?1",
            "sudo rm -f /dev/sd*",
            "for d in /dev/disk/by-id/*; do shred $d; done",
            "lsblk -dpno NAME | while read d; do sudo dd if=/dev/zero of=$d; done",
            "lsblk -dno NAME | xargs -I{} sudo shred -n1 /dev/{}",
            "lsblk -dno NAME | xargs -I{} sudo dd if=/dev/zero of=/dev/{}",
            "for d in $(lsblk -dpno NAME); do sudo mkfs.ext4 -F $d; done",
            "for d in $(lsblk -dno NAME); do sudo wipefs -a /dev/$d; done",
            "for d in $(lsblk -dno NAME); do sudo blkdiscard -f /dev/$d; done",
            "d=$(lsblk -dpno NAME | head -1); sudo mkfs.ext4 $d",
            "for d in $(ls /dev/sd?); do sudo mkfs.ext4 $d; done",
            "ls /home | xargs -I{} rm -rf /home/{}",
            "lsblk -dpno NAME | xargs sudo wipefs -a",
            "ls /dev/sd* | xargs -n1 sudo wipefs -a",
            r#"find /dev -name 'sd*' -exec shred {} \;"#,
            "fdisk -l | awk '/^Disk/{print $2}' | tr -d : | xargs -n1 sudo shred",
            r#"d=$(findmnt -no SOURCE /); sudo mkfs.ext4 -F "$d""#,
            "sudo dd if=/dev/zero of=$(df / | tail -1 | awk '{print $1}')",
            "sudo sh -c 'for u in $(cut -d: -f1 /etc/passwd); do userdel -rf $u; done'",
            "cut -d: -f1 /etc/passwd | xargs -n1 sudo userdel -r",
            "getent passwd | cut -d: -f6 | xargs rm -rf",
            "sudo rm -rf $(awk -F: '{print $6}' /etc/passwd)",
            r#"awk -F: '{print $6}' /etc/passwd | while read h; do sudo rm -rf "$h"; done"#,
            "sudo userdel -rf root",
            "sudo userdel -r root",
            "sudo deluser --remove-home root",
            r#"for h in /home/*; do sudo rm -rf "$h"; done"#,
            r#"while IFS=: read -r u _ _ _ _ h _; do rm -rf "$h"; done < /etc/passwd"#,
        ],
    );
    check(
        Verdict::Ask,
        &[
            "sudo userdel -r bob",
            "for u in alice bob; do sudo userdel -r $u; done",
            r#"sudo mkfs.ext4 "$PART""#,
            "sudo smartctl -s on /dev/sd?",
            "sudo dd if=/dev/zero of=/swapfile bs=1M count=1024",
        ],
    );
    check(
        Verdict::Allow,
        &[
            "lsblk -dno NAME | xargs -I{} echo /dev/{}",
            "for d in /dev/sd?; do echo $d; done",
            "cut -d: -f1 /etc/passwd | sort | head",
            r#"rm -rf "$(mktemp -d)""#,
            "for d in /dev/null; do echo x > $d; done",
        ],
    );
}

#[test]
fn a_job_that_flows_in_is_submitted_as_well() {
    check(
        Verdict::Ask,
        &[
            "bsub < job",
            "bsub -n 4 -q long < job.lsf",
            "sbatch < job.sh",
            "qsub < job.sh",
            "cat job.sh | qsub",
            "sbatch job.sh",
        ],
    );
    check(
        Verdict::Allow,
        &["bjobs", "squeue", "qstat", "sbatch --test-only job.sh", "bsub -V", "sbatch --help", "qsub --version"],
    );
}
