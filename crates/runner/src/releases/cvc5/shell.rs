//! `luthier cvc5-shell`: behaves as the executable of cvc5, with its options, messages and exit codes.
//!
//! Defaults that differ between library and executable (`incremental`, `output-language`) are set as
//! the executable sets them.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;
use std::process;
use std::thread;
use std::time::Duration;

use super::api::{Command, Cvc5};
use super::arguments::{ArgumentError, Arguments};
use super::binding::Binding;
use super::libraries::Libraries;

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;

/// Runs cvc5 from the libraries in a folder with its own command line; returns the exit code.
/// Replies go to `stdout`, everything else to `stderr`.
pub fn run(
    folder: &Path,
    arguments: &[OsString],
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> io::Result<u8> {
    match Binding::in_folder(folder) {
        Ok(None) => {}
        Ok(Some(binding)) => {
            let done = binding.become_cvc5(arguments);
            return done.map_or_else(|problem| fail(stderr, &problem), Ok);
        }
        Err(error) => return fail(stderr, &format!("{}: {error}", folder.display())),
    }
    let libraries = match Libraries::find(folder) {
        Ok(libraries) => libraries,
        Err(error) => return fail(stderr, &error.to_string()),
    };
    let mut cvc5 = match Cvc5::load(&libraries) {
        Ok(cvc5) => cvc5,
        Err(error) => return fail(stderr, &error.to_string()),
    };
    let names = cvc5.option_names();
    // An option that is neither true nor false needs a value.
    let takes_value = |name: &str| {
        names.iter().any(|known| known == name)
            && cvc5.option(name).is_ok_and(|value| value != "true" && value != "false")
    };
    let takes_value = |name: &str| !NEVER_WITH_VALUE.contains(&name) && takes_value(name);
    let parsed = match Arguments::parse(arguments, takes_value) {
        Ok(parsed) => parsed,
        Err(error) => return fail_on_option(stderr, &error),
    };
    if parsed.version {
        writeln!(stdout, "This is cvc5 version {}", cvc5.version())?;
        stdout.flush()?;
        return Ok(SUCCESS);
    }
    // The executable solves one query unless it is told otherwise; the library would not.
    if let Err(error) = cvc5.set_option("incremental", "false") {
        return fail(stderr, &error);
    }
    // In its own language cvc5 would print `unknown (TIMEOUT)`, which the executable does not.
    if !parsed.sygus
        && let Err(error) = cvc5.set_option("output-language", "smt2")
    {
        return fail(stderr, &error);
    }
    for (name, value) in &parsed.options {
        let (name, value) = match (value, name.strip_prefix("no-")) {
            _ if names.contains(name) => (name.as_str(), value.as_deref().unwrap_or("true")),
            (None, Some(name)) if names.iter().any(|known| known == name) => (name, "false"),
            _ => {
                let unknown = ArgumentError::Unknown(format!("--{name}"));
                return fail_on_option(stderr, &unknown);
            }
        };
        if let Err(error) = cvc5.set_option(name, value) {
            return fail(stderr, &error);
        }
    }
    if let Some(limit) = parsed.time_limit {
        end_after(limit);
    }
    let (script, name) = match read_script(&parsed) {
        Ok(read) => read,
        Err(problem) => return fail(stderr, &problem),
    };
    if let Err(error) = cvc5.read(script, &name, parsed.sygus) {
        return fail(stderr, &error);
    }
    solve(&cvc5, stdout)
}

/// Options of the library without a value.
const NEVER_WITH_VALUE: [&str; 4] = ["help", "quiet", "verbose", "version"];

/// Carries out the commands of the script.
fn solve(cvc5: &Cvc5, stdout: &mut dyn Write) -> io::Result<u8> {
    loop {
        let command = match cvc5.next_command() {
            Ok(Some(command)) => command,
            Ok(None) => return Ok(SUCCESS),
            Err(error) => {
                print_error(stdout, &format!("Parse Error: {error}"))?;
                return Ok(FAILURE);
            }
        };
        let name = cvc5.name(&command);
        if !carry_out(cvc5, &command, &name, stdout)? {
            return Ok(FAILURE);
        }
        if name == "exit" {
            return Ok(SUCCESS);
        }
    }
}

/// Carries out one command; returns whether to go on.
fn carry_out(
    cvc5: &Cvc5,
    command: &Command,
    name: &str,
    stdout: &mut dyn Write,
) -> io::Result<bool> {
    match cvc5.invoke(command) {
        Ok(printed) => {
            stdout.write_all(&printed)?;
            stdout.flush()?;
            // The executable continues after a request that cannot be fulfilled, such as
            // `get-model` after `unsat`, and ends after any other error.
            Ok(!printed.starts_with(b"(error ") || name.starts_with("get-"))
        }
        Err(error) => {
            print_error(stdout, &error)?;
            Ok(false)
        }
    }
}

/// The script, and what it is called in messages.
fn read_script(arguments: &Arguments) -> Result<(Vec<u8>, String), String> {
    match arguments.files.first().filter(|file| *file != Path::new("-")) {
        Some(file) => {
            let name = file.display().to_string();
            match fs::read(file) {
                Ok(script) => Ok((script, name)),
                Err(_) => Err(format!("Couldn't open file: {name}")),
            }
        }
        None => {
            let mut script = Vec::new();
            match io::stdin().lock().read_to_end(&mut script) {
                Ok(_) => Ok((script, "<stdin>".to_owned())),
                Err(error) => Err(format!("Couldn't read standard input: {error}")),
            }
        }
    }
}

/// Ends the process after a while, whatever it is doing, in the way in which the executable does.
fn end_after(limit: Duration) {
    thread::spawn(move || {
        thread::sleep(limit);
        // An error here cannot be reported.
        let _ = io::stderr().write_all(b"cvc5 interrupted by timeout.\n");
        process::abort();
    });
}

fn fail(stderr: &mut dyn Write, problem: &str) -> io::Result<u8> {
    print_error(stderr, problem)?;
    Ok(FAILURE)
}

fn fail_on_option(stderr: &mut dyn Write, problem: &ArgumentError) -> io::Result<u8> {
    fail(stderr, &format!("Error in option parsing: {problem}"))
}

/// An error as SMT-LIB wants it. A quotation mark inside would end it.
fn print_error(stdout: &mut dyn Write, message: &str) -> io::Result<()> {
    writeln!(stdout, "(error \"{}\")", message.trim_end().replace('"', "\"\""))?;
    stdout.flush()
}
