//! `luthier completions` and `luthier man`: read by the programs that they are for.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::path::Path;
use std::process::{Command, Output};

use crate::common::Bench;

fn sh(bench: &Bench, program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(bench.path(".")).output().unwrap()
}

fn is_there(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|output| output.status.success())
}

#[test]
fn bash_completes_commands_and_options() {
    let bench = Bench::new();
    bench.write("luthier.bash", bench.run(&["completions", "bash"]).expect(0).stdout);
    let syntax = sh(&bench, "bash", &["-n", "luthier.bash"]);
    assert!(syntax.status.success() && syntax.stderr.is_empty(), "{syntax:?}");
    let complete = |words: &str, current: usize| {
        // The function is called with the command, the word and the one before, as bash does.
        let script = format!(
            "source ./luthier.bash; complete -p luthier; COMP_WORDS=({words}); COMP_CWORD={current}; \
             _luthier luthier \"${{COMP_WORDS[{current}]}}\" \"${{COMP_WORDS[{}]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            current - 1
        );
        let output = sh(&bench, "bash", &["-c", &script]);
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let registered = text.lines().next().unwrap();
        assert!(
            registered.starts_with("complete ") && registered.contains("-F _luthier "),
            "{text}"
        );
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("luthier su", 1), ["summary"]);
    assert_eq!(complete("luthier summary --fi", 2), ["--findings"]);
    assert_eq!(complete("luthier completions b", 2), ["bash"]);
    assert!(complete("luthier ''", 1).contains(&"show".to_owned()));
}

#[test]
fn every_shell_gets_a_script() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = bench.run(&["completions", shell]).expect(0).stdout;
        assert!(script.contains("luthier") && script.contains("summary"), "{shell}");
        bench.write(&format!("luthier.{shell}"), &script);
        if ["zsh", "fish"].contains(&shell) && is_there(shell) {
            let syntax = sh(&bench, shell, &["-n", &format!("luthier.{shell}")]);
            assert!(syntax.status.success(), "{shell}: {syntax:?}");
        }
    }
    let json = bench.run(&["completions", "fish", "--json"]).expect(0).json();
    assert_eq!(json["shell"], "fish");
    assert!(json["script"].as_str().unwrap().contains("complete -c luthier"));
    let unknown = bench.run(&["completions", "tcsh"]).expect(1);
    assert!(unknown.stderr.contains("bash"), "{unknown:?}");
}

/// What a page looks like to a reader, if there is a program that shows it.
fn rendered(bench: &Bench, page: &Path) -> Option<String> {
    let page = page.to_str().unwrap();
    let output = if is_there("mandoc") {
        sh(bench, "mandoc", &["-T", "utf8", page])
    } else if is_there("groff") {
        sh(bench, "groff", &["-man", "-ww", "-Tutf8", "-P-cbou", page])
    } else {
        return None;
    };
    assert!(output.status.success(), "{page}: {output:?}");
    assert!(output.stderr.is_empty(), "{page}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_command_has_a_manual_page_that_can_be_shown() {
    let bench = Bench::new();
    let json = bench.run(&["man", "--out", "pages/man1", "--json"]).expect(0).json();
    let files = json["files"].as_array().unwrap();
    let help = bench.run(&["-h"]).expect(0).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = listed
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"summary"), "{help}");
    for command in &commands {
        let file = format!("pages/man1/luthier-{command}.1");
        assert!(files.iter().any(|one| *one == file.as_str()), "{file}: {files:?}");
    }
    assert!(files.len() > commands.len());
    for file in files {
        let path = bench.path(file.as_str().unwrap());
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.lines().any(|line| line.starts_with(".TH luthier")), "{page}");
        assert!(page.is_ascii(), "not every troff reads UTF-8: {page}");
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"] {
            assert!(page.contains(section), "{file}: {section}: {page}");
        }
        if let Some(text) = rendered(&bench, &path) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(text.contains("NAME") && text.contains(name), "{name}: {text}");
        }
    }
    let run = std::fs::read_to_string(bench.path("pages/man1/luthier-run.1")).unwrap();
    assert!(run.contains("\\-\\-timeout") && run.contains("EXPERIMENT.toml"), "{run}");
}

#[test]
fn one_manual_page_is_printed() {
    let bench = Bench::new();
    let top = bench.run(&["man"]).expect(0).stdout;
    assert!(top.contains(".TH luthier 1") && top.contains("luthier\\-run"), "{top}");
    let install = bench.run(&["man", "solvers", "install"]).expect(0).stdout;
    assert!(install.contains(".TH luthier-solvers-install 1"), "{install}");
    let none = bench.run(&["man", "frobnicate"]).expect(1);
    assert!(none.stderr.contains("there is no command `frobnicate`"), "{none:?}");
    bench.write("file", "");
    bench.run(&["man", "--out", "file"]).expect(1);
}
