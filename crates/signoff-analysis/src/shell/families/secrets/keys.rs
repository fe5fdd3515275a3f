//! Keys and what they encrypt: `gpg`, `age` and `openssl`.

use signoff_model::{Dialect, EffectKind, Scope, Secret};

use super::{CHANGE_STORE, SHOW_SECRET, TRUST, hostage};
use crate::{
    path_effects::Write,
    place::Nature,
    shell::{
        Call, Shell, Written,
        families::{
            network,
            tool::{self, speak},
        },
        options::{Options, Syntax},
    },
    value::{Arg, Feed, Origin, Piece, Value},
};

pub(super) fn gpg(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SECRET: &[&str] = &["--export-secret-keys", "--export-secret-subkeys", "--export-secret-key"];
    const CHANGES: &[&str] = &[
        "--delete-keys",
        "--delete-key",
        "--delete-secret-keys",
        "--delete-secret-key",
        "--delete-secret-and-public-key",
        "--delete-secret-and-public-keys",
        "--edit-key",
        "--sign-key",
        "--lsign-key",
        "--quick-revoke-key",
        "--quick-set-expire",
        "--change-passphrase",
        "--passwd",
        "--gen-revoke",
        "--generate-revocation",
        "--import-ownertrust",
        "--quick-sign-key",
        "--card-edit",
        "--edit-card",
        "--quick-revuid",
        "--quick-revoke-uid",
        "--change-pin",
    ];
    const SENDS: &[&str] = &["--send-keys", "--send-key"];
    if call.asks_for_help() {
        return call.output();
    }
    if call.has_any(&["--import", "--fast-import", "--restore"]) {
        import(shell, call);
    }
    let own_home = has_own_home(shell, call);
    for (at, arg) in call.args.iter().enumerate() {
        let Some(text) = arg.known() else { continue };
        let text = text.split('=').next().unwrap_or(text);
        if SECRET.contains(&text) && !own_home {
            speak(shell, call, &SHOW_SECRET, at);
            return Feed::from(Origin::Secret(Secret::PrivateKeys.to_string()));
        }
        if CHANGES.contains(&text) {
            speak(shell, call, &CHANGE_STORE, at);
        }
        if SENDS.contains(&text) {
            shell.send("key server", std::iter::empty(), &Feed::none(), tool::span_from(call, at));
        }
        if matches!(text, "--photo-viewer" | "--agent-program" | "--dirmngr-program")
            && let Some(program) = tool::attached_or_next(call, at)
        {
            shell.run_text(&program, Dialect::Sh, Feed::none());
        }
        if matches!(text, "-o" | "--output")
            && let Some(file) = call.args.get(at + 1)
            && !file.is("-")
        {
            shell.write(file, Write::Replace);
            let carried = carried(shell, call, file);
            shell.remember_written(file, Written::Content(carried));
        }
    }
    let decrypts = call.has_any(&["-d", "--decrypt", "-qd", "-dq"]);
    let encrypts = !decrypts
        && call.args.iter().filter_map(|arg| arg.known()).any(|text| {
            matches!(text, "--symmetric" | "--encrypt" | "--encrypt-files" | "--multifile")
                || text.starts_with('-') && !text.starts_with("--") && text.contains(['c', 'e'])
        });
    if encrypts {
        for at in tool::operands(call, "-o --output --passphrase --passphrase-fd --passphrase-file -r --recipient -u") {
            call.args.get(at).into_iter().for_each(|file| hostage::encrypt(shell, file));
        }
    }
    if decrypts {
        let target = call.args.iter().rev().find(|arg| !arg.is_option());
        if let Some(target) = target {
            let place = shell.place(&target.value);
            let name = place.shown.to_ascii_lowercase();
            // What somebody encrypted is meant to be kept from view; a plain archive is not shown but unpacked.
            if !call.has_any(&["-o", "--output"]) && !name.contains(".tar") {
                shell.tell(&SHOW_SECRET, place.shown.clone(), target.span);
                return Feed::from(Origin::Secret(place.shown.clone()));
            }
        }
    }
    call.output()
}

/// Whether the keys are those of a home in the temporary directory, which were made for the purpose.
fn has_own_home(shell: &Shell<'_>, call: &Call) -> bool {
    let homes = homes(shell, call);
    let made_there = |home: &Value| {
        let place = shell.place(home);
        let ring = &shell.place(&ring(home)).path;
        let put_there = |path: &str| shell.written(path).and_then(Written::content).is_some();
        place.scope == Scope::Temp
            && !put_there(ring)
            && !put_there(&place.path)
            && shell.written(ring).is_none()
            && shell.original_of(ring).is_none()
            && shell.secret_below(&place).is_none()
    };
    !homes.is_empty() && homes.iter().all(made_there)
}

/// The directories that may hold the keys: every one that is given, since what overrides what is not for us to say.
fn homes(shell: &Shell<'_>, call: &Call) -> Vec<Value> {
    // It takes the option cut short as well.
    let names = |arg: &Arg| {
        let name = arg.value.prefix().split('=').next().unwrap_or_default();
        name.len() > "--h".len() && "--homedir".starts_with(name)
    };
    let by_option = call.args.iter().enumerate().filter(|(_, arg)| names(arg));
    let by_option: Vec<Value> =
        by_option.filter_map(|(at, _)| tool::attached_or_next(call, at)).map(|arg| arg.value).collect();
    if !by_option.is_empty() {
        return by_option;
    }
    let given = call.variables.iter().rfind(|(name, _)| name == "GNUPGHOME").map(|(_, value)| value.clone());
    given.or_else(|| shell.variable("GNUPGHOME").cloned()).into_iter().collect()
}

/// Where a home keeps its secret keys.
fn ring(home: &Value) -> Value {
    let mut path = home.clone();
    path.push(Piece::text("/private-keys-v1.d"));
    path
}

/// `gpg --import`: keys from elsewhere were not made for the purpose, and a home that takes them in is no longer empty.
fn import(shell: &mut Shell<'_>, call: &Call) {
    let files: Vec<&Arg> = tool::operands(call, "--homedir").into_iter().filter_map(|at| call.args.get(at)).collect();
    let is_ours = |file: &&Arg| {
        let place = shell.place(&file.value);
        matches!(place.scope, Scope::Temp | Scope::Project) && place.nature != Nature::Secret
    };
    if !files.is_empty() && files.iter().all(is_ours) || files.is_empty() && call.stdin.known().is_some() {
        return;
    }
    for home in homes(shell, call) {
        let secret = Feed::from(Origin::Secret(Secret::PrivateKeys.to_string()));
        shell.remember_written(&Arg { value: ring(&home), span: call.span }, Written::Content(secret));
    }
}

pub(super) fn age(shell: &mut Shell<'_>, call: &Call) -> Feed {
    const SYNTAX: Syntax = Syntax {
        short_values: "orRij",
        long_values: &["output", "recipient", "recipients-file", "identity"],
        long_flags: &["decrypt", "encrypt"],
        stops_at_operand: false,
        single_dash_long: false,
    };
    let options = Options::read(&call.args, &SYNTAX);
    let output = options.value(&["o", "output"]);
    if !options.has(&["d", "decrypt"]) {
        options.operands.iter().for_each(|file| hostage::encrypt(shell, file));
    }
    if let Some(file) = output.filter(|file| !file.is("-")) {
        shell.write(file, Write::Replace);
        let carried = carried(shell, call, file);
        shell.remember_written(file, Written::Content(carried));
    }
    if options.has(&["d", "decrypt"]) && output.is_none_or(|file| file.is("-")) && !call.asks_for_help() {
        speak(shell, call, &SHOW_SECRET, 0);
        return Feed::from(Origin::Secret(tool::words_from(call, 0)));
    }
    call.output()
}

/// What an encrypted file holds: whoever has it may have the key as well.
fn carried(shell: &Shell<'_>, call: &Call, output: &Arg) -> Feed {
    let mut feed = Feed::none();
    for arg in call.args.iter().filter(|arg| !arg.is_option() && arg.value != output.value) {
        let place = shell.place(&arg.value);
        match shell.written(&place.path) {
            Some(Written::Content(written)) => feed = feed.then(written.clone()),
            _ if place.nature == Nature::Secret => feed = feed.then(Feed::from(Origin::Secret(place.shown.clone()))),
            _ => {}
        }
    }
    feed.then(call.stdin.clone()).changed_by(&call.name)
}

pub(super) fn unshadow(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let mut feed = Feed::none();
    for arg in call.args.iter().filter(|arg| !arg.is_option()) {
        feed = feed.then(shell.read(arg));
    }
    feed
}

/// `openssl`: connections and authorities first, then private keys on display; the rest changes what flows through.
pub fn openssl(shell: &mut Shell<'_>, call: &Call) -> Feed {
    let Some(verb) = call.arg(0) else { return call.output() };
    if call.asks_for_help() {
        return call.output();
    }
    let value = |names: &[&str]| {
        let at = call.args.iter().position(|arg| arg.known().is_some_and(|text| names.contains(&text)))?;
        call.args.get(at + 1)
    };
    if let Some(library) = value(&["-engine", "-provider-path", "-config"]) {
        let path = library.shown().into_owned();
        if path.contains('/') && (path.contains(".so") || path.starts_with("/tmp")) {
            shell.opaque(path, library.span);
        }
    }
    match verb {
        "enc" | "cms" | "smime" | "pkeyutl" | "aes-256-cbc" | "aes-128-cbc" | "chacha20"
            if !call.has_any(&["-d", "-decrypt", "-verify"]) =>
        {
            value(&["-in"]).into_iter().for_each(|file| hostage::encrypt(shell, file));
        }
        "s_client" => return network::tls_client(shell, call),
        "s_server" => speak(shell, call, &network::LISTEN, 0),
        "ca" => speak(shell, call, &TRUST, 0),
        "rsa" | "pkey" | "ec" | "dsa" | "pkcs8" | "pkcs12" => {
            let shows_other =
                call.has_any(&["-pubout", "-pubin", "-noout", "-nokeys", "-check", "-modulus", "-export", "-topk8"]);
            let goes_to_file = value(&["-out"]).is_some_and(|file| !file.is("-"));
            if !shows_other && !goes_to_file && value(&["-in", "-inkey"]).is_some() {
                speak(shell, call, &SHOW_SECRET, 0);
                return Feed::from(Origin::Secret(tool::words_from(call, 0)));
            }
        }
        // A fresh key in a new file is not the change of an old one.
        "genrsa" | "genpkey" | "req" | "ecparam" | "gendsa" | "dhparam" | "rand" => {
            for file in [value(&["-out"]), value(&["-keyout"])].into_iter().flatten().filter(|file| !file.is("-")) {
                let place = shell.place(&file.value);
                if place.scope == Scope::Temp {
                    shell.note(EffectKind::Create, place.target(), place.scope, file.span);
                } else {
                    shell.write(file, Write::New);
                }
            }
            return call.output();
        }
        _ => {}
    }
    // What is decoded is the filters' matter; here remain encryption, signatures, digests and certificates.
    let public = matches!(verb, "x509" | "req" | "crl" | "verify" | "dgst" | "ocsp" | "ts" | "asn1parse")
        || call.has_any(&["-pubout", "-pubin", "-nokeys"]);
    let feed = match value(&["-in"]) {
        Some(_) if public => call.output(),
        Some(file) => shell.read(file),
        None => call.stdin.clone(),
    };
    if let Some(file) = value(&["-out"]).filter(|file| !file.is("-")) {
        shell.write(file, Write::Replace);
        shell.remember_written(file, Written::Content(feed.changed_by("openssl")));
        return call.output();
    }
    feed.changed_by("openssl")
}
