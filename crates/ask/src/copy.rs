//! A script as a solver gets it.
//!
//! A copy has the meaning of the script, in the dialect of the release, with nothing in it but what
//! decides the answer: options, information and requests for output are left out, and what we want
//! to know is asked for instead. So all solvers get the same question, and a file that sets options
//! of one solver is no stumbling block for another.

use luthier_runner::releases::Quirks;
use luthier_smtlib::{
    CannotExpress, Command, CommandKind, Dialect, PrintOptions, Script, SimpleCommand, print_script,
};
use luthier_terms::{Term, TermPool, Theory};

use crate::Request;

/// What a solver gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The text.
    pub bytes: Vec<u8>,
    /// How it differs in writing from the script.
    pub notes: Vec<String>,
}

/// Why a solver cannot be given a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotAsk {
    /// Its dialect cannot express it.
    #[error(transparent)]
    Dialect(#[from] CannotExpress),
    /// The script has scopes and the solver has none.
    #[error("the solver has no push and pop, and the script uses them")]
    NoScopes,
}

/// What is asked besides the verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Models.
    pub models: bool,
    /// Cores.
    pub cores: bool,
    /// Lines at the top.
    pub lines: &'a [String],
}

impl Wanted<'_> {
    /// What is asked after each query, in this order.
    pub fn requests(&self) -> Vec<Request> {
        let models = self.models.then_some(Request::Model);
        let cores = self.cores.then_some(Request::Core);
        models.into_iter().chain(cores).collect()
    }
}

/// The copy of a script for a solver of a dialect with these quirks.
pub fn copy_of(
    pool: &mut TermPool,
    script: &Script,
    dialect: Dialect,
    quirks: &Quirks,
    wanted: &Wanted<'_>,
) -> Result<Copy, CannotAsk> {
    let mut notes = Vec::new();
    let mut asked = asking_script(pool, script, wanted);
    let is_scope =
        |command: &Command| matches!(command.kind, CommandKind::Push(_) | CommandKind::Pop(_));
    if !quirks.scopes && asked.commands.iter().any(is_scope) {
        return Err(CannotAsk::NoScopes);
    }
    fit_logic(pool, &mut asked, quirks, &mut notes);
    let has_reset = asked.commands.iter().any(|command| command.kind == CommandKind::Reset);
    let printed = print_script(pool, &asked, &PrintOptions::new(dialect))?;
    let mut bytes = Vec::with_capacity(printed.bytes.len() + 256);
    let add_lines = |bytes: &mut Vec<u8>| {
        for line in wanted.lines {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
    };
    add_lines(&mut bytes);
    if has_reset {
        // A reset takes the options back, so they are set again after it.
        for line in printed.bytes.split_inclusive(|byte| *byte == b'\n') {
            if line == b"(reset)\n" {
                bytes.extend_from_slice(quirks.reset.as_bytes());
                bytes.push(b'\n');
                add_lines(&mut bytes);
            } else {
                bytes.extend_from_slice(line);
            }
        }
    } else {
        bytes.extend_from_slice(&printed.bytes);
    }
    notes.extend(printed.notes.iter().map(|note| note.describe(dialect)));
    Ok(Copy { bytes, notes })
}

/// The commands that decide the answer, and requests for what we want to know.
fn asking_script(pool: &mut TermPool, script: &Script, wanted: &Wanted<'_>) -> Script {
    let made = |kind: CommandKind| Command { kind, span: Default::default() };
    let mut commands = Vec::with_capacity(script.commands.len() + 4);
    let mut asked = false;
    let mut asserted = false;
    let requests: Vec<SimpleCommand> = wanted.requests().into_iter().filter_map(command).collect();
    let add_requests = |commands: &mut Vec<Command>| {
        commands.extend(requests.iter().map(|&request| made(CommandKind::Simple(request))));
    };
    for command in &script.commands {
        match &command.kind {
            CommandKind::Simple(SimpleCommand::Exit) => break,
            CommandKind::SetInfo(_)
            | CommandKind::GetValue(_)
            | CommandKind::GetInfo(_)
            | CommandKind::GetOption(_)
            | CommandKind::Echo(_)
            | CommandKind::Simple(_) => continue,
            // This one changes how long declarations live.
            CommandKind::SetOption(option)
                if pool.symbols().bytes_of(option.keyword) != b":global-declarations" =>
            {
                continue;
            }
            _ => commands.push(command.clone()),
        }
        match command.kind {
            CommandKind::CheckSat | CommandKind::CheckSatAssuming(_) => {
                asked = true;
                add_requests(&mut commands);
            }
            CommandKind::Assert(_) => asserted = true,
            _ => {}
        }
    }
    if !asked && asserted {
        commands.push(made(CommandKind::CheckSat));
        add_requests(&mut commands);
        asked = true;
    }
    // Only after the last query: CVC4 1.6 ends when it has no reason to tell.
    if asked && let Ok(keyword) = pool.symbols_mut().intern(b":reason-unknown") {
        commands.push(made(CommandKind::GetInfo(keyword)));
    }
    Script { commands }
}

/// The command of a request that a copy may have.
fn command(request: Request) -> Option<SimpleCommand> {
    match request {
        Request::Model => Some(SimpleCommand::GetModel),
        Request::Core => Some(SimpleCommand::GetUnsatCore),
        Request::Value | Request::Other => None,
    }
}

/// Some solvers refuse `+` and `<` in a logic without integers, but published files declare `QF_S`
/// and use them. They get the logic that was meant.
fn fit_logic(pool: &mut TermPool, script: &mut Script, quirks: &Quirks, notes: &mut Vec<String>) {
    if quirks.integer_logics.is_empty() {
        return;
    }
    let is_arithmetic =
        |id| matches!(pool.term(id), Term::Op(op, _) if op.info().theory == Theory::Ints);
    if !pool.term_ids().any(is_arithmetic) {
        return;
    }
    for command in &mut script.commands {
        let CommandKind::SetLogic(logic) = &mut command.kind else { continue };
        let name = pool.symbols().display(*logic).into_owned();
        let Some(fitting) = quirks.integer_logics.get(&name) else { continue };
        if let Ok(symbol) = pool.symbols_mut().intern(fitting.as_bytes()) {
            *logic = symbol;
            notes.push(format!("the logic {name} has no integers; {fitting} stands for it"));
        }
    }
}

#[cfg(test)]
mod tests {
    use luthier_smtlib::{Mode, ReadOptions, read_script};

    use super::*;

    fn copy_with(text: &str, dialect: Dialect, quirks: &Quirks, wanted: &Wanted<'_>) -> Copy {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: None, mode: Mode::Generous };
        let reading = read_script(&mut pool, text.as_bytes(), &options);
        assert_eq!(reading.errors().count(), 0);
        copy_of(&mut pool, &reading.script, dialect, quirks, wanted).unwrap()
    }

    fn copy(text: &str, dialect: Dialect, wanted: &Wanted<'_>) -> String {
        String::from_utf8(copy_with(text, dialect, &Quirks::default(), wanted).bytes).unwrap()
    }

    const TEXT: &str = "(set-info :status sat)\n(set-option :cvc4-option true)\n\
         (set-logic QF_S)\n(declare-const x String)\n(assert (= (str.to.int x) 1))\n(echo \"hi\")\n\
         (check-sat)\n(get-value (x))\n(exit)\n(check-sat)\n";

    #[test]
    fn a_copy_asks_only_what_we_want_to_know() {
        let lines = ["(set-option :produce-models true)".to_owned()];
        let wanted = Wanted { models: true, cores: false, lines: &lines };
        assert_eq!(
            copy(TEXT, Dialect::Smt27, &wanted),
            "(set-option :produce-models true)\n(set-info :smt-lib-version 2.7)\n(set-logic QF_S)\n\
             (declare-const x String)\n\
             (assert (= (str.to_int x) 1))\n(check-sat)\n(get-model)\n\
             (get-info :reason-unknown)\n"
        );
        let old = copy(TEXT, Dialect::Z3Legacy, &Wanted::default());
        assert!(old.contains("(str.to.int x)") && !old.contains("get-model"), "{old}");
    }

    #[test]
    fn a_script_that_never_asks_is_asked_once_and_options_survive_a_reset() {
        let lines = ["(set-option :produce-models true)".to_owned()];
        let wanted = Wanted { models: true, cores: true, lines: &lines };
        let text = "(declare-const x String)\n(assert (= x \"\"))\n";
        let asked = copy(text, Dialect::Smt27, &wanted);
        assert!(asked.contains("(check-sat)\n(get-model)\n(get-unsat-core)\n"), "{asked}");
        let text = "(set-logic QF_S)\n(check-sat)\n(reset)\n(set-logic QF_S)\n(check-sat)\n";
        let asked = copy(text, Dialect::Smt27, &wanted);
        assert!(asked.contains("(reset)\n(set-option :produce-models true)\n"), "{asked}");
    }

    #[test]
    fn a_logic_without_integers_is_no_stumbling_block() {
        let text = "(set-logic QF_S)(declare-const x String)(assert (< (str.len x) 3))(check-sat)";
        let integer_logics = [("QF_S".to_owned(), "QF_SLIA".to_owned())].into();
        let quirks = Quirks { integer_logics, ..Quirks::default() };
        let copy = copy_with(text, Dialect::Cvc5, &quirks, &Wanted::default());
        assert!(String::from_utf8_lossy(&copy.bytes).contains("(set-logic QF_SLIA)"));
        assert_eq!(copy.notes, ["the logic QF_S has no integers; QF_SLIA stands for it"]);
        let copy = copy_with(text, Dialect::Z3, &Quirks::default(), &Wanted::default());
        let text = String::from_utf8_lossy(&copy.bytes);
        assert!(text.contains("(set-logic QF_S)") && copy.notes.is_empty(), "{text}");
    }

    #[test]
    fn a_reset_of_its_own_is_used_and_scopes_that_it_lacks_are_not() {
        let quirks = Quirks { reset: "(restart)".to_owned(), scopes: false, ..Quirks::default() };
        let text = "(set-logic QF_S)(check-sat)(reset)(set-logic QF_S)(check-sat)";
        let copy = copy_with(text, Dialect::Smt27, &quirks, &Wanted::default());
        let copy = String::from_utf8_lossy(&copy.bytes);
        assert!(copy.contains("(restart)\n") && !copy.contains("(reset)"), "{copy}");
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: None, mode: Mode::Generous };
        let script = read_script(&mut pool, b"(push 1)(check-sat)(pop 1)", &options).script;
        let wanted = Wanted::default();
        let cannot = copy_of(&mut pool, &script, Dialect::Smt27, &quirks, &wanted).unwrap_err();
        assert_eq!(cannot, CannotAsk::NoScopes);
    }
}
