//! Devices at the end of a cable: phones, boards, firmware, remote management controllers.

use super::CHANGE_DEVICE;
use crate::shell::families::tool::{
    Does::{Fine, Speaks},
    Tool, tools,
};

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
        bmputil wchisp ch32flash solo openocd" => Speaks(&CHANGE_DEVICE),
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
