//! Settings of the machine: firewall, kernel and boot, network, time and language, security modules, printers.

use super::{BURN, CHANGE_FIREWALL, CHANGE_KERNEL, CHANGE_MACHINE, CHANGE_NETWORK, HIDE_TRACES, SHUT_DOWN};
use crate::shell::families::tool::{
    Does::{Fine, Speaks},
    Tool, tools,
};

tools! { pub(super) TOOLS:
    // Firewall.
    "iptables ip6tables iptables-legacy iptables-nft ebtables arptables" => Speaks(&CHANGE_FIREWALL),
        options: &[
            ("-F --flush -X --delete-chain -A --append -D --delete -I --insert -P --policy -N --new-chain -Z --zero -R \
                --replace -E --rename-chain", Speaks(&CHANGE_FIREWALL)),
            ("-L --list -S --list-rules -C --check -V", Fine),
        ];
    "iptables-save ip6tables-save arptables-save ebtables-save iptables-xml" => Fine;
    "iptables-restore ip6tables-restore arptables-restore ebtables-restore ufw-init netfilter-persistent \
        iptables-apply" => Speaks(&CHANGE_FIREWALL),
        bare: Speaks(&CHANGE_FIREWALL),
        options: &[("-t --test", Fine)];
    "nft" => Speaks(&CHANGE_FIREWALL),
        options: &[("-c --check", Fine), ("-f --file -i --interactive", Speaks(&CHANGE_FIREWALL))],
        verbs: &[("list monitor describe", Fine)];
    "ufw" => Speaks(&CHANGE_FIREWALL),
        options: &[("--dry-run", Fine)],
        verbs: &[("status show version app+list app+info", Fine)];
    "firewall-cmd firewall-offline-cmd" => Fine,
        options: &[
            ("--add-service --add-port --add-rich-rule --add-source --add-interface --add-masquerade --add-forward-port \
                --add-protocol --add-icmp-block", Speaks(&CHANGE_FIREWALL)),
            ("--remove-service --remove-port --remove-rich-rule --remove-source --remove-interface --remove-masquerade \
                --remove-forward-port --remove-protocol", Speaks(&CHANGE_FIREWALL)),
            ("--reload --complete-reload --runtime-to-permanent --set-default-zone --change-interface --change-zone --panic-on \
                --panic-off --new-zone --delete-zone --set-target --new-service --delete-service --set-log-denied --direct \
                --new-ipset --delete-ipset", Speaks(&CHANGE_FIREWALL)),
        ];
    "pfctl" => Speaks(&CHANGE_FIREWALL),
        options: &[("-n", Fine), ("-e -d -f -F -k -K -E -X", Speaks(&CHANGE_FIREWALL)), ("-s -v", Fine)];
    "ipset" => Speaks(&CHANGE_FIREWALL),
        verbs: &[("list save test help version", Fine)];
    "conntrack pve-firewall xdp-filter upnpc shorewall csf ipfw" => Speaks(&CHANGE_FIREWALL),
        options: &[("-L --dump -E --event -S --stats -C --count -l -s", Fine)],
        verbs: &[("status show list compile localnet simulate version", Fine)];
    // Kernel and boot.
    "modprobe" => Speaks(&CHANGE_KERNEL),
        options: &[("-n --dry-run -D --show-depends -c --showconfig --show", Fine), ("-r --remove", Speaks(&CHANGE_KERNEL))];
    "insmod rmmod depmod kexec kextload kextunload kmutil kldload kldunload" => Speaks(&CHANGE_KERNEL),
        options: &[("-n --show --dry-run", Fine)],
        bare: Fine;
    "kmod" => Speaks(&CHANGE_KERNEL),
        verbs: &[("list static-nodes help", Fine)];
    "lsmod modinfo lsinitcpio lsinitrd kextstat dmidecode efibootdump sestatus getenforce getsebool grub-probe grub-file \
        grub-script-check grub-mkpasswd-pbkdf2 grub2-mkpasswd-pbkdf2 os-prober linux-boot-prober slabtop lshw lspci lsusb lscpu \
        lsmem hwinfo inxi biosdecode decode-dimms" => Fine;
    "dmesg" => Fine,
        options: &[
            ("-C --clear -c --read-clear", Speaks(&HIDE_TRACES)),
            ("-n --console-level -D --console-off -E --console-on", Speaks(&CHANGE_KERNEL)),
        ];
    "grub-install grub2-install grub-mkconfig grub2-mkconfig grub-reboot grub-set-default grub-bios-setup grubby update-grub \
        update-initramfs mkinitcpio mkinitfs dracut bootctl extlinux lilo bless limine limine-install \
        limine-update limine-entry-tool limine-enroll-config limine-scan limine-snapper-restore limine-snapper-sync ukify sbctl \
        update-secureboot-policy rpi-eeprom-update raspi-config refind-install zipl" => Speaks(&CHANGE_KERNEL),
        bare: Speaks(&CHANGE_KERNEL),
        options: &[("--info --info=ALL --default-kernel --default-title -L --listhooks --dry-run --list-modules", Fine)],
        verbs: &[("status list list-files verify inspect is-installed systemd-efi-options list-enrolled-keys \
            nonint+get_hostname", Fine)];
    "grub-editenv" => Fine,
        verbs: &[("create", Fine)];
    "grub-mkrescue" => Fine;
    "efibootmgr" => Fine,
        options: &[("-c --create -b --bootnum -B --delete-bootnum -o --bootorder -n --bootnext -N -O -D -t --timeout -a \
            --active -A --inactive -T", Speaks(&CHANGE_KERNEL))];
    "efivar" => Fine,
        options: &[("-w --write -a --append", Speaks(&CHANGE_KERNEL))];
    "mokutil" => Fine,
        options: &[("-i --import -d --delete --reset --disable-validation --enable-validation --password --set-verbosity \
            --revoke-import --revoke-delete --clear-password --ignore-db", Speaks(&CHANGE_KERNEL))];
    "bpftool" => Fine,
        verbs: &[("prog+load prog+attach prog+detach map+update map+delete net+attach net+detach cgroup+attach \
            cgroup+detach", Speaks(&CHANGE_KERNEL))];
    "chcpu chmem cpuctl swapspace kpatch livepatch canonical-livepatch crashctl kdumpctl" => Speaks(&CHANGE_KERNEL),
        verbs: &[("status", Fine)];
    // Security modules and the audit.
    "setenforce setsebool togglesebool semanage semodule restorecon restorecon_xattr fixfiles setfiles load_policy run_init \
        chcat aa-enforce aa-complain aa-disable aa-audit aa-teardown aa-remove-unknown aa-genprof aa-logprof aa-cleanprof \
        aa-mergeprof aa-update-browser apparmor_parser authconfig authselect pam-auth-update update-crypto-policies \
        fips-mode-setup csrutil tccutil" => Speaks(&CHANGE_MACHINE),
        bare: Fine,
        options: &[("-l --list -n --status -N --names --list-modules --test --show -E --extract --assess", Fine)],
        verbs: &[("status list export current check check-is-default", Fine)];
    "newrole" => Speaks(&CHANGE_MACHINE),
        bare: Speaks(&CHANGE_MACHINE),
        options: &[("-r --role -t --type -l --level", Speaks(&CHANGE_MACHINE))];
    "aa-status aa-unconfined aa-decode apparmor_status audit2allow audit2why matchpathcon ausearch aureport ausyscall lastcomm \
        secon sesearch seinfo sealert" => Fine;
    "auditctl" => Speaks(&CHANGE_MACHINE),
        options: &[
            ("-e -D -d", Speaks(&HIDE_TRACES)),
            ("-l -s -v", Fine),
            ("-w -a -A -b -f -r -R", Speaks(&CHANGE_MACHINE)),
        ];
    // Traces.
    "journalctl" => Fine,
        options: &[
            ("--vacuum-size --vacuum-time --vacuum-files --rotate --relinquish-var --flush --sync --setup-keys --update-catalog \
                --smart-relinquish-var", Speaks(&HIDE_TRACES)),
        ],
        whole_words: true;
    "logrotate" => Speaks(&CHANGE_MACHINE),
        options: &[("-d --debug", Fine)];
    "utmpdump" => Fine,
        options: &[("-r --reverse", Speaks(&HIDE_TRACES))];
    "bleachbit" => Speaks(&HIDE_TRACES),
        options: &[("-l --list-cleaners -p --preview --sysinfo", Fine)];
    // Network.
    "ifup ifdown ifrename ifenslave ifmetric wondershaper macchanger wpa_supplicant dhclient dhcpcd dhcpcd5 udhcpc netplan vpnc \
        vpnc-disconnect openvpn openvpn3 openconnect openfortivpn wg-quick nordvpn protonvpn mullvad ivpn piactl mozillavpn \
        expressvpn windscribe gpclient f5fpc warp-cli zerotier-cli netbird twingate create_ap airmon-ng wifi-menu \
        ntpdate htpdate ipsec swanctl strongswan networkctl hostapd_cli rfkill" => Speaks(&CHANGE_NETWORK),
        bare: Fine,
        options: &[("-s --show --status -S --list --dry-run -q", Fine)],
        verbs: &[("status list show show-config get ip info help version settings account countries cities groups sessions-list \
            configs-list listnetworks listpeers peers lldp servers relay+list check monitor dump feedback regions statusall \
            state map", Fine)];
    "tailscale" => Speaks(&CHANGE_NETWORK),
        verbs: &[("status ip ping netcheck version whois bugreport metrics licenses dns exit-node+list drive+list \
            lock+status", Fine)];
    "iwlist iwinfo ifstat iwgetid ifdata nstat nm-online ifstatus lldpctl ip6calc ifplugstatus iwspy" => Fine;
    "nmtui wpa_cli mmcli connmanctl" => Speaks(&CHANGE_NETWORK),
        bare: Speaks(&CHANGE_NETWORK),
        options: &[("-L --list-modems", Fine)],
        verbs: &[("status scan scan_results list_networks signal_poll technologies services state", Fine)];
    "brctl" => Speaks(&CHANGE_NETWORK),
        verbs: &[("show showmacs showstp", Fine)];
    "ethtool" => Fine,
        options: &[("-s --change -K --offload --features -A --pause -G --set-ring -L --set-channels -E --change-eeprom -C \
            --coalesce -f --flash -r --negotiate --reset -X -N -U -W -t --test", Speaks(&CHANGE_NETWORK))],
        whole_words: true;
    "hostname dnsdomainname nisdomainname domainname ypdomainname" => Speaks(&CHANGE_MACHINE),
        options: &[("-f --fqdn --long -s --short -i --ip-address -I --all-ip-addresses -d --domain -A --all-fqdns -y --yp --nis \
            -a --alias", Fine), ("-F --file -b --boot", Speaks(&CHANGE_MACHINE))];
    "hostnamectl" => Speaks(&CHANGE_MACHINE),
        verbs: &[("status", Fine), ("hostname icon-name chassis deployment location", Speaks(&CHANGE_MACHINE))];
    "timedatectl" => Speaks(&CHANGE_MACHINE),
        verbs: &[("status show list-timezones timesync-status show-timesync", Fine)];
    "localectl" => Speaks(&CHANGE_MACHINE),
        verbs: &[("status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts list-x11-keymap-variants \
            list-x11-keymap-options", Fine)];
    "resolvconf" => Speaks(&CHANGE_NETWORK),
        options: &[("-l -i", Fine)];
    "hwclock" => Fine,
        options: &[("-w --systohc -s --hctosys --set --adjust -a --setepoch", Speaks(&CHANGE_MACHINE))];
    "chronyc ntpq ntpctl" => Fine,
        verbs: &[("makestep burst online offline add delete shutdown settime", Speaks(&CHANGE_MACHINE))];
    "locale-gen localedef ldconfig update-ca-certificates update-ca-trust trust update-locale dpkg-preconfigure \
        setkeycodes" => Speaks(&CHANGE_MACHINE),
        bare: Speaks(&CHANGE_MACHINE),
        options: &[("-p --print-cache --list-archive --usage", Fine)],
        verbs: &[("list dump extract check", Fine)];
    "pivot_root switch_root sulogin cgcreate cgclassify cgdelete cgset lbu uci ubus \
        sysupdate" => Speaks(&CHANGE_MACHINE),
        verbs: &[("show get list status st", Fine)],
        options: &[("-v", Fine)];
    "snapper timeshift btrbk rusnapshot" => Speaks(&CHANGE_MACHINE),
        values: "-c --config",
        options: &[("--list --list-devices -n --dry-run", Fine)],
        verbs: &[("list list-configs status diff ls get-config list-plugins create dryrun config stats usage", Fine)];
    "lpadmin lpmove cupsenable cupsdisable cupsaccept cupsreject cupsctl accept reject tunelp" => Speaks(&CHANGE_MACHINE),
        bare: Fine;
    "lpstat lpq lpinfo lpoptions cupstestppd cups-config ippfind" => Fine;
    "lp lpr" => Speaks(&CHANGE_MACHINE);
    "spctl" => Speaks(&CHANGE_MACHINE),
        options: &[
            ("--master-disable --master-enable --global-disable --global-enable --add --remove --enable --disable \
                --reset-default", Speaks(&CHANGE_MACHINE)),
            ("-a --assess --status", Fine),
        ];
    "cancel lprm" => Speaks(&CHANGE_MACHINE),
        bare: Speaks(&CHANGE_MACHINE);
    "setserial inputattach i2cset setpci vbetool ledctl hd-idle fancontrol liquidctl openrgb intel-undervolt \
        ryzenadj nvidia-settings nvidia-xconfig dcgmi prime-select optimus-manager envycontrol switcherooctl chvt \
        keyd" => Speaks(&CHANGE_MACHINE),
        bare: Fine,
        options: &[("-l --list -g --list-devices -q --query", Fine)],
        verbs: &[("list status query monitor discovery launch dmon check list-keys", Fine)];
    "nvidia-smi" => Fine,
        options: &[("-r --gpu-reset -pl --power-limit -pm --persistence-mode -c --compute-mode -mig --multi-instance-gpu -e \
            --ecc-config -lgc --lock-gpu-clocks -ac", Speaks(&CHANGE_MACHINE))],
        whole_words: true;
    "bluetoothctl hcitool hciconfig btmgmt rfcomm" => Fine,
        verbs: &[("remove pair power trust untrust block unblock connect disconnect discoverable reset up \
            down", Speaks(&CHANGE_MACHINE))];
    // macOS.
    "pmset" => Speaks(&CHANGE_MACHINE),
        options: &[("-g", Fine)],
        verbs: &[("sleepnow", Speaks(&SHUT_DOWN)), ("displaysleepnow", Fine)];
    "scutil" => Fine,
        options: &[("--set --prefs", Speaks(&CHANGE_NETWORK))],
        whole_words: true;
    "dscacheutil" => Fine;
    "tmutil" => Speaks(&CHANGE_MACHINE),
        verbs: &[("status listbackups latestbackup destinationinfo machinedirectory compare isexcluded listlocalsnapshots \
            listlocalsnapshotdates version uniquesize calculatedrift verifychecksums currentphase localsnapshot \
            startbackup", Fine)];
    "nvram" => Fine,
        options: &[("-c -d", Speaks(&CHANGE_MACHINE))];
    "profiles dsconfigad dsenableroot fdesetup jamf bputil" => Speaks(&CHANGE_MACHINE),
        verbs: &[("status list show isactive validate supportsauthrestart version", Fine)],
        options: &[("-show -list", Fine)];
    "lsregister mdutil mdimport kickstart" => Speaks(&CHANGE_MACHINE),
        options: &[("-s -dump -L", Fine)];
    // Windows.
    "regedit sfc assoc ftype secedit" => Speaks(&CHANGE_MACHINE),
        verbs: &[("query queryex /query show list view statistics interface+show wlan+show /enum qdescription qc time \
            user+/domain config export get", Fine)],
        options: &[("/?", Fine)];
    // Load.
    "stress stress-ng stressapptest cpuburn burnP6 mprime memtester s-tui furmark" => Speaks(&BURN),
        bare: Fine,
        options: &[("--stressors --sysinfo", Fine), ("-c --cpu -m --vm -d --hdd -i --io -s -M --matrix --all -a \
            --sequential", Speaks(&BURN))];
    "steamos-factory-reset steamos-factory-reset-config steamos-devmode steamos-readonly steamos-update steamos-select-branch \
        steamos-finalize-install steamos-bootdebug steamos-chroot steamosctl steamos-session-select" => Speaks(&CHANGE_MACHINE),
        bare: Speaks(&CHANGE_MACHINE),
        verbs: &[("status check", Fine)];
    "udevadm" => Fine,
        verbs: &[("trigger control hwdb", Speaks(&CHANGE_MACHINE))];
    "cloud-init" => Speaks(&CHANGE_MACHINE),
        verbs: &[("status query schema features collect-logs analyze devel", Fine)],
        options: &[("--version", Fine)];
    "etckeeper" => Speaks(&CHANGE_MACHINE),
        verbs: &[("unclean vcs list-installed", Fine)];
    "postconf testparm" => Fine,
        options: &[("-e -X -#", Speaks(&CHANGE_MACHINE))];
    "exiqgrep mailq" => Fine;
    "postsuper exim_tidydb" => Speaks(&CHANGE_MACHINE);
    "mariadb-install-db register_new_matrix_user mosquitto_passwd smbpasswd pdbedit htdigest \
        elasticsearch-reset-password elasticsearch-users elasticsearch-setup-passwords" => Speaks(&CHANGE_MACHINE),
        options: &[("-L --list", Fine)],
        verbs: &[("list", Fine)];
    "ipcrm" => Speaks(&CHANGE_MACHINE);
    "wall write shout" => Speaks(&CHANGE_MACHINE);
}
