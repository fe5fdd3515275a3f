#!/usr/bin/env python3
"""An agent that asks what it is told to ask, draws it as real agents do, and writes down each key that it gets.

Arguments: the file for the keys, and a JSON file with the dialogs:
  style    claude, codex, gemini, line, raw (the text as it stands)
  command  what it asks about
  choices  the labels, the first of which is marked unless `mark` says otherwise
  ends     keys that end the dialog
  marks    keys that move the mark: key -> choice
  lose     so many keys are lost
  swap_ms  after so long the next dialog takes its place
"""
import json, os, select, sys, termios, time, tty

log, steps = open(sys.argv[1], "a", buffering=1), json.load(open(sys.argv[2]))
fd = sys.stdin.fileno()
YES = ["Yes", "Yes, and don’t ask again for: ls *", "No"]

def wrapped(text, width):
    return [text[at:at + width] for at in range(0, len(text), width)] or [""]

def drawn(step, mark):
    columns = os.get_terminal_size(fd).columns
    style, command = step.get("style", "claude"), step.get("command", "")
    choices = step.get("choices", YES)
    if style == "claude":
        rows = ["● Working on it", "", "─" * columns, " Bash command", "╌" * columns]
        rows += [" " + row for row in wrapped(command, columns - 2)]
        rows += ["╌" * columns, " This command requires approval", "", " Do you want to proceed?"]
        numbered = step.get("numbered", True)
        for at, label in enumerate(choices):
            number = f"{at + 1}. " if numbered else ""
            rows.append((" ❯ " if at == mark else "   ") + number + label)
        return rows + ["", " Esc to cancel · Tab to amend"]
    if style == "codex":
        rows = ["• Working", "", "  Would you like to run the following command?", "", "  Environment: local", "", "  $ " + command, ""]
        labels = ["Yes, proceed (y)", "Yes, and don't ask again for commands that start with `x` (p)", "No, and tell Codex what to do differently (esc)"]
        rows += [("› " if at == mark else "  ") + f"{at + 1}. {label}" for at, label in enumerate(labels)]
        return rows + ["", "  Press enter to confirm or esc to cancel"]
    return step["text"].split("\n")

def show(rows):
    sys.stdout.write("\x1b[2J\x1b[H" + "\r\n".join(rows))
    sys.stdout.flush()

saved = termios.tcgetattr(fd)
tty.setraw(fd)
line = ""
try:
    at = 0
    while at < len(steps):
        step = steps[at]
        mark, lose = step.get("mark", 0), step.get("lose", 0)
        if step.get("pause_ms"):
            show(["thinking"])
            time.sleep(step["pause_ms"] / 1000)
        show(drawn(step, mark))
        log.write(f"shown {at} {time.time():.4f}\n")
        swap = step.get("swap_ms")
        until = time.monotonic() + swap / 1000 if swap else None
        while True:
            left = max(0, until - time.monotonic()) if until else None
            ready, _, _ = select.select([fd], [], [], left)
            if not ready:
                log.write(f"swapped {at}\n")
                break
            key = os.read(fd, 64).decode(errors="replace")
            if not key:
                sys.exit(0)
            log.write(f"key {at} {key!r} {time.time():.4f}\n")
            if lose:
                lose -= 1
            elif step.get("redraws"):
                # It takes nothing, and draws itself anew.
                show(drawn(step, mark))
            elif step.get("line"):
                if key == "\r":
                    sys.stdout.write("\r\n")
                    break
                sys.stdout.write(key)
                sys.stdout.flush()
            elif key in step.get("ends", ["1", "2", "3", "\x1b"]):
                break
            elif key in step.get("marks", {}):
                mark = step["marks"][key]
                show(drawn(step, mark))
        at += 1
    show(["done"])
    log.write("done\n")
    while True:
        key = os.read(fd, 64)
        if not key:
            break
        log.write(f"key end {key.decode(errors='replace')!r} {time.time():.4f}\n")
finally:
    termios.tcsetattr(fd, termios.TCSADRAIN, saved)
