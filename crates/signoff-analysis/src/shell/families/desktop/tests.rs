//! The verdicts of desktop and media tools.

use signoff_model::Verdict::{Allow, Ask, Block};

use crate::testing::check;

#[test]
fn personal_tools_are_harmless() {
    check(
        Allow,
        &[
            "playerctl stop",
            "mpc clear",
            "ffmpeg -i in.mp4 out.mp3",
            "ffprobe a.mp4",
            "magick a.png -resize 50% b.png",
            "convert a.png b.jpg",
            "exiftool a.jpg",
            "notify-send 'rm -rf /'",
            "say done",
            "xdg-open https://example.com",
            "open .",
            "pandoc a.md -o a.pdf",
            "yt-dlp https://example.com/v",
            "task list",
            "transmission-remote host --list",
            "xclip -selection clipboard < a.txt",
            "pbcopy < a.txt",
            "gsettings get a b",
            "gsettings set org.gnome.desktop.interface clock-format 24h",
            "dconf read /a",
            "defaults read",
            "mail --help",
            "mutt -f mbox",
            "ntfy subscribe x",
            "toot timeline",
            "bitcoin-cli getwalletinfo",
            "xmrig --version",
            "scrot /tmp/shot.png",
            "hledger balance",
            "mogrify -path /tmp/out -resize 50% a.jpg",
            "qpdf --check a.pdf",
            "tesseract a.png out",
            "jpegoptim --noaction a.jpg",
            "wl-paste",
            "dot -Tpng a.dot -o a.png",
            "ffmpeg -y -i a.wav /tmp/a.mp3",
            "xrandr --output VGA1 --off",
        ],
    );
}

#[test]
fn what_leaves_or_rewrites_asks() {
    check(
        Ask,
        &[
            "mail -s report all@example.com < report.txt",
            "echo hi | mail joe@example.com",
            "mutt -s x -a a.pdf -- joe@example.com",
            "sendmail joe@example.com < m",
            "swaks --to joe@example.com",
            "ntfy publish topic hi",
            "toot post hi",
            "telegram-send hi",
            "apprise -b hi mailto://x",
            "bitcoin-cli sendtoaddress a 1",
            "solana transfer a 1",
            "xmrig -o pool:3333",
            "mogrify -resize 50% *.jpg",
            "exiftool -all= *.jpg",
            "exiftool '-gps*=' photos/",
            "dconf reset -f /",
            "defaults write com.apple.x y 1",
            "transmission-remote h -t 1 --remove-and-delete",
            "todo.sh rm 3",
            "ffmpeg -i a.mp4 -f flv rtmp://live.example/x",
            "pbpaste | sh",
            "optipng *.png",
            "yt-dlp --exec 'rm -rf src' https://example.com/v",
        ],
    );
}

#[test]
fn locks_and_records_of_time_are_asked_about() {
    check(Ask, &["gsettings set org.gnome.desktop.lockdown disable-lock-screen true", "timew delete @1"]);
    check(
        Allow,
        &["gsettings get org.gnome.desktop.lockdown disable-lock-screen", "timew start work", "timew summary"],
    );
}

#[test]
fn a_calculator_runs_what_stands_behind_a_mark() {
    check(
        Block,
        &["dc -e '!rm -rf ~'", "dc -e'2 p !rm -rf ~'", "dc --expression='!rm -rf ~'", "echo '!rm -rf ~' | dc"],
    );
    check(Ask, &["dc -e '[!rm -rf src]x'"]);
    check(Allow, &["dc -e '2 2 + p'", "dc -e '1 2 !<a'", "dc -e '!ls'", "echo '6 7 * p' | dc", "bc -q x.bc"]);
}
