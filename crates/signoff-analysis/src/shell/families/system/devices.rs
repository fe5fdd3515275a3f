//! Devices at the end of a cable: phones, boards, firmware, remote management controllers.

use super::CHANGE_DEVICE;
use crate::{
    path_effects::Write,
    shell::{
        Call, Judge, Shell,
        families::tool::{
            Does::{Fine, Speaks},
            Tool, attached_or_next, speak, tools,
        },
    },
    value::{Arg, Feed},
    words::is_listed,
};

pub(super) fn find(name: &str) -> Option<Judge> {
    (name == "openocd").then_some(debugger as Judge)
}

/// `openocd -c 'init; flash info 0; exit'`: its orders stand in texts. Without any it waits for somebody else's.
fn debugger(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const LOOKS: &str = "init reset halt resume exit shutdown sleep echo puts targets target version mdw mdh mdb mdd \
        read_memory reg gdb_port tcl_port telnet_port adapter transport source set log_output debug_level poll wait_halt \
        dump_image arp_examine examine noinit scan_chain jtag_rclk swd dap capture";
    const FLASH: &str = "banks info list probe read_bank verify_bank verify_image";
    let only_looks = |order: &str| {
        let mut words = order.split_whitespace();
        match words.next() {
            None => true,
            Some("flash") => words.next().is_some_and(|verb| is_listed(FLASH, verb)),
            Some(verb) => is_listed(LOOKS, verb) && !order.contains('['),
        }
    };
    if call.asks_for_help() {
        return call.output();
    }
    let is_order = |arg: &Arg| arg.is("-c") || arg.value.prefix().starts_with("--command");
    let at: Vec<usize> = call.args.iter().enumerate().filter(|(_, arg)| is_order(arg)).map(|(at, _)| at).collect();
    let orders: Vec<Arg> = at.iter().filter_map(|at| attached_or_next(call, *at)).collect();
    let looks = |text: &Arg| text.known().is_some_and(|text| text.split([';', '\n']).all(only_looks));
    if orders.is_empty() || !orders.iter().all(looks) {
        speak(shell, call, &CHANGE_DEVICE, at.first().copied().unwrap_or_default());
        return call.output();
    }
    // What the device holds is written to a file of this machine.
    for order in &orders {
        for line in order.value.prefix().split([';', '\n']) {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ["dump_image", file, ..] = words.as_slice() {
                shell.write(&Arg::text(*file, order.span), Write::Replace);
            }
        }
    }
    call.output()
}

tools! { pub(super) TOOLS:
    "fastboot" => Speaks(&CHANGE_DEVICE),
        values: "-s -S",
        options: &[("-w", Speaks(&CHANGE_DEVICE))],
        verbs: &[("devices getvar help", Fine), ("oem+device-info flashing+get_unlock_ability", Fine)];
    "heimdall mtkclient rkdeveloptool rkflashtool sunxi-fel qdl edl uuu spflash odin" => Speaks(&CHANGE_DEVICE),
        verbs: &[("detect print-pit download-pit version ver printgpt devices ld list ppt rl rci rfi rcb rid read hexdump sid", Fine)];
    "esptool esptool.py espefuse espefuse.py espsecure.py" => Speaks(&CHANGE_DEVICE),
        values: "-p --port -b --baud -c --chip --before --after",
        verbs: &[
            ("chip_id chip-id flash_id flash-id read_mac read-mac read_flash read-flash version image_info image-info elf2image \
                merge_bin merge-bin read_flash_status summary verify_flash verify-flash read_mem", Fine),
        ];
    "dfu-util" => Speaks(&CHANGE_DEVICE),
        options: &[("-l --list -U --upload", Fine)];
    "dfu-programmer bossac teensy_loader_cli nrfjprog nrfutil pyocd minipro picotool stm32flash st-flash lpc21isp \
        bmputil wchisp ch32flash solo" => Speaks(&CHANGE_DEVICE),
        options: &[("-r --read --query_supported -l --list --get_info --ids --readcode --readuicr --readram --memrd --deviceversion \
            --com", Fine)],
        verbs: &[("list info read device+list json verify save rtt", Fine)];
    // What it does stands in a file of orders, or is typed in.
    "JLinkExe JLink jlink-commander" => Speaks(&CHANGE_DEVICE),
        options: &[("-CommandFile -CommanderScript", Speaks(&CHANGE_DEVICE))],
        whole_words: true;
    "st-info st-util idevice_id ideviceinfo iproxy idevicesyslog idevicescreenshot pinout raspinfo sensors i2cdetect i2cdump \
        i2cget" => Fine;
    "idevicebackup idevicebackup2" => Fine,
        verbs: &[("restore erase changepw encryption unback", Speaks(&CHANGE_DEVICE))];
    "idevicediagnostics" => Fine,
        verbs: &[("restart shutdown sleep", Speaks(&CHANGE_DEVICE))];
    "idevicerestore idevicesetlocation ideviceprovision ideviceinstaller cfgutil" => Speaks(&CHANGE_DEVICE),
        options: &[("-l --list-apps", Fine)],
        verbs: &[("list", Fine)];
    "idevicedate idevicename" => Fine,
        options: &[("-s --set -c --sync", Speaks(&CHANGE_DEVICE))];
    "ipmitool" => Fine,
        values: "-H -U -P -I -f -L -p",
        verbs: &[
            ("power+off power+on power+reset power+cycle power+soft chassis mc+reset user+set sel+clear raw bmc+reset power \
                user", Speaks(&CHANGE_DEVICE)),
        ];
    "racadm hponcfg ilorest redfishtool amttool" => Speaks(&CHANGE_DEVICE),
        verbs: &[("getsysinfo get getconfig list select", Fine)];
    "snmpset" => Speaks(&CHANGE_DEVICE);
    "cec-client cec-ctl kodi-send" => Fine;
    "mpremote ampy" => Fine,
        verbs: &[("rm rmdir reset bootloader", Speaks(&CHANGE_DEVICE))];
    "arduino-cli" => Fine,
        verbs: &[("upload burn-bootloader", Speaks(&CHANGE_DEVICE))];
    "arduino" => Fine,
        options: &[("--upload", Speaks(&CHANGE_DEVICE))];
    "tpm2 tpm2_clear tpm2_evictcontrol" => Fine,
        verbs: &[("clear evictcontrol changeauth nvundefine clearcontrol", Speaks(&CHANGE_DEVICE))];
    "vcgencmd" => Fine,
        verbs: &[("set_config", Speaks(&CHANGE_DEVICE))];
    "rpi-otp-private-key" => Speaks(&CHANGE_DEVICE);
    "scrcpy" => Fine;
    "cdrecord wodim growisofs cdrdao xorrecord" => Fine,
        options: &[("-v --blank blank", Speaks(&CHANGE_DEVICE))],
        verbs: &[("write", Speaks(&CHANGE_DEVICE))];
}

#[cfg(test)]
mod tests {
    use signoff_model::Verdict;

    use crate::testing::check;

    #[test]
    fn a_debugger_is_judged_by_its_orders() {
        check(
            Verdict::Allow,
            &[
                "openocd -f interface/stlink.cfg -f target/stm32f4x.cfg -c 'init; reset halt; flash banks; flash info 0; exit'",
                "openocd -f board.cfg -c init -c 'dump_image /tmp/x.bin 0x08000000 0x1000' -c exit",
                "openocd --version",
            ],
        );
        check(
            Verdict::Ask,
            &[
                "openocd -f board.cfg -c 'program build/app.elf verify reset exit'",
                "openocd -f board.cfg -c 'init; flash erase_sector 0 0 last; exit'",
                "openocd -f board.cfg -c 'init; stm32f4x mass_erase 0; exit'",
                "openocd -f board.cfg -c \"$ORDERS\"",
                "openocd -f board.cfg -c 'init; echo [flash erase_sector 0 0 last]; exit'",
                "openocd -f board.cfg -c 'init; dump_image src/main.c 0 1; flash write_image x'",
                "openocd -f board.cfg",
            ],
        );
    }
}
