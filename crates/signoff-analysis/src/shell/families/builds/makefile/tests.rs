use super::*;

/// The shell text of a target of a makefile that includes nothing.
fn code(text: &str, target: &str) -> Option<String> {
    made(text, &[], target)
        .into_iter()
        .next()
        .and_then(|made| made.targets.into_iter().next())
        .and_then(|(_, code)| code)
}

fn made(text: &str, settings: &[(String, String)], target: &str) -> Vec<Made> {
    let files = [("Makefile".to_owned(), text.to_owned())];
    let targets: Vec<String> = target.split_whitespace().map(str::to_owned).collect();
    read(&Wanted { files: &files, settings, defaults: &[], targets: &targets }, &|_| FileText::Missing)
}

#[test]
fn a_target_brings_what_it_needs() {
    let text = "OUT := build\n.PHONY: all clean\nall: app\napp: dep\n\t@cc -o $(OUT)/$@ x.c\ndep:\n\techo $$HOME\nclean:\n\trm -rf $(OUT)\n";
    assert_eq!(code(text, "clean").as_deref(), Some("( rm -rf build\n)\n"));
    assert_eq!(code(text, "").as_deref(), Some("( echo $HOME\n)\n( cc -o build/app x.c\n)\n"));
    assert_eq!(code(text, "nothing"), None);
}

#[test]
fn the_command_line_sets_variables() {
    let settings = [("CC".to_owned(), "sh -c 'rm -rf data' #".to_owned())];
    let all = made("CC = gcc\nall:\n\t$(CC) x.c\n", &settings, "all");
    let code = all.first().and_then(|made| made.targets.first()).and_then(|(_, code)| code.as_deref());
    assert_eq!(code, Some("( sh -c 'rm -rf data' # x.c\n)\n"));
}

#[test]
fn each_form_of_a_rule_is_read() {
    for (text, target, expected) in [
        ("%:\n\techo $@ $*\n", "x", "( echo x x\n)\n"),
        ("%.o: %.c\n\tcc $< -o $@\n", "a.o", "( cc a.c -o a.o\n)\n"),
        (".c.o:\n\tcc $@\n", "a.o", "( cc a.o\n)\n"),
        ("a b: %: %.x\n\tgo $<\n", "a", "( go a.x\n)\n"),
        (".DEFAULT:\n\tgo $@\n", "x", "( go x\n)\n"),
        ("T = x y\n$(T):\n\tgo $@\n", "y", "( go y\n)\n"),
        ("x:: ; one\nx::\n\ttwo\n", "x", "( one\n)\n( two\n)\n"),
        ("x: V = 1\nx:\n\tgo $(V)\n", "x", "( go 1\n)\n"),
        ("X = a\nx:\n\tgo $X $(X:a=b)\n", "x", "( go a b\n)\n"),
        (".ONESHELL:\nx:\n\tcd /\n\t@go\n", "x", "( cd /\ngo\n)\n"),
        (".RECIPEPREFIX = >\nx:\n> go\n", "x", "( go\n)\n"),
        ("define D\none\ntwo\nendef\nx:\n\t$(D)\n", "x", "( one\n)\n( two\n)\n"),
        ("define R\n$(1):\n\tgo $(1)\nendef\n$(foreach t,x y,$(eval $(call R,$(t))))\n", "y", "( go y\n)\n"),
        ("V = 1\nx:\nifeq ($(V),1)\n\tone\nelse\n\ttwo\nendif\n\tthree\n", "x", "( one\n)\n( three\n)\n"),
        ("x: # why\n\tgo\n", "x", "( go\n)\n"),
        ("x:\n\techo '$(shell date)'\n", "x", "( date\n)\n( echo '$(date)'\n)\n"),
        ("O = $(patsubst %.c,%.o,$(wildcard *.c))\nx:\n\trm -f $(O)\n", "x", "( rm -f *.o\n)\n"),
        ("x:\n\t@# why $(shell date)\n\tgo\n", "x", "( date\n)\n( go\n)\n"),
        ("$(UNKNOWN):\n\tgo\n", "x", "( go\n)\n"),
    ] {
        assert_eq!(code(text, target).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn what_runs_while_the_file_is_read_is_found() {
    for text in [
        "X := $(shell date)\n",
        "X != date\n",
        "$(shell date)\n",
        "$(info $(shell date))\n",
        "Y = $(shell date)\nX := $(Y)\n",
        "ifeq ($(shell date),x)\nendif\n",
        "x: $(shell date)\n",
        "$(eval X := $(shell date))\n",
        "ifdef NOWHERE\nelse\nX := $(shell date)\nendif\n",
    ] {
        let found = made(text, &[], "all").iter().any(|made| made.while_read.iter().any(|code| code.trim() == "date"));
        assert!(found, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    for text in [
        "include x.mk\n",
        "-include *.d\n",
        "include $(NOWHERE)/x.mk\n",
        "-include gen.mk\ngen.mk:\n\tgo\n",
        "SHELL = python3\n",
        "SHELL = ./sh\n",
        ".SHELLFLAGS = script -c\n",
        "MAKEFLAGS += --eval=x\n",
        "load ./x.so\n",
        "$(guile (system \"x\"))\n",
    ] {
        assert!(made(text, &[], "all").iter().any(|made| !made.unread.is_empty()), "{text}");
    }
    for text in [
        "-include x.mk\n",
        "SHELL := /usr/bin/env bash\n.SHELLFLAGS := -eu -o pipefail -c\nMAKEFLAGS += -j4 --no-print-directory\n",
    ] {
        assert!(made(text, &[], "all").iter().all(|made| made.unread.is_empty()), "{text}");
    }
}

#[test]
fn each_branch_is_followed() {
    let all = made("ifdef A\nX = one\nelse ifdef B\nX = two\nelse\nX = three\nendif\nx:\n\t$(X)\n", &[], "x");
    let codes: Vec<&str> = all.iter().flat_map(|made| &made.targets).filter_map(|(_, code)| code.as_deref()).collect();
    assert_eq!(codes, ["( one\n)\n", "( two\n)\n", "( three\n)\n"]);
}

#[test]
fn loops_end() {
    for (text, target) in [
        ("a: b\n\techo a\nb: a\n\techo b\n", "a"),
        ("X = $(X)\nc:\n\techo $(X)\n", "c"),
        ("%: %.x\n\tgo $@\n", "d"),
        ("R = $(eval $(R))\n$(R)\ne:\n\tgo\n", "e"),
    ] {
        assert!(code(text, target).is_some(), "{text}");
    }
}

#[test]
fn what_grows_without_end_is_given_up() {
    let doubling: String = (0..40).map(|at| format!("V{} = $(V{at})$(V{at})\n", at + 1)).collect();
    let own = "X = $(X)$(X)\n".repeat(60);
    let simple = format!("X := aaaa\n{}", "X := $(X)$(X)\n".repeat(60));
    let long: String = (0..5000).map(|at| format!("t{at}: t{}\n", at + 1)).collect();
    for text in [
        format!("V0 = a\n{doubling}x:\n\techo $(V40)\n"),
        format!("X = a\n{own}x:\n\techo $(X)\n"),
        format!("{simple}x:\n\techo $(X)\n"),
        format!("x: t0\n{long}"),
        format!("x:\n\techo {}\n", "$(".repeat(50_000)),
    ] {
        assert!(made(&text, &[], "x").iter().any(|made| !made.unread.is_empty()), "{}", text.len());
    }
}
