//! The names of the commands of `ex`. A bar stands behind the shortest form of each.

use crate::{
    shell::Language,
    words::{is_listed, is_short_for},
};

/// Words that only say how the command behind them is done.
pub(super) const MODIFIERS: &str = "abo|veleft bel|owright bo|tright bro|wse conf|irm hid|e hor|izontal keepa|lt kee|pmarks \
    keepj|umps keepp|atterns lefta|bove leg|acy loc|kmarks noa|utocmd nos|wapfile rightb|elow san|dbox sil|ent tab to|pleft \
    uns|ilent verb|ose vert|ical vim9|cmd";

/// Commands that do the one behind them to everything that is open.
pub(super) const EVERYWHERE: &str = "argd|o bufd|o wind|o tabd|o cdo cfd|o ld|o lfd|o foldd|oopen folddoc|losed deb|ug";

/// Commands for which a bar is a part of what they get.
pub(super) const TAKE_THE_LINE: &str =
    "g|lobal v|global norm|al ter|minal te au|tocmd com|mand filt|er h|elp mak|e gr|ep";

/// Commands with an expression.
pub(super) const EXPRESSIONS: &str = "cal|l let cons|t ec|ho echoe|rr echom|sg echon echoc|onsole echow|indow ev|al if elsei|f \
    wh|ile for retu|rn thr|ow cex|pr cgete|xpr cad|dexpr lex|pr lgete|xpr lad|dexpr final var";

/// Commands that write what is open, or another file.
pub(super) const WRITERS: &str = "w|rite wq x|it exi|t wn|ext wp|revious wN|ext up|date wa|ll wqa|ll xa|ll W";

/// Commands that open files.
pub(super) const OPENERS: &str = "e|dit E ene|w ar|gs arga|dd arge|dit argg|lobal argl|ocal n|ext bad|d tabe|dit tabnew tabf|ind \
    sp|lit vs|plit new vne|w fin|d sf|ind sn|ext sv|iew vie|w vi|sual ped|it dr|op f|ile diffs|plit balt";

/// Commands that change the text and nothing else.
pub(super) const EDITS: &str = "m|ove t co|py j|oin a|ppend i|nsert c|hange pu|t ret|ab sor|t le|ft ri|ght ce|nter u|ndo red|o \
    y|ank k ma|rk diffpu|t diffg|et undoj|oin earlier later";

/// Commands that show, go elsewhere in the text, arrange windows or steer a script.
const HARMLESS: &str = "q|uit qa|ll quita|ll cq|uit clo|se on|ly b|uffer bn|ext bp|revious bN|ext bf|irst bl|ast br|ewind \
    bd|elete bw|ipeout bun|load bm|odified ls files buffers ba|ll fo|ld foldo|pen foldc|lose p|rint P|rint nu|mber l|ist \
    marks ju|mps cle|arjumps reg|isters di|splay noh|lsearch filet|ype colo|rscheme hi|ghlight h|elp helpc|lose helpg|rep \
    helpt|ags ve|rsion pw|d winc|md winp|os wi|nsize sy|ntax setf|iletype ru|ntime pa|ckadd packl|oadall fir|st la|st prev|ious \
    N|ext rew|ind startr|eplace star|tinsert stopi|nsert startg|replace sl|eep redr|aw redraws|tatus redrawt|abline mes|sages \
    scr|iptnames changes delm|arks debugg|reedy cl|ist cc cn|ext cp|revious cN|ext cfir|st cla|st cope|n ccl|ose cw|indow \
    lop|en lcl|ose lw|indow lli|st lne|xt lp|revious ll col|der cnew|er difft|his diffu|pdate diffo|ff dig|raphs sp|ellgood \
    spe|llgood spelld|ump spelli|nfo tabn|ext tabp|revious tabc|lose tabo|nly tabm|ove tabs tabfir|st tabl|ast tabr|ewind \
    ta|g tags ts|elect tj|ump tn|ext tp|revious po|p st|op sus|pend else en|dif endw|hile endfo|r endt|ry endf|unction fu|nction \
    try cat|ch fina|lly brea|k con|tinue fini|sh unl|et unlo|ckvar lockv|ar aug|roup vim|grep vimgrepa|dd lv|imgrep z \
    sign checkh|ealth che|ckpath chi|story his|tory as|cii sil|ent iuna|bbrev cuna|bbrev una|bbreviate nun|map vu|nmap \
    iu|nmap unm|ap delc|ommand comc|lear mapc|lear Man Ex|plore Sex|plore Vex|plore TOhtml intro smi|le ec options opt|ions \
    match 2match 3match nbc|lose prec|onditions undol|ist ownsyntax scripte|ncoding lan|guage behave";

/// Commands of plug-ins: those that fetch, compile or test the plug-ins themselves.
const PLUGINS: &str = "Lazy PlugInstall PlugUpdate PlugUpgrade PlugStatus PlugClean PackerSync PackerInstall PackerCompile \
    PackerUpdate TSInstall TSInstallSync TSUpdate TSUpdateSync Mason MasonInstall MasonUpdate MasonToolsInstall \
    MasonToolsInstallSync MasonToolsUpdateSync CocInstall CocUpdate CocUpdateSync PluginInstall PluginUpdate \
    UpdateRemotePlugins GoInstallBinaries GoUpdateBinaries PlenaryBustedDirectory PlenaryBustedFile Copilot LspInfo Vader Q Qa QA";

/// Whether a command only shows something, or steers the editor.
pub(super) fn is_harmless(word: &str) -> bool {
    is_short_for(HARMLESS, word) || is_short_for(PLUGINS, word)
}

/// The language of the code behind a command.
pub(super) fn language(word: &str) -> Option<Language> {
    [
        ("lua luad|o", Language::Lua),
        ("py|thon py3 python3 pyx pythonx pyd|o py3d|o pyxd|o", Language::Python),
        ("pe|rl perld|o", Language::Perl),
        ("rub|y rubyd|o", Language::Ruby),
        ("tc|l tcld|o", Language::Tcl),
    ]
    .iter()
    .find(|(words, _)| is_short_for(words, word))
    .map(|(_, language)| *language)
}

/// Whether a setting decides nothing of what runs: neither a program nor an expression, nor where scripts are found.
pub(super) fn is_plain_setting(setting: &str) -> bool {
    const PROGRAMS: &str = "sh shell shcf shellcmdflag srr shellredir sp shellpipe shq shellquote sxq shellxquote sxe mp gp fp ep \
        kp csprg ofu cfu tsrfu tfu opfunc fde fdt foldtext inde inex fex bexpr dex pex pdev ccv ex \
        exrc luadll pythondll pythonthreedll rubydll perldll tcldll stl statusline tal tabline rulerformat ruf titlestring \
        iconstring helpfile hf spf spellfile vif viminfofile qe qftf tagfunc cdpath udir undodir dir directory bdir \
        backupdir vdir viewdir makeef mef errorfile ef secure";
    let end = setting.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(setting.len());
    let (name, value) = setting.split_at_checked(end).unwrap_or((setting, ""));
    let decides = || is_listed(PROGRAMS, name) || ["prg", "expr", "func"].iter().any(|ending| name.ends_with(ending));
    // Where scripts are found matters where anybody can put them.
    let is_strewn =
        is_listed("rtp runtimepath pp packpath", name) && ["tmp", "shm", "$"].iter().any(|part| value.contains(part));
    !is_strewn
        && !value.contains(['(', '`', '!', '{', '|'])
        && (matches!(value, "" | "?" | "&") || !decides())
        && !matches!(name, "exrc" | "ex")
}

/// A pattern between two marks, and what stands behind it: `/pattern/rest`.
pub(super) fn behind_pattern(text: &str) -> (String, String) {
    let mut letters = text.chars();
    let Some(mark) = letters.next() else { return (String::new(), String::new()) };
    if mark.is_alphanumeric() || mark.is_whitespace() {
        return (String::new(), text.to_owned());
    }
    let (mut pattern, mut escaped) = (String::new(), false);
    for letter in letters.by_ref() {
        match letter {
            letter if letter == mark && !escaped => break,
            _ => escaped = letter == '\\' && !escaped,
        }
        pattern.push(letter);
    }
    (pattern, letters.as_str().to_owned())
}
