//! The copy of a script that a solver gets.
//!
//! A copy means the same as the script and is written in the dialect of the release. It keeps only what
//! decides the verdicts: declarations, definitions, assertions, scopes and queries. Options,
//! information and requests for output are left out (except `:global-declarations`, which changes how
//! long declarations live), and `get-model`, `get-unsat-core` and `(get-info :reason-unknown)` are added
//! as [`CopyOptions`] says. So all solvers decide the same problem, and a file that sets options of one
//! solver can be run on another. A script with assertions but without a query gets one `check-sat`.
//!
//! What a dialect or a solver cannot express is [`CannotAsk`]: there is no approximate copy.

use luthier_runner::releases::Quirks;
use luthier_smtlib::{
    CannotExpress, Command, CommandKind, Dialect, PrintOptions, Script, SimpleCommand, print_script,
};
use luthier_terms::{Term, TermPool, Theory};

use crate::Request;

/// A script as a solver gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptCopy {
    /// The text.
    pub bytes: Vec<u8>,
    /// How its notation differs from that of the script.
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

/// What a copy requests besides the verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyOptions<'a> {
    /// Models.
    pub models: bool,
    /// Cores.
    pub cores: bool,
    /// Commands at the top, and again after each reset.
    pub preamble: &'a [String],
}

impl CopyOptions<'_> {
    /// The requests after each query, in this order.
    pub fn requests(&self) -> Vec<Request> {
        let models = self.models.then_some(Request::Model);
        let cores = self.cores.then_some(Request::Core);
        models.into_iter().chain(cores).collect()
    }
}

/// The copy of a script for a solver of a dialect with these quirks.
pub fn script_copy(
    pool: &mut TermPool,
    script: &Script,
    dialect: Dialect,
    quirks: &Quirks,
    options: &CopyOptions<'_>,
) -> Result<ScriptCopy, CannotAsk> {
    let mut notes = Vec::new();
    let mut reduced = reduced_script(pool, script, options);
    let is_scope =
        |command: &Command| matches!(command.kind, CommandKind::Push(_) | CommandKind::Pop(_));
    if !quirks.scopes && reduced.commands.iter().any(is_scope) {
        return Err(CannotAsk::NoScopes);
    }
    fit_logic(pool, &mut reduced, quirks, &mut notes);
    let has_reset = reduced.commands.iter().any(|command| command.kind == CommandKind::Reset);
    let printed = print_script(pool, &reduced, &PrintOptions::new(dialect))?;
    let mut bytes = Vec::with_capacity(printed.bytes.len() + 256);
    let add_preamble = |bytes: &mut Vec<u8>| {
        for line in options.preamble {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
    };
    add_preamble(&mut bytes);
    if has_reset {
        // A reset undoes the options, so they are set again after it.
        for line in printed.bytes.split_inclusive(|byte| *byte == b'\n') {
            if line == b"(reset)\n" {
                bytes.extend_from_slice(quirks.reset.as_bytes());
                bytes.push(b'\n');
                add_preamble(&mut bytes);
            } else {
                bytes.extend_from_slice(line);
            }
        }
    } else {
        bytes.extend_from_slice(&printed.bytes);
    }
    notes.extend(printed.notes.iter().map(|note| note.describe(dialect)));
    Ok(ScriptCopy { bytes, notes })
}

/// The commands that decide the verdicts, and the requests of the options.
fn reduced_script(pool: &mut TermPool, script: &Script, options: &CopyOptions<'_>) -> Script {
    let command_of = |kind: CommandKind| Command { kind, span: Default::default() };
    let mut commands = Vec::with_capacity(script.commands.len() + 4);
    let mut has_query = false;
    let mut has_assertion = false;
    let requests: Vec<SimpleCommand> = options.requests().into_iter().filter_map(command).collect();
    let add_requests = |commands: &mut Vec<Command>| {
        commands.extend(requests.iter().map(|&request| command_of(CommandKind::Simple(request))));
    };
    for command in &script.commands {
        match &command.kind {
            CommandKind::Simple(SimpleCommand::Exit) => break,
            CommandKind::SetInfo(_)
            | CommandKind::GetValue(_)
            | CommandKind::Simplify(_)
            | CommandKind::GetInfo(_)
            | CommandKind::GetOption(_)
            | CommandKind::Echo(_)
            | CommandKind::Simple(_) => continue,
            // This option changes how long declarations live.
            CommandKind::SetOption(option)
                if pool.symbols().bytes_of(option.keyword) != b":global-declarations" =>
            {
                continue;
            }
            _ => commands.push(command.clone()),
        }
        match command.kind {
            CommandKind::CheckSat | CommandKind::CheckSatAssuming(_) => {
                has_query = true;
                add_requests(&mut commands);
            }
            CommandKind::Assert(_) => has_assertion = true,
            _ => {}
        }
    }
    if !has_query && has_assertion {
        commands.push(command_of(CommandKind::CheckSat));
        add_requests(&mut commands);
        has_query = true;
    }
    // Only after the last query: CVC4 1.6 exits if there is no reason to report.
    if has_query && let Ok(keyword) = pool.symbols_mut().intern(b":reason-unknown") {
        commands.push(command_of(CommandKind::GetInfo(keyword)));
    }
    Script { commands }
}

/// The command for a request; `None` for requests that copies do not have.
fn command(request: Request) -> Option<SimpleCommand> {
    match request {
        Request::Model => Some(SimpleCommand::GetModel),
        Request::Core => Some(SimpleCommand::GetUnsatCore),
        Request::Value | Request::Other => None,
    }
}

/// Some solvers reject `+` and `<` in a logic without integers, but published files declare `QF_S`
/// and use them. Such solvers get the corresponding logic with integers, as their quirks say.
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

    fn copy_with(
        text: &str,
        dialect: Dialect,
        quirks: &Quirks,
        options: &CopyOptions<'_>,
    ) -> ScriptCopy {
        let mut pool = TermPool::new();
        let read_options = ReadOptions { dialect: None, mode: Mode::Generous };
        let reading = read_script(&mut pool, text.as_bytes(), &read_options);
        assert_eq!(reading.errors().count(), 0);
        script_copy(&mut pool, &reading.script, dialect, quirks, options).unwrap()
    }

    fn copy(text: &str, dialect: Dialect, options: &CopyOptions<'_>) -> String {
        String::from_utf8(copy_with(text, dialect, &Quirks::default(), options).bytes).unwrap()
    }

    const TEXT: &str = "(set-info :status sat)\n(set-option :cvc4-option true)\n\
         (set-logic QF_S)\n(declare-const x String)\n(assert (= (str.to.int x) 1))\n(echo \"hi\")\n\
         (check-sat)\n(get-value (x))\n(exit)\n(check-sat)\n";

    #[test]
    fn a_copy_has_only_the_requests_of_its_options() {
        let preamble = ["(set-option :produce-models true)".to_owned()];
        let options = CopyOptions { models: true, cores: false, preamble: &preamble };
        assert_eq!(
            copy(TEXT, Dialect::Smt27, &options),
            "(set-option :produce-models true)\n(set-info :smt-lib-version 2.7)\n(set-logic QF_S)\n\
             (declare-const x String)\n\
             (assert (= (str.to_int x) 1))\n(check-sat)\n(get-model)\n\
             (get-info :reason-unknown)\n"
        );
        let old = copy(TEXT, Dialect::Z3Legacy, &CopyOptions::default());
        assert!(old.contains("(str.to.int x)") && !old.contains("get-model"), "{old}");
    }

    #[test]
    fn a_script_without_a_query_gets_one_and_options_survive_a_reset() {
        let preamble = ["(set-option :produce-models true)".to_owned()];
        let options = CopyOptions { models: true, cores: true, preamble: &preamble };
        let text = "(declare-const x String)\n(assert (= x \"\"))\n";
        let asked = copy(text, Dialect::Smt27, &options);
        assert!(asked.contains("(check-sat)\n(get-model)\n(get-unsat-core)\n"), "{asked}");
        let text = "(set-logic QF_S)\n(check-sat)\n(reset)\n(set-logic QF_S)\n(check-sat)\n";
        let asked = copy(text, Dialect::Smt27, &options);
        assert!(asked.contains("(reset)\n(set-option :produce-models true)\n"), "{asked}");
    }

    #[test]
    fn a_logic_without_integers_is_replaced_by_one_with_integers() {
        let text = "(set-logic QF_S)(declare-const x String)(assert (< (str.len x) 3))(check-sat)";
        let integer_logics = [("QF_S".to_owned(), "QF_SLIA".to_owned())].into();
        let quirks = Quirks { integer_logics, ..Quirks::default() };
        let copy = copy_with(text, Dialect::Cvc5, &quirks, &CopyOptions::default());
        assert!(String::from_utf8_lossy(&copy.bytes).contains("(set-logic QF_SLIA)"));
        assert_eq!(copy.notes, ["the logic QF_S has no integers; QF_SLIA stands for it"]);
        let copy = copy_with(text, Dialect::Z3, &Quirks::default(), &CopyOptions::default());
        let text = String::from_utf8_lossy(&copy.bytes);
        assert!(text.contains("(set-logic QF_S)") && copy.notes.is_empty(), "{text}");
    }

    #[test]
    fn a_solver_specific_reset_is_used_and_missing_scopes_are_refused() {
        let quirks = Quirks { reset: "(restart)".to_owned(), scopes: false, ..Quirks::default() };
        let text = "(set-logic QF_S)(check-sat)(reset)(set-logic QF_S)(check-sat)";
        let copy = copy_with(text, Dialect::Smt27, &quirks, &CopyOptions::default());
        let copy = String::from_utf8_lossy(&copy.bytes);
        assert!(copy.contains("(restart)\n") && !copy.contains("(reset)"), "{copy}");
        let mut pool = TermPool::new();
        let read_options = ReadOptions { dialect: None, mode: Mode::Generous };
        let script = read_script(&mut pool, b"(push 1)(check-sat)(pop 1)", &read_options).script;
        let options = CopyOptions::default();
        let cannot =
            script_copy(&mut pool, &script, Dialect::Smt27, &quirks, &options).unwrap_err();
        assert_eq!(cannot, CannotAsk::NoScopes);
    }
}
