//! Looking around in networks, listening to them, and attacking what is found.

use signoff_model::{Dialect, Unread};

use super::{ATTACK, BREAK_IN, CAPTURE, CHANGE_REQUEST, CRACK, Reach, SCAN, carries_secret, reach};
use crate::{
    path_effects::Write,
    shell::{
        Call, Judge, Language, Shell,
        families::tool::{self, Does::*, Tool, speak, tools},
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin},
};

tools! { pub(super) TOOLS:
    // One program of this name asks name servers, another one steers the alarms of a service.
    "dog" => Fine,
        verbs: &[("monitor+mute monitor+mute_all monitor+delete monitor+update downtime+post downtime+delete \
            host+mute", Speaks(&CHANGE_REQUEST))];
    "ping6 fping httping tcptraceroute traceroute6 tracepath mtr kdig doggo q \
        delv resolveip \
        avahi-browse avahi-resolve dns-sd ipcalc sipcalc subnetcalc geoiplookup mmdblookup ipinfo asnmap arping adig ahost acountry \
        dnstracer dnswalk nmblookup rpcinfo showmount snmpget snmpwalk snmpgetnext snmpbulkget snmptable snmpstatus snmpdf snmpnetstat snmptest \
        sslscan testssl testssl.sh tlsx pystun3 stun is-up wait4x bgpgrep ipsumdump ipaggcreate ipaggmanip spfquery dnsmap trip gping speedometer \
        ldapsearch searchsploit exploitdb gau waymore sherlock holehe maigret tookie-osint onionsearch theHarvester \
            theharvester subfinder sublist3r ping.py ping6.py hashid hash-identifier zsteg binwalk foremost" => Fine;
    "wakeonlan wol ether-wake" => Speaks(&SCAN),
        options: &[("-n --dry-run", Fine)];
    // Scanners: they touch machines that may belong to others.
    "masscan zmap rustscan naabu unicornscan nbtscan arp-scan netdiscover onesixtyone braa smbmap enum4linux enum4linux-ng \
        nikto wpscan joomscan droopescan \
        gobuster feroxbuster dirb dirbuster dirsearch wfuzz ffuf nuclei whatweb wafw00f whatwaf amass dnsrecon dnsenum fierce \
        recon-ng autorecon nettacker arjun x8 katana kiterunner kr dalfox xsstrike hakrawler httprobe httpx massdns dnsx cariddi \
        zap-cli zaproxy burpsuite w3af skipfish arachni openvas gvm-cli scamper nping ipscan angryip rdp_check.py DumpNTLMInfo.py mqtt_check.py getArch.py rpcdump.py rpcmap.py nxc netexec crackmapexec cme reg.py mssqlclient.py ntfs-read.py getST.py getTGT.py addcomputer.py kerbrute \
        ldapdomaindump bloodhound-python GetADUsers.py cewl ike-scan sslyze dockdiver" => Speaks(&SCAN),
        bare: Fine,
        options: &[("--version -version --update -hh --list-plugins", Fine)],
        verbs: &[("version help completion update", Fine)];
    // Guessing passwords, breaking in, and taking over: the people in charge of the target may have asked for it.
    "ncrack patator crowbar brutespray thc-hydra commix beef beef-xss reaver bully wifite \
        evil-winrm psexec.py smbexec.py wmiexec.py atexec.py dcomexec.py secretsdump.py GetNPUsers.py GetUserSPNs.py ticketer.py ntlmrelayx.py smbrelayx.py \
        mimikatz rubeus sliver empire routersploit setoolkit social-engineer-toolkit fsociety exploit killerbee \
        legba sprayhound o365spray xhydra nosqlmap ghauri tplmap jwt_tool jwt_tool.py sstimap" => Speaks(&BREAK_IN),
        bare: Fine,
        options: &[("--version -hh --list-tampers", Fine)];
    // What disturbs others: floods, false answers, cut connections.
    "aireplay-ng mdk3 mdk4 fluxion \
        arpspoof dnsspoof ettercap bettercap responder Responder.py mitm6 dhcpwn yersinia slowloris slowhttptest hoic loic goldeneye goldeneye.py hulk tcpkill sslstrip macof \
        wifiphisher airgeddon raven-storm ufonet xerxes torshammer" => Speaks(&ATTACK),
        bare: Fine,
        options: &[("--version -hh", Fine)];
    "msfconsole msfvenom msfdb msfcli armitage cobaltstrike weevely veil" => Speaks(&SCAN),
        bare: Speaks(&SCAN),
        options: &[("-l --list --list-options -v --version", Fine)];
    "hping3 hping" => Speaks(&SCAN),
        options: &[("--flood", Speaks(&ATTACK))];
    "knock" => Speaks(&SCAN);
    // Offline work on what was captured.
    "airdecap-ng wpaclean hcxpcapngtool cap2hccapx pcapfix capinfos editcap mergecap reordercap text2pcap tcpslice \
        hashcat-utils zip2john crunch" => Fine;
    // Passwords are found from what hides them.
    "john aircrack-ng fcrackzip rarcrack pdfcrack pyrit crackle ophcrack ophcrack-cli cowpatty asleap rcrack rcracki_mt \
        bruteforce-luks bruteforce-salted-openssl bruteforce-wallet truecrack stegcracker stegseek jwt-cracker jwtcrack jwtcat \
        pkcrack bkcrack samdump2 crackpkcs12" => Speaks(&CRACK),
        bare: Fine,
        options: &[
            ("--version -V --list --test --make-charset --stdout", Fine),
        ],
        whole_words: true;
    "hashcat" => Speaks(&CRACK),
        bare: Fine,
        options: &[
            ("--version -V -b --benchmark --benchmark-all --example-hashes --hash-info -I --backend-info --identify --stdout \
                --keyspace", Fine),
        ],
        whole_words: true;
    // Listening.
    "dumpcap ngrep tcpflow tcpick httpry httpflow sngrep kismet airodump-ng wireshark termshark snort zeek suricata netsniff-ng \
        dsniff driftnet urlsnarf sniffer.py sniff.py mitmproxy mitmdump mitmweb proxify intercept" => Speaks(&CAPTURE),
        bare: Speaks(&CAPTURE),
        options: &[("-r --read-file -D --list-interfaces -I -nr --pcap -T", Fine)];
    "tcpreplay" => Speaks(&SCAN);
}

pub(super) fn find(name: &str) -> Option<Judge> {
    Some(match name {
        "nmap" => nmap,
        "tcpdump" | "tshark" => capture,
        "sqlmap" | "hydra" => attack,
        "nslookup" | "dig" | "host" | "ping" | "whois" | "drill" | "traceroute" => lookup,
        _ => return None,
    })
}

/// A look-up is harmless unless it carries something away in the name that it asks for.
fn lookup(shell: &mut Shell<'_>, call: &Call) -> Feed {
    if !carries_secret(shell, call) && call.name == "ping" && call.has("-f") {
        speak(shell, call, &SCAN, 0);
    }
    // Names are looked up without encryption, and their owners say what they like.
    if matches!(call.name.as_str(), "dig" | "nslookup" | "host" | "drill") {
        return Feed::from(Origin::Download { url: tool::words_from(call, 0), encrypted: false });
    }
    call.output()
}

fn nmap(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let operands = tool::operands(
        call,
        "-p -oN -oX -oG -oA -oS --script --script-args -iL -e -S -g -D --top-ports --max-rate --min-rate --exclude -T -sI \
            --data-length --ttl --spoof-mac --host-timeout --max-retries --scan-delay --dns-servers --resume --datadir",
    );
    if call.asks_for_help()
        || call.has_any(&["-sL", "--iflist", "-V", "--script-help", "--script-updatedb"])
        || call.args.is_empty()
    {
        return call.output();
    }
    if let Some(at) = call.args.iter().position(|arg| arg.value.prefix().starts_with("--script"))
        && let Some(script) = tool::attached_or_next(call, at)
        && script.known().is_none_or(|text| text.contains('/') || text.ends_with(".nse"))
    {
        shell.run_script(Language::Lua, &script, &[], Feed::none());
        shell.opaque(script.shown().into_owned(), script.span);
    }
    if call.has("--interactive") {
        shell.opaque(Unread::Part("--interactive".to_owned()), call.span);
    }
    let elsewhere =
        operands.iter().filter_map(|at| call.args.get(*at)).any(|target| reach(&target.shown()) == Reach::Elsewhere);
    if elsewhere || call.args.iter().any(|arg| arg.value.prefix().starts_with("-iL") || arg.is("-iR")) {
        speak(shell, call, &SCAN, 0);
    }
    call.output()
}

fn capture(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "BcCdeEfFGijmMNorRsTuVwWyYzZaXOKHJt",
        long_values: &["read-file", "interface", "color", "export-objects", "postrotate-command"],
        long_flags: &["list-interfaces"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    const TCPDUMP: Syntax = Syntax { short_values: "BcCEFGijmMrsTVwWyzZ", ..SYNTAX };
    let options = Options::read(&call.args, if call.name == "tcpdump" { &TCPDUMP } else { &SYNTAX });
    if call.name == "tcpdump"
        && let Some(program) = options.value(&["z"])
    {
        shell.run(std::slice::from_ref(program), Feed::none(), program.span);
        shell.opaque(program.shown().into_owned(), program.span);
    }
    if let Some(file) = options.value(&["w"]).filter(|file| !file.is("-")) {
        shell.write(file, Write::Replace);
    }
    let looks = call.asks_for_help() || options.has(&["r", "read-file", "D", "list-interfaces", "L"]);
    let lists = call.name == "tshark" && call.args.iter().any(|arg| arg.is("-G") || arg.is("-v"));
    if !looks && !lists {
        speak(shell, call, &CAPTURE, 0);
    }
    call.output()
}

fn attack(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let local: Vec<&Arg> = call.args.iter().filter(|arg| !arg.is_option()).collect();
    if call.asks_for_help()
        || local.is_empty()
        || call.has_any(&["-hh", "-U", "--list-tampers", "--wizard"]) && local.is_empty()
    {
        return call.output();
    }
    if let Some(at) = call.args.iter().position(|arg| arg.value.prefix().starts_with("--eval"))
        && let Some(code) = tool::attached_or_next(call, at)
    {
        shell.run_code(crate::shell::Language::Python, &code, Feed::none());
    }
    if let Some(at) = call.args.iter().position(|arg| arg.value.prefix().starts_with("--os-cmd"))
        && let Some(code) = tool::attached_or_next(call, at)
    {
        shell.elsewhere(crate::shell::Locus::Remote("target".to_owned()), |shell| {
            shell.run_text(&code, Dialect::Sh, Feed::none())
        });
    }
    speak(shell, call, &BREAK_IN, 0);
    call.output()
}
