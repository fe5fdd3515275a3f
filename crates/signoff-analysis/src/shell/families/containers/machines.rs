//! Virtual machines and system containers.

use super::{MACHINE_CHANGE, MACHINE_DELETE, delete_file};
use crate::{
    path_effects::Write,
    shell::{
        Call, Judge, Locus, Shell,
        families::wrappers::ROOT_RIGHTS,
        options::strip,
        subcommands::{ByVerb, Deed, Line, Tool},
    },
    value::{Arg, Feed},
};

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "vagrant" | "VBoxManage" | "vboxmanage" | "virsh" | "qm" | "pct" | "pvesm" | "pvecm" | "pveum" | "pvesh"
        | "pvenode" | "pveam" | "lxc" | "lxd" | "incus" | "multipass" | "limactl" | "lima" | "prlctl"
        | "virt-install" | "virt-clone" | "virt-xml" | "virt-sysprep" | "virt-sparsify" | "vzdump" | "qmrestore"
        | "lxc-destroy" | "lxc-create" | "lxc-start" | "lxc-stop" | "lxc-attach" | "lxc-ls" | "lxc-info"
        | "machinectl" | "quickemu" | "tart" | "vmrun" | "orb" | "orbctl" | "firecracker" | "ignite" => judge,
        "qemu-img" => qemu_img,
        _ => return None,
    })
}

fn judge(shell: &mut Shell<'_>, call: &Call) -> Feed {
    tool(&call.name).judge(shell, call)
}

fn tool(name: &str) -> &'static Tool {
    match name {
        "vagrant" => &VAGRANT,
        "multipass" | "limactl" | "lima" | "lxc" | "incus" | "lxd" | "lxc-destroy" | "lxc-create" | "lxc-start"
        | "lxc-stop" | "lxc-attach" | "orb" | "orbctl" | "tart" | "machinectl" => &INSTANCES,
        "quickemu" | "lxc-ls" | "lxc-info" | "firecracker" => &LOOKS,
        _ => &HYPERVISOR,
    }
}

static LOOKS: Tool = Tool { values: "", dry: &[], deeds: &[], otherwise: Deed::Harmless };

static VAGRANT: Tool = Tool {
    values: "-c --command --provider --provision-with --box-version --name --output --base",
    dry: &[],
    deeds: &[
        (
            Deed::Tell(&MACHINE_DELETE),
            "\
            destroy, snapshot delete, snapshot restore, snapshot pop, box remove, box prune, cloud box delete, \
            cloud version delete",
        ),
        (Deed::Tell(&MACHINE_CHANGE), "plugin install, plugin uninstall, plugin update, login, cloud, push"),
        (Deed::Judge(inside), "ssh, winrm, powershell"),
    ],
    otherwise: Deed::Harmless,
};

/// A command for a machine that was made for the project.
fn inside(shell: &mut Shell<'_>, call: &Call, line: &Line<'_>) -> Feed {
    if call.name == "machinectl"
        && let Some(at) = call.args.iter().position(|arg| line.words.get(1).is_some_and(|host| *host == arg))
    {
        return in_machine(shell, call, at);
    }
    let code = line.value(&["-c", "--command"]);
    let name = call.name.to_string();
    if let Some(code) = code {
        return shell
            .elsewhere(Locus::Remote(name), |shell| shell.run_text(&code, signoff_model::Dialect::Sh, Feed::none()));
    }
    let argv: Vec<Arg> = if line.rest.is_empty() {
        line.words_from(2).iter().map(|word| (*word).clone()).collect()
    } else {
        line.rest.to_vec()
    };
    if argv.is_empty() {
        return call.output();
    }
    shell.elsewhere(Locus::Remote(name), |shell| shell.run(&argv, call.stdin.clone(), call.span))
}

/// `machinectl shell user@machine program args`: from the machine on, the words are the program's. By `.host` the machine is
/// meant that everything runs on.
fn in_machine(shell: &mut Shell<'_>, call: &Call, at: usize) -> Feed {
    let argv = call.args.get(at + 1..).unwrap_or_default();
    if argv.is_empty() {
        return call.output();
    }
    let host = call.args.get(at).map(|host| host.shown().into_owned()).unwrap_or_default();
    if host.rsplit('@').next() == Some(".host") {
        shell.tell(&ROOT_RIGHTS, "root", call.program.span);
        return shell.run(argv, call.stdin.clone(), call.span);
    }
    shell.elsewhere(Locus::Remote(host), |shell| shell.run(argv, call.stdin.clone(), call.span))
}

static VERBS: ByVerb = ByVerb {
    destroys: Deed::Tell(&MACHINE_DELETE),
    changes: Deed::Tell(&MACHINE_CHANGE),
    unclear: Deed::Tell(&MACHINE_CHANGE),
};
static LOCAL_VERBS: ByVerb =
    ByVerb { destroys: Deed::Tell(&MACHINE_DELETE), changes: Deed::Harmless, unclear: Deed::Harmless };

/// Instances on this machine that are easily made.
static INSTANCES: Tool = Tool {
    values: "-n --name --cpus -c --memory -m --disk -d --project --profile -p --target -t --type --format",
    dry: &[],
    deeds: &[
        (Deed::Judge(inside), "exec, shell"),
        (
            Deed::Tell(&MACHINE_CHANGE),
            "\
            remote, config trust, cluster, network, storage, profile, admin, set, file push, transfer, \
            poweroff, terminate, remove, push",
        ),
        (
            Deed::Harmless,
            "\
            remote list, network list, network show, storage list, storage show, profile list, profile show, \
            cluster list, config show, config get, image",
        ),
        (
            Deed::Tell(&MACHINE_DELETE),
            "image delete, storage delete, network delete, storage volume delete, profile delete, restore, \
            snapshot restore",
        ),
    ],
    otherwise: Deed::ByVerb(&LOCAL_VERBS),
};

static HYPERVISOR: Tool = Tool {
    values: "-c --connect --name -n --ram --vcpus --disk --os-variant",
    dry: &["--dry-run", "--print-xml"],
    deeds: &[
        (
            Deed::Harmless,
            "\
            list, dominfo, connect, export, domstate, dumpxml, net-list, pool-list, vol-list, nodeinfo, console, vncdisplay, \
            domblklist, domiflist, dommemstat, snapshot-list, net-info, pool-info, vol-info, net-dumpxml, \
            capabilities, domifaddr, version, hostname, uri, sysinfo, iface-list, showvminfo, showhdinfo, \
            guestproperty get, guestproperty enumerate, metrics, bandwidthctl list, snapshot list, config, \
            pending, showcmd, status, terminal, monitor, cpusets, df, guest cmd, guest exec-status, \
            listsnapshot, cloudinit dump, agent ping, alloc, path, scan, user list, role list, acl list, \
            group list, nodes, ls, get, available, domdisplay, domtime, net-dhcp-leases, help, schedinfo, \
            domstats, event, domblkinfo, domifstat, vcpuinfo, vcpucount, screenshot, usbfilter list, \
            showmediuminfo, getextradata, extractovf, storage list, mtu, apiversion",
        ),
        (
            Deed::Tell(&MACHINE_DELETE),
            "\
            undefine, destroy, unregistervm, closemedium, vol-delete, vol-wipe, pool-delete, pool-undefine, \
            net-undefine, net-destroy, snapshot-delete, snapshot-revert, delsnapshot, rollback, unlink, free, \
            delnode, cleanup, deleteVM, secret-undefine, nwfilter-undefine, pool-destroy, \
            revertToSnapshot, deleteSnapshot, mediumio, template",
        ),
        (Deed::Judge(inside), "exec"),
    ],
    otherwise: Deed::ByVerb(&VERBS),
};

/// Disk images are files: reading is harmless, writing follows the file.
fn qemu_img(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let line = Line::read(&call.args, "-f -O -o -b -F -s -l -c -a -d -t -T -r -m --object --image-opts");
    let files = line.words_from(1);
    match line.word(0) {
        Some("create") => {
            if let Some(file) = files.first() {
                shell.write(file, Write::Replace);
            }
        }
        Some("dd") => {
            let target = files.iter().find(|file| file.value.prefix().starts_with("of="));
            if let Some(target) = target {
                let target = Arg { value: strip(&target.value, "of=".len()), span: target.span };
                shell.write(&target, Write::Replace);
            }
        }
        Some("convert") => {
            if let (Some(file), true) = (files.last(), files.len() > 1) {
                shell.write(file, Write::Replace);
            }
        }
        Some("resize" | "commit" | "rebase" | "amend" | "bitmap") => {
            Deed::Tell(&MACHINE_CHANGE).done(shell, call, &line);
        }
        Some("snapshot") if line.has(&["-d", "-a"]) => {
            Deed::Tell(&MACHINE_DELETE).done(shell, call, &line);
        }
        Some("rm") => {
            if let Some(file) = files.first() {
                delete_file(shell, file);
            }
        }
        _ => {}
    }
    call.output()
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict::{Allow, Ask, Block};

    use crate::testing::check;

    #[test]
    fn a_machine_of_this_name_is_the_one_that_everything_runs_on() {
        check(Block, &["machinectl shell .host /bin/sh -c 'rm -rf ~'", "machinectl shell me@.host /bin/rm -rf /"]);
        check(
            Ask,
            &[
                "machinectl shell .host /usr/bin/apt install x",
                "machinectl shell x /bin/rm -rf /data",
                "machinectl shell x /opt/tool/run",
            ],
        );
        check(Allow, &["machinectl list", "machinectl status x", "machinectl shell x /bin/ls", "machinectl shell x"]);
    }
}
