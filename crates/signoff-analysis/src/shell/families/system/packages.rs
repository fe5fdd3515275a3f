//! Packages of the operating system.

use super::{CHANGE_MACHINE, SYSTEM_PACKAGES};
use crate::shell::{
    Call,
    families::tool::{
        Does::{Fine, Speaks},
        Tool, tools,
    },
};

/// Packages that the system does not run without.
const ESSENTIAL: &[&str] = &[
    "libc6",
    "libc-bin",
    "glibc",
    "glibc-common",
    "musl",
    "busybox",
    "bash",
    "dash",
    "coreutils",
    "util-linux",
    "base-files",
    "base-passwd",
    "filesystem",
    "dpkg",
    "apt",
    "rpm",
    "pacman",
    "apk-tools",
    "alpine-baselayout",
    "systemd",
    "systemd-sysv",
    "init",
    "login",
    "passwd",
    "libsystemd0",
    "perl-base",
    "kernel-core",
    "linux",
    "setup",
];

/// Whether a package manager is told to remove a package that the system does not run without.
pub(super) fn removes_essential(call: &Call) -> bool {
    let words: Vec<&str> = call.args.iter().filter_map(|arg| arg.known()).collect();
    let removes = match call.name.as_str() {
        "apt" | "apt-get" | "aptitude" | "nala" | "dnf" | "dnf5" | "yum" | "microdnf" | "tdnf" | "zypper" | "apk" => {
            words.iter().any(|word| matches!(*word, "remove" | "purge" | "autoremove" | "erase" | "rm" | "del"))
        }
        "dpkg" => words.iter().any(|word| matches!(*word, "-r" | "-P" | "--remove" | "--purge")),
        "rpm" => words.iter().any(|word| matches!(*word, "-e" | "--erase") || word.starts_with("-e")),
        "pacman" | "yay" | "paru" => words.iter().any(|word| word.starts_with("-R") || *word == "--remove"),
        _ => false,
    };
    removes && words.iter().any(|word| ESSENTIAL.contains(&word.split([':', '=']).next().unwrap_or(word)))
}

tools! { pub(super) TOOLS:
    "aptitude nala" => Speaks(&SYSTEM_PACKAGES),
        options: &[("-s --simulate --dry-run --print-uris", Fine)],
        verbs: &[("search show why why-not download changelog versions list policy depends rdepends", Fine)];
    "apt-cache apt-file apt-rdepends debman deborphan dpigs dpkg-query apt-show-versions apt-listchanges debsecan \
        check-support-status check-dfsg-status vrms ubuntu-security-status apt-config apt-listbugs" => Fine;
    "apt-mark" => Speaks(&SYSTEM_PACKAGES),
        verbs: &[("showmanual showauto showhold showinstall showremove showpurge minimize-manual", Fine)];
    "apt-key add-apt-repository apt-add-repository extrepo dpkg-reconfigure dpkg-divert dpkg-statoverride do-release-upgrade \
        ubuntu-drivers unattended-upgrade unattended-upgrades tasksel deb-get gdebi wajig netselect-apt pacman-mirrors \
        shiny-mirrors pro ubuntu-advantage ua apt-clone tzconfig needrestart checkinstall" => Speaks(&SYSTEM_PACKAGES),
        options: &[("--list -l -c --check-dist-upgrade-only --dry-run --list-keys --list-tasks", Fine)],
        verbs: &[("list finger status devices search show help list-keys version security-status info", Fine)];
    "pacman pacaur yay paru trizen yaourt aurman pikaur" => Speaks(&SYSTEM_PACKAGES),
        options: &[
            ("-p --print", Fine),
            ("-R -U -D --remove --upgrade --database --sysupgrade", Speaks(&SYSTEM_PACKAGES)),
            ("-Ss -Si -Sl -Sg -Sp -Sii -Ssq -Siq -Slq -Q -F -T -V -Sw --search --info --query --files --deptest --list --groups \
                -P -G", Fine),
        ],
        bare: Speaks(&SYSTEM_PACKAGES);
    "pamac pikman aura eopkg urpmi urpme urpmi.update urpmi.addmedia urpmi.removemedia slapt-get slapt-src swupd opkg tlmgr \
        pkgctl pacstall oma xbps-install xbps-remove xbps-reconfigure upgradepkg installpkg removepkg pkgtool pkgadd pkgrm \
        prt-get pkgmk ports upt pkcon apx abroot bootc rpm-ostree zypper dnf dnf4 dnf5 yum microdnf tdnf emerge-webrsync \
        apk" => Speaks(&SYSTEM_PACKAGES),
        values: "--repo --enablerepo --disablerepo --releasever -c --config -R --root -p --repository -X",
        options: &[
            ("--dry-run -n --simulate -s --assumeno --downloadonly --test --print-uris", Fine),
            ("--search --show --list --installed --available --whatprovides --info --depends --check", Fine),
        ],
        verbs: &[
            ("list search info show provides whatprovides repolist repoquery check-update check-upgrade updateinfo history+list \
                history+info deplist grouplist", Fine),
            ("lu se if lr pa patches list-updates packages what-provides pch pt products patterns lp list-patches ll locks \
                download changelog status", Fine),
            ("policy dot version stats audit verify files whatdepends depends list-installed list-upgradable print-architecture \
                readmefirst diff path isinst listinst ls fsize listorphans", Fine),
            ("search-file list-installed-files get-updates get-details get-depends resolve bundle-list bundle-info \
                check-updates list-files repo+list leaves advisory+list", Fine),
            ("list-repo lr ur list-available la li list-newest check cat-file option+show home doc", Fine),
            ("group+list group+info module+list clean reposync versionlock+list candidates dump-tlpdb repository+list \
                repository+status pinning+show", Fine),
            ("key+list platform+list option+showall get-packages toupgrade versions dependents history", Fine),
        ];
    "rpm" => Speaks(&SYSTEM_PACKAGES),
        options: &[
            ("--test", Fine),
            ("-e --erase -U --upgrade -F --freshen --import --rebuilddb --initdb", Speaks(&SYSTEM_PACKAGES)),
            ("-q --query -V --verify -K --checksig --eval --showrc --querytags", Fine),
            ("-i --install", Speaks(&SYSTEM_PACKAGES)),
        ];
    "rpmkeys" => Fine,
        options: &[("--import --delete", Speaks(&SYSTEM_PACKAGES))];
    "rpmspec rpmbuild rpmlint equery qlist eix portageq esearch genlop pkgfile pacgraph pactree pacconf pacinfo \
        pacsift paclog pacreport paccheck expac namcap checkupdates checkupdates-aur auracle urpmq urpmf xbps-query pkginfo \
        pacfile paccapability pacman4console pkgdiff debdiff lintian explodepkg pkgstats" => Fine;
    "emerge" => Speaks(&SYSTEM_PACKAGES),
        options: &[("-p --pretend -s --search -S --searchdesc --info -V --version", Fine)];
    "rankmirrors repo-add debtap check-language-support" => Fine;
    "reflector" => Fine,
        options: &[("--save", Speaks(&SYSTEM_PACKAGES))];
    "ebuild" => Fine;
    "koji copr-cli" => Speaks(&SYSTEM_PACKAGES),
        verbs: &[("buildinfo taginfo download-build help list-builds whoami rpminfo hostinfo taskinfo list-tagged latest-build \
            watch-task call", Fine)];
    "eclean eclean-kernel eselect euse ego emaint etc-update dispatch-conf paccache pacdiff pacman-key pacrepairdb \
        pacrepairfile pacstrap pactrans pacsync paclock pacini vkpurge mhwd mhwd-kernel mhwd-gpu genkernel dkms akmods \
        kernel-install kernelstub repo-remove alien" => Speaks(&SYSTEM_PACKAGES),
        options: &[("-p --pretend -d --dryrun --dry-run -l --list --list-keys --listhw --listd --listi -li -lh --finger -lhd -v \
            --list-sigs", Fine)],
        verbs: &[("list show kernel+list profile+list news+list status", Fine)];
    "snap" => Speaks(&SYSTEM_PACKAGES),
        verbs: &[
            ("list find info version changes known whoami connections interface interfaces get model services logs tasks \
                warnings help aliases debug download pack recovery", Fine),
        ];
    "flatpak" => Speaks(&SYSTEM_PACKAGES),
        options: &[("--no-deploy", Fine)],
        verbs: &[
            ("list search info remotes remote-ls remote-info history ps documents run permissions permission-show config-list \
                help build build-init build-export build-bundle build-finish", Fine),
        ];
    "port fink pkgin" => Speaks(&SYSTEM_PACKAGES),
        options: &[("-y", Fine)],
        verbs: &[
            ("search list info installed outdated contents deps variants provides version echo dependents rdeps rdependents \
                livecheck notes file dir location avail show-deps", Fine),
        ];
    "pkg" => Speaks(&SYSTEM_PACKAGES),
        options: &[("-n --dry-run", Fine)],
        verbs: &[
            ("info search query rquery version stats list-all list-installed show files audit which check shlib list", Fine),
        ];
    "pkg_info pkg_version freebsd-version" => Fine;
    "pkg_add pkg_delete freebsd-update portsnap syspatch sysupgrade" => Speaks(&SYSTEM_PACKAGES),
        bare: Speaks(&SYSTEM_PACKAGES);
    "nix-env" => Speaks(&SYSTEM_PACKAGES),
        options: &[("--dry-run -q --query -qa --list-generations -qaP", Fine)];
    "nixos-rebuild darwin-rebuild home-manager" => Speaks(&CHANGE_MACHINE),
        verbs: &[
            ("build dry-build dry-activate build-vm build-vm-with-bootloader list-generations generations packages news option \
                edit help", Fine),
        ],
        options: &[("--dry-run", Fine)];
    "nixos-option nix-instantiate nix-prefetch-url nixpkgs-review nix-build" => Fine;
    "nix-channel" => Speaks(&SYSTEM_PACKAGES),
        options: &[("--list", Fine)];
    "nix-collect-garbage nixos-container nixos-install nixos-generate-config nh" => Speaks(&CHANGE_MACHINE),
        bare: Speaks(&CHANGE_MACHINE),
        options: &[("--dry-run --dry -n", Fine)],
        verbs: &[("list status show-ip search", Fine)];
    "nix-store" => Fine,
        options: &[
            ("--print-dead --print-roots --print-live", Fine),
            ("--gc --delete --optimise --import --load-db", Speaks(&SYSTEM_PACKAGES)),
        ];
    "winget choco chocolatey" => Speaks(&SYSTEM_PACKAGES),
        options: &[("--noop --what-if -whatif", Fine)],
        verbs: &[
            ("list search show info outdated find source+list help features export validate hash settings", Fine),
        ];
    "scoop" => Speaks(&SYSTEM_PACKAGES),
        verbs: &[("list search info status which prefix cat home help checkup depends export bucket+list bucket+known \
            cache+show download virustotal", Fine)];
    "softwareupdate" => Fine,
        options: &[("-i --install -d --download --install-rosetta --fetch-full-installer --schedule \
            --reset-ignored", Speaks(&SYSTEM_PACKAGES))];
    "installer" => Speaks(&SYSTEM_PACKAGES),
        options: &[("-pkginfo -dominfo -volinfo -query", Fine)],
        whole_words: true;
    "pkgutil" => Fine,
        options: &[("--forget", Speaks(&SYSTEM_PACKAGES))];
    "mas" => Speaks(&SYSTEM_PACKAGES),
        verbs: &[("list search info outdated account version config home vendor", Fine)];
    "update-alternatives alternatives archlinux-java" => Speaks(&CHANGE_MACHINE),
        options: &[("--display --list --query --get-selections", Fine)],
        verbs: &[("status get help", Fine)];
    "topgrade fwupdmgr fwupdtool rauc atomupd-manager archinstall setup-alpine debootstrap mmdebstrap install-tl appman am lure \
        eim owut informant" => Speaks(&SYSTEM_PACKAGES),
        bare: Speaks(&SYSTEM_PACKAGES),
        options: &[("-n --dry-run --list -l", Fine)],
        verbs: &[("get-devices get-updates get-history get-results get-topology get-remotes get-releases get-plugins security \
            info status check list search query download version", Fine)];
    "ostree" => Fine,
        verbs: &[("admin", Speaks(&CHANGE_MACHINE)), ("prune reset", Speaks(&CHANGE_MACHINE))];
    "pecl pear texliveonfly" => Speaks(&SYSTEM_PACKAGES),
        verbs: &[("list search info list-all remote-info list-upgrades version config-show help list-channels download", Fine)];
}
