//! Disks, partitions, volumes and file systems.

use super::{CHANGE_DISK, CHANGE_MOUNT, FORMAT_DISK};
use crate::{
    place::Extent,
    shell::{
        Call, Shell, Written,
        families::tool::{
            self,
            Does::{Fine, Speaks, Words},
            Tool, tools,
        },
        options::{Options, Syntax},
    },
    value::{Feed, Origin, Piece, Value},
};

// What flows into these is looked at first, so that they are found elsewhere.
tools! { pub(super) PARTITIONERS:
    "fdisk gdisk cgdisk" => Speaks(&CHANGE_DISK),
        options: &[("-l --list -x --list-details -s --getsz -V --version", Fine)];
    "sfdisk" => Speaks(&CHANGE_DISK),
        options: &[
            ("-n --no-act", Fine),
            ("--delete", Speaks(&FORMAT_DISK)),
            ("-l --list -d --dump -s --show-size -V --verify -F --list-free -g --show-geometry -J --json -T --list-types \
                -v", Fine),
        ];
}

// What is named decides for these, so that they are found elsewhere as well.
tools! { pub(super) BY_NAME:
    "zfs" => Speaks(&CHANGE_DISK),
        options: &[("-n --dry-run", Fine)],
        verbs: &[
            ("list get diff version holds userspace groupspace", Fine),
            ("snapshot create bookmark hold", Speaks(&CHANGE_MOUNT)),
            ("mount unmount umount share unshare", Speaks(&CHANGE_MOUNT)),
        ];
    "btrfs" => Speaks(&CHANGE_DISK),
        verbs: &[
            ("version help", Fine),
            ("subvolume+list subvolume+show subvolume+get-default subvolume+find-new filesystem+show filesystem+df \
                filesystem+du filesystem+usage", Fine),
            ("device+stats device+usage device+scan scrub+status balance+status quota+show qgroup+show property+get \
                property+list inspect-internal+dump-super", Fine),
            ("subvolume+snapshot subvolume+create subvolume+sync filesystem+sync scrub+start scrub+cancel \
                scrub+resume", Speaks(&CHANGE_MOUNT)),
        ];
}

// Programs that put an image on a disk, or take one from it.
tools! { pub(super) IMAGERS:
    "f3probe f3fix caligula woeusb ventoy balena-etcher balena-etcher-cli etcher usbimager rpi-imager clonezilla ocs-sr \
        isodumper mintstick" => Speaks(&CHANGE_DISK),
        options: &[("--list --read-only -l", Fine)];
    "bmaptool" => Speaks(&CHANGE_DISK),
        verbs: &[("create", Fine)];
    "fsarchiver" => Speaks(&CHANGE_DISK),
        verbs: &[("savefs savedir archinfo probe", Fine)];
    "partclone.ext4 partclone.ext3 partclone.ntfs partclone.fat32 partclone.btrfs partclone.xfs partclone.dd" => Speaks(&CHANGE_DISK),
        options: &[("-c --clone", Fine)];
    "partclone.restore" => Speaks(&CHANGE_DISK);
}

/// Judges a tool whose names did not decide.
pub(super) fn by_table(shell: &mut Shell<'_>, call: &Call) -> Feed {
    tool::find(&BY_NAME, &call.name).map_or_else(|| call.output(), |described| tool::judge(shell, call, described))
}

tools! { pub(super) TOOLS:
    "wipefs" => Fine,
        options: &[("-n --no-act", Fine), ("-a --all -o --offset", Speaks(&FORMAT_DISK))];
    "cfdisk" => Speaks(&CHANGE_DISK),
        options: &[("-l --list -V --version -s --getsz", Fine)];
    "sgdisk" => Speaks(&CHANGE_DISK),
        // Options are worked off in their order, and zapping does not wait for the end: a rehearsal may come too late.
        options: &[
            ("-Z --zap-all -z --zap", Speaks(&FORMAT_DISK)),
            ("-P --pretend", Fine),
            ("-o --clear -d --delete", Speaks(&FORMAT_DISK)),
            ("-p --print -i --info -v --verify -L --list-types -V -D --display-alignment -b --backup -F -f -E", Fine),
        ];
    "blkdiscard" => Speaks(&FORMAT_DISK),
        options: &[("-V", Fine)];
    "storcli storcli64 perccli perccli64 ssacli hpssacli arcconf" => Speaks(&CHANGE_DISK),
        verbs: &[("show getconfig getstatus help", Fine)];
    "megacli MegaCli MegaCli64" => Speaks(&CHANGE_DISK),
        bare: Speaks(&CHANGE_DISK),
        options: &[("-LDInfo -PDList -AdpAllInfo -ShowSummary -EncInfo -LdPdInfo -AdpEventLog -FwTermLog -v -h", Fine)],
        whole_words: true;
    "sfill sswap" => Speaks(&FORMAT_DISK);
    "badblocks" => Fine,
        options: &[("-w", Speaks(&FORMAT_DISK)), ("-n", Speaks(&CHANGE_DISK))];
    "lvremove vgremove pvremove" => Speaks(&FORMAT_DISK),
        options: &[("-t --test", Fine)];
    "lvs vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan lvmdiskscan lvmconfig lvmdump pvck vgck blkid lsblk findfs \
" => Fine;
    "lvcreate lvextend lvreduce lvresize lvchange lvconvert lvrename vgcreate vgextend vgreduce vgrename vgchange vgsplit \
        vgmerge vgexport \
        vgimport vgcfgrestore pvcreate pvmove pvresize pvchange lvm_import_vdo lvmdevices lvmpersist lvmpolld \
            fsadm" => Speaks(&CHANGE_DISK),
        options: &[("-t --test -n --dry-run", Fine)];
    "vgcfgbackup" => Fine;
    "lvm" => Speaks(&CHANGE_DISK),
        verbs: &[
            ("lvremove vgremove pvremove", Speaks(&FORMAT_DISK)),
            ("lvs vgs pvs lvdisplay vgdisplay pvdisplay version help lvscan pvscan vgscan config dumpconfig segtypes \
                formats", Fine),
        ],
        bare: Speaks(&CHANGE_DISK);
    "mdadm" => Speaks(&CHANGE_DISK),
        options: &[
            ("--zero-superblock", Speaks(&FORMAT_DISK)),
            ("-D --detail -Q --query -E --examine -X --examine-bitmap --detail-platform --monitor-test -V", Fine),
        ];
    "cryptsetup" => Speaks(&CHANGE_DISK),
        values: "-c --cipher -s --key-size -h --hash -d --key-file -S --key-slot --type",
        verbs: &[
            ("luksFormat erase luksErase reencrypt", Speaks(&FORMAT_DISK)),
            ("isLuks luksDump status luksUUID benchmark tcryptDump bitlkDump fvault2Dump", Fine),
            ("open luksOpen close luksClose plainOpen tcryptOpen remove create", Speaks(&CHANGE_MOUNT)),
        ];
    "zpool" => Speaks(&CHANGE_DISK),
        options: &[("-n --dry-run", Fine)],
        verbs: &[
            ("list status get iostat history events version", Fine),
            ("scrub", Fine),
            ("destroy labelclear create", Speaks(&FORMAT_DISK)),
        ];
    "zdb dumpe2fs e2freefrag debugreiserfs xfs_info xfs_db xfs_metadump dump.exfat isosize filefrag compsize lsfd \
        e2image" => Fine;
    "bcachefs" => Speaks(&CHANGE_DISK),
        verbs: &[("format", Speaks(&FORMAT_DISK)), ("show-super list fs version usage list_journal", Fine)];
    "stratis storagectl ndctl blkpr lsmcli xfs_admin xfs_growfs xfs_repair tune.exfat exfatlabel fatlabel e2label ntfslabel \
        swaplabel e2undo e4defrag extundelete growpart resizepart delpart addpart reiserfstune jfs_tune" => Speaks(&CHANGE_DISK),
        options: &[("-n --dry-run -N", Fine)],
        verbs: &[("list report status show", Fine)];
    "hdparm" => Fine,
        options: &[
            ("--security-erase --security-erase-enhanced --trim-sector-ranges --make-bad-sector --write-sector --repair-sector \
                --dco-restore --sanitize-block-erase", Speaks(&FORMAT_DISK)),
            ("--security-set-pass --security-unlock --security-disable -N --fwdownload -y -Y -S -B -M -W -s \
                --user-master", Speaks(&CHANGE_DISK)),
        ],
        whole_words: true;
    "nvme" => Speaks(&CHANGE_DISK),
        verbs: &[
            ("format sanitize write write-zeroes write-uncor delete-ns dsm", Speaks(&FORMAT_DISK)),
            ("list list-subsys list-ns list-ctrl smart-log error-log fw-log id-ctrl id-ns get-feature get-log show-regs help \
                version self-test-log discover read", Fine),
        ];
    "smartctl" => Fine,
        options: &[("-s --smart -o --offlineauto -S --saveauto --set", Speaks(&CHANGE_DISK))];
    "fstrim" => Speaks(&CHANGE_DISK),
        options: &[("-n --dry-run -V", Fine)];
    "tune2fs" => Speaks(&CHANGE_DISK),
        options: &[("-l", Fine)];
    "resize2fs resize.f2fs resize.exfat ntfsresize fatresize" => Speaks(&CHANGE_DISK),
        options: &[("-P -i --info -n --no-action", Fine)];
    "e2fsck fsck fsck.ext4 fsck.ext3 fsck.ext2 fsck.vfat fsck.fat fsck.exfat fsck.xfs fsck.btrfs fsck.hfs fsck_hfs fsck_apfs \
        ntfsfix dosfsck" => Speaks(&CHANGE_DISK),
        options: &[("-n -N -V", Fine)];
    "debugfs" => Fine,
        options: &[("-w", Speaks(&CHANGE_DISK))];
    "mount mount.cifs mount.nfs mount.ntfs mount.ddi mount_smbfs mount_nfs mount.fuse" => Speaks(&CHANGE_MOUNT),
        values: "-t --types -o --options",
        options: &[("-l --show-labels -V -f --fake", Fine), ("-a --all", Speaks(&CHANGE_MOUNT))];
    "umount" => Speaks(&CHANGE_MOUNT),
        options: &[("--fake -V", Fine)],
        bare: Speaks(&CHANGE_MOUNT);
    "swapon" => Speaks(&CHANGE_MOUNT),
        options: &[("-s --summary --show", Fine)];
    "swapoff" => Speaks(&CHANGE_MOUNT),
        bare: Speaks(&CHANGE_MOUNT),
        options: &[("-a --all", Speaks(&CHANGE_MOUNT))];
    "zramctl" => Fine,
        options: &[("-f --find -r --reset -s --size", Speaks(&CHANGE_MOUNT))];
    "losetup" => Speaks(&CHANGE_MOUNT),
        options: &[
            ("-d --detach -D --detach-all -f --find", Speaks(&CHANGE_MOUNT)),
            ("-a --all -l --list -j --associated -J --json", Fine),
        ];
    "fusermount fusermount3 bindfs sshfs encfs gocryptfs cryfs cryfs-unmount archivemount simple-mtpfs jmtpfs smbnetfs xmount \
        pmount pumount udevil udiskie udiskie-mount udiskie-umount kpartx partx partprobe veracrypt tomb tcplay curlftpfs s3fs \
        gcsfuse rofiles-fuse ifuse grub-mount sqfuse squashfuse systemd-mount systemd-umount" => Speaks(&CHANGE_MOUNT),
        options: &[("--list -l --show", Fine)],
        verbs: &[("list", Fine)];
    "udisksctl" => Speaks(&CHANGE_MOUNT),
        verbs: &[("status info dump monitor", Fine)];
    "diskutil" => Speaks(&CHANGE_DISK),
        verbs: &[
            ("list info activity listFilesystems verifyVolume verifyDisk", Fine),
            ("apfs+list coreStorage+list appleRAID+list apfs+listUsers apfs+listSnapshots", Fine),
            ("eraseDisk eraseVolume reformat secureErase zeroDisk randomDisk partitionDisk eraseOptical", Speaks(&FORMAT_DISK)),
            ("apfs+deleteContainer apfs+deleteVolume apfs+eraseVolume apfs+deleteVolumeGroup", Speaks(&FORMAT_DISK)),
            ("mount unmount mountDisk unmountDisk eject", Speaks(&CHANGE_MOUNT)),
        ];
    "hdiutil" => Speaks(&CHANGE_MOUNT),
        verbs: &[("info imageinfo verify pmap help isencrypted fsid plugins checksum", Fine), ("create convert \
            makehybrid", Speaks(&CHANGE_MOUNT))];
    "asr" => Speaks(&CHANGE_DISK),
        options: &[("--erase -erase", Speaks(&FORMAT_DISK))],
        verbs: &[("imagescan info verify help version", Fine)],
        whole_words: true;
    "format" => Speaks(&FORMAT_DISK),
        bare: Speaks(&CHANGE_DISK);
    "quotacheck edquota setquota quotaon quotaoff" => Speaks(&CHANGE_DISK),
        bare: Speaks(&CHANGE_DISK);
    "repquota quota" => Fine;
    "fincore vmtouch eject" => Fine;
    "f3write" => Words;
    "photorec testdisk mklost+found" => Speaks(&CHANGE_DISK),
        options: &[("--list --read-only -l", Fine)],
        verbs: &[("/version /list", Fine)];
    "multipath iscsiadm fcoeadm dmsetup mpathconf sg_raw sg_format tgtadm targetcli mt mtx" => Speaks(&CHANGE_DISK),
        options: &[("-l -ll --list", Fine)],
        verbs: &[("ls info status table deps targets", Fine)];
}

/// Whether a value is what a program says about the disks of the machine: whichever it is, it is one of them.
pub fn names_disk(value: &Value) -> bool {
    const PROGRAMS: &[&str] = &["findmnt", "df", "mount", "rdev", "lsblk", "blkid", "fdisk", "sfdisk"];
    let begins = matches!(value.pieces().first(), Some(Piece::Unknown(_))) || value.prefix().starts_with("/dev/");
    begins && value.origins().any(|origin| matches!(origin, Origin::Program(name) if PROGRAMS.contains(&name.as_str())))
}

/// The disks that a program prints the names of: what is done to each of them is done to every disk of the machine.
pub(super) fn listed(call: &Call) -> Option<Feed> {
    const SYNTAX: Syntax = Syntax {
        short_values: "oexIMTEwstSN",
        long_values: &["output", "source", "target"],
        long_flags: &["paths", "list"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    let columns = options.value(&["o", "output"]).map(|columns| columns.shown().to_ascii_uppercase());
    let names =
        |wanted: &[&str]| columns.as_ref().is_some_and(|all| all.split(',').any(|column| wanted.contains(&column)));
    let (lists, paths) = match call.name.as_str() {
        "lsblk" => (
            columns.is_none() || names(&["NAME", "KNAME", "PATH", "PKNAME"]),
            options.has(&["p", "paths"]) || names(&["PATH"]),
        ),
        "blkid" => (names(&["DEVICE"]) || options.has(&["L", "U"]), true),
        _ => (false, false),
    };
    let under = if paths { "/dev/sd*" } else { "sd*" };
    let listing = || Origin::Listing { by: call.name.to_string(), under: under.to_owned() };
    lists.then(|| Feed::from_all(vec![Origin::Program(call.name.as_str().into()), listing()]))
}

/// `mount --bind a b`: what happens in the one directory happens in the other from then on, as through a link.
pub(super) fn binds(shell: &mut Shell<'_>, call: &Call) {
    let options = Options::read(
        &call.args,
        &Syntax { short_values: "toLU", long_values: &["types", "options"], ..Syntax::default() },
    );
    let by_option =
        options.values(&["o", "options"]).any(|value| value.shown().split(',').any(|word| word.ends_with("bind")));
    if !by_option && !options.has(&["bind", "rbind", "B", "R", "M", "move"]) {
        return;
    }
    if let [source, target] = options.operands.as_slice() {
        let (leads, entry) = (shell.place(&source.value), shell.place(&target.value));
        if leads.extent == Extent::Exact {
            shell.remember_made(&entry, Written::Link(leads.path.clone()));
        }
    }
}
