//! Services, daemons, and turning the machine off.

use super::{CHANGE_MACHINE, CHANGE_SERVICE, CLUSTER_JOB, SHUT_DOWN, START_DAEMON};
use crate::shell::{
    Call, Shell,
    families::tool::{
        self,
        Does::{Fine, Speaks, Words},
        Tool, tools,
    },
};

/// `shutdown -h` and its like: the letter does not ask for help, it halts.
pub(super) fn halts(shell: &mut Shell<'_>, call: &Call) {
    if matches!(call.args.as_slice(), [only] if only.is("-h")) {
        tool::speak(shell, call, &SHUT_DOWN, 0);
    }
}

tools! { pub(super) TOOLS:
    "systemctl" => Speaks(&CHANGE_SERVICE),
        values: "-H --host -M --machine -t --type --state -p --property -n --lines -o --output --job-mode -s --signal --root",
        options: &[("--dry-run", Fine)],
        verbs: &[
            ("status show cat is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers \
                list-sockets list-jobs", Fine),
            ("list-dependencies list-machines list-automounts list-paths get-default help show-environment whoami", Fine),
            ("poweroff reboot halt kexec soft-reboot suspend hibernate hybrid-sleep suspend-then-hibernate emergency rescue \
                exit switch-root default sleep", Speaks(&SHUT_DOWN)),
        ];
    "launchctl" => Speaks(&CHANGE_SERVICE),
        verbs: &[
            ("list print print-disabled print-cache help version blame dumpstate hostinfo procinfo managername manageruid \
                getenv examine error variant resolveport", Fine),
            ("reboot", Speaks(&SHUT_DOWN)),
        ];
    "rc-update chkconfig update-rc.d sysv-rc-conf insserv initctl sysrc runsvchdir" => Speaks(&CHANGE_SERVICE),
        options: &[("--list -n", Fine)],
        verbs: &[("show list", Fine)];
    "rc-status" => Fine;
    "openrc rc" => Speaks(&CHANGE_SERVICE);
    "sv" => Speaks(&CHANGE_SERVICE),
        verbs: &[("status s", Fine)];
    "runit runsv runsvdir s6-svscan s6-svc" => Speaks(&START_DAEMON);
    "supervisorctl" => Speaks(&CHANGE_SERVICE),
        values: "-c -s -u -p",
        verbs: &[("status tail avail pid help version maintail", Fine)];
    "supervisord" => Speaks(&START_DAEMON),
        bare: Speaks(&START_DAEMON),
        options: &[("-v --version", Fine)];
    "pm2" => Fine,
        verbs: &[
            ("delete del kill flush unstartup startup deploy cleardump uninstall updatePM2 update", Speaks(&CHANGE_SERVICE)),
        ];
    "monit" => Fine,
        verbs: &[("unmonitor stop restart quit", Speaks(&CHANGE_SERVICE))];
    "forever foreman god" => Fine,
        verbs: &[("stopall cleanlogs export", Speaks(&CHANGE_SERVICE))];
    "synopkg synoservice synoupgrade synoservicectl" => Speaks(&CHANGE_SERVICE),
        verbs: &[("list status version is_onoff", Fine)],
        options: &[("--check", Fine)];
    "gitlab-ctl" => Speaks(&CHANGE_SERVICE),
        verbs: &[("status tail show-config service-list diff-config", Fine)];
    "homectl userdbctl portablectl importctl updatectl systemd-sysext systemd-sysusers systemd-firstboot \
        systemd-machine-id-setup systemd-repart systemd-tmpfiles systemd-hwdb systemd-cryptenroll \
        systemd-cryptsetup" => Speaks(&CHANGE_MACHINE),
        options: &[("--dry-run --cat-config", Fine)],
        verbs: &[("list list-images list-transfers status show show-image inspect image-status user group query is-attached \
            users-in-group groups-of-user check-new list-components check", Fine)],
        bare: Fine;
    "loginctl" => Speaks(&CHANGE_SERVICE),
        verbs: &[("list-sessions list-users list-seats session-status show-session user-status show-user seat-status \
            show-seat", Fine)];
    "busctl" => Fine,
        verbs: &[("call set-property emit", Speaks(&CHANGE_SERVICE))];
    "gdbus" => Fine,
        verbs: &[("call emit", Speaks(&CHANGE_SERVICE))];
    "systemd-analyze systemd-cgls systemd-cgtop systemd-delta systemd-detect-virt systemd-escape systemd-path systemd-id128 \
        systemd-ac-power systemd-notify systemd-cat systemd-ask-password systemd-dissect oomctl" => Fine,
        options: &[("-m --mount -u --umount", Speaks(&CHANGE_MACHINE))],
        verbs: &[("set-log-level log-level set-log-target", Fine)];
    "systemd-socket-activate systemd-stdio-bridge systemd-tty-ask-password-agent" => Speaks(&START_DAEMON);
    "reboot halt poweroff shutdown telinit init pm-suspend pm-hibernate ctrlaltdel systemd-shutdown" => Speaks(&SHUT_DOWN),
        bare: Speaks(&SHUT_DOWN),
        options: &[("-w --wtmp-only -c --show", Fine)];
    "runlevel uptime last lastb lastlog" => Fine;
    "rtcwake suspend" => Speaks(&SHUT_DOWN),
        bare: Speaks(&SHUT_DOWN),
        options: &[("-n --dry-run --list-modes", Fine)],
        verbs: &[("show", Fine)];
    // Daemons that somebody starts by hand. Testing their configuration is a look.
    "nginx" => Speaks(&START_DAEMON),
        bare: Speaks(&START_DAEMON),
        options: &[("-t -T -v -V -h -?", Fine), ("-s -c -g -p", Speaks(&START_DAEMON))];
    "apachectl apache2ctl httpd apache2" => Speaks(&START_DAEMON),
        options: &[("-t -S -M -l -L -v -V -D", Fine), ("-k", Speaks(&START_DAEMON))],
        verbs: &[("configtest status fullstatus", Fine)];
    "sshd" => Speaks(&START_DAEMON),
        bare: Speaks(&START_DAEMON),
        options: &[("-t -T -G -V", Fine), ("-D -d -f -p", Speaks(&START_DAEMON))];
    "postfix" => Speaks(&START_DAEMON),
        verbs: &[("check status", Fine)];
    "haproxy named unbound squid dnsmasq slapd" => Speaks(&START_DAEMON),
        bare: Speaks(&START_DAEMON),
        options: &[("-c -t --test --check -C --check-config -k", Fine), ("-D -d -f", Speaks(&START_DAEMON))];
    "crond cron atd auditd cupsd ntpd chronyd dhcpd hostapd bluetoothd dockerd containerd collectd haveged fastd babeld bird \
        pppd \
        agetty gdm gdm-restart gdm-stop lightdm sddm xdm guacd minidlna mosquitto beanstalkd zabbix_agentd zabbix_agent2 zabbix_server nagios nagios2 nagios3 nagios4 \
        slurmctld slurmd slurmdbd slurmrestd slurmstepd telnetd vsftpd proftpd smbd nmbd rpcbind snmpd rsyslogd syslogd syslog-ng udevd inetd xinetd \
        knockd deluged transmission-daemon znc AdGuardHome zerotier-one tor restorecond uuidd limine-snapper-watcher avahi-daemon dbus-daemon \
        pipewire-pulse frps prosody exim exim4 dovecot freeradius radiusd krdpserver earlyoom irqbalance watchdog mysqld \
            mariadbd kmscon acpid rtmon" => Speaks(&START_DAEMON),
        bare: Speaks(&START_DAEMON),
        options: &[("-V --check --check-config --validate --test -t --configtest --list --verify-config --show-key \
            --generate-key --dump-settings --status -T", Fine)];
    "prosodyctl" => Speaks(&CHANGE_SERVICE),
        verbs: &[("status check about", Fine)];
    "asterisk fs_cli fwconsole" => Speaks(&CHANGE_SERVICE),
        options: &[("-V", Fine)],
        bare: Speaks(&CHANGE_SERVICE);
    "a2enmod a2dismod a2ensite a2dissite a2enconf a2disconf phpenmod phpdismod" => Speaks(&CHANGE_SERVICE);
    "a2query phpquery" => Fine;
    "fail2ban-client" => Speaks(&CHANGE_SERVICE),
        verbs: &[("status ping version get", Fine)];
    "pihole pivpn marzban yunohost cockpit-ws cockpit-tls cockpit-desktop" => Speaks(&CHANGE_SERVICE),
        options: &[("-c -t -v --query -q", Fine)],
        verbs: &[("status version query tail", Fine)];
    "rndc unbound-control knotc birdc" => Speaks(&CHANGE_SERVICE),
        verbs: &[("status stats stats_noreset list_zones show conf-check zone-status", Fine)];
    "rabbitmq-plugins rabbitmq-upgrade rabbitmq-queues rabbitmq-streams" => Speaks(&CHANGE_SERVICE),
        verbs: &[("list is_enabled directories help check_if_cluster_has_classic_queue_mirroring_policy quorum_status \
            check_if_node_is_mirror_sync_critical check_if_node_is_quorum_critical", Fine)];
    "rabbitmq-diagnostics" => Fine;
    "rabbitmqctl" => Speaks(&CHANGE_SERVICE),
        values: "-n --node -p --vhost",
        verbs: &[
            ("status list_queues list_users list_vhosts list_permissions list_exchanges list_bindings list_connections \
                list_channels list_consumers cluster_status report version help environment list_policies ping", Fine),
        ];
    // Clusters with a queue.
    "squeue sinfo sacct sstat sprio sshare sreport sdiag sview sattach sh5util bjobs bhosts bqueues qstat qhost condor_q \
        condor_status" => Fine;
    "sbatch bsub qsub msub condor_submit" => Speaks(&CLUSTER_JOB),
        options: &[("--test-only -V --version", Fine)],
        // The job flows in.
        bare: Speaks(&CLUSTER_JOB);
    "scancel sacctmgr strigger scrontab sbcast bkill qdel qalter condor_rm salloc srun scrun" => Speaks(&CLUSTER_JOB),
        options: &[("--test-only -l --list --get", Fine)],
        verbs: &[("show list dump", Fine)];
    "scontrol" => Speaks(&CLUSTER_JOB),
        verbs: &[("show ping version listpids", Fine)];
    "ceph rados rbd radosgw-admin cephadm ceph-volume" => Speaks(&CHANGE_SERVICE),
        options: &[("-s --status -w --watch", Fine)],
        verbs: &[
            ("status health df osd+tree osd+stat osd+df osd+pool+ls pg+stat mon+stat mon+dump quorum_status fs+ls fs+status \
                orch+ls orch+ps orch+status version versions ls list info df report lspools log", Fine),
        ];
    "gluster drbdadm pcs crm pcsadm corosync-cfgtool" => Speaks(&CHANGE_SERVICE),
        verbs: &[("status volume+info volume+status peer+status pool+list dump config cluster+status", Fine)];
    "kea-admin keepalived ipvsadm" => Speaks(&CHANGE_SERVICE),
        options: &[("-L -l --list -t", Fine)];
    "tuned-adm powerprofilesctl tuned tlp auto-cpufreq powertop2tuned cpupower cpufreq-set" => Speaks(&CHANGE_MACHINE),
        verbs: &[("list active recommend verify get query-battery-care frequency-info idle-info info monitor", Fine)],
        options: &[("--stats --monitor", Fine)];
    "tlp-stat cpufreq-info cpufreq-aperf cpuid turbostat powertop powerstat upower acpi acpi_listen" => Fine,
        options: &[("--auto-tune -c --calibrate", Speaks(&CHANGE_MACHINE))];
    "watchman" => Fine,
        verbs: &[("shutdown-server watch-del watch-del-all", Words)];
}
