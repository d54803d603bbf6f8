//! What is asked: an instance as it is understood, and the copy of it that a solver gets.
//!
//! A copy says the same as the instance, in the dialect of the release, with nothing in it but
//! what decides the answer: options, information and requests for output are left out, and what
//! we want to know is asked for instead. So all solvers get the same question, and a file that
//! sets options of one solver is no stumbling block for another.

use luthier_judge::{Expectations, expectations, name_assertions};
use luthier_records::{Bytes, Digest, Instance};
use luthier_runner::answer::Request;
use luthier_smtlib::source::{Locator, Span};
use luthier_smtlib::{
    CannotExpress, Command, CommandKind, Dialect, Mode, PrintOptions, ReadOptions, Script,
    SimpleCommand, print_script, read_script,
};
use luthier_terms::{Term, TermPool, Theory};

/// An instance, read and understood.
pub struct Question {
    /// The terms.
    pub pool: TermPool,
    /// The script as it stands in the file.
    pub script: Script,
    /// What is recorded of it.
    pub instance: Instance,
    /// It asks for a core itself, or has a planted one.
    pub asks_for_core: bool,
    /// What it says about its own answers and cannot mean: place and message.
    pub remarks: Vec<String>,
    /// Its text.
    pub source: Vec<u8>,
}

/// What a solver gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The text.
    pub bytes: Vec<u8>,
    /// How it differs in writing from the instance.
    pub notes: Vec<String>,
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
    pub(crate) fn requests(&self) -> Vec<Request> {
        let models = self.models.then_some(Request::Model);
        let cores = self.cores.then_some(Request::Core);
        models.into_iter().chain(cores).collect()
    }
}

impl Question {
    /// Reads an instance, in a dialect or in the one that it seems to be written in.
    pub fn read(bytes: &[u8], dialect: Option<Dialect>) -> Self {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect, mode: Mode::Generous };
        let reading = read_script(&mut pool, bytes, &options);
        let at = |span: Span, message: &str| {
            let place = Locator::new(bytes).location(span.start);
            format!("{}:{}: {message}", place.line, place.column)
        };
        let fault = reading.errors().next().map(|error| at(error.span, &error.message));
        let script = reading.script;
        let expected = match &fault {
            Some(_) => Expectations::default(),
            None => expectations(&pool, &script),
        };
        let queries = expected.queries;
        // Whoever is asked nothing cannot answer, and must not be blamed for it.
        let asks_nothing = "1:1: it asks nothing: there is no check-sat and no assertion";
        let fault = fault.or_else(|| queries.is_empty().then(|| asks_nothing.to_owned()));
        let remarks =
            expected.problems.iter().map(|problem| at(problem.span, &problem.message)).collect();
        let asks = |command: &Command| {
            matches!(command.kind, CommandKind::Simple(SimpleCommand::GetUnsatCore))
        };
        let asks_for_core = script.commands.iter().any(asks)
            || queries.iter().any(|query| query.planted_core.is_some());
        let instance = Instance {
            digest: Digest::of(bytes),
            dialect: reading.detection.dialect.name().to_owned(),
            dialect_reason: reading.detection.reason.describe(),
            size: Bytes(bytes.len() as u64),
            queries,
            fault,
            features: None,
        };
        Self { pool, script, instance, asks_for_core, remarks, source: bytes.to_vec() }
    }

    /// Gives every assertion a name, so that a core can be asked for. Names do not change what a
    /// script means.
    pub fn name_assertions(&mut self) {
        // Names run out only with the numbers of terms; then cores stay without them.
        if let Ok(named) = name_assertions(&mut self.pool, &self.script) {
            self.script = named;
        }
    }

    /// The copy of the instance for a solver of this dialect.
    pub fn copy(&mut self, dialect: Dialect, wanted: &Wanted<'_>) -> Result<Copy, CannotExpress> {
        copy_of(&mut self.pool, &self.script, dialect, wanted)
    }
}

/// The copy of a script for a solver of a dialect.
pub fn copy_of(
    pool: &mut TermPool,
    script: &Script,
    dialect: Dialect,
    wanted: &Wanted<'_>,
) -> Result<Copy, CannotExpress> {
    let mut notes = Vec::new();
    let mut asked = asking_script(pool, script, wanted);
    fit_logic(pool, &mut asked, dialect, &mut notes);
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
    if has_reset && !wanted.lines.is_empty() {
        // A reset takes the options back, so they are set again after it.
        for line in printed.bytes.split_inclusive(|byte| *byte == b'\n') {
            bytes.extend_from_slice(line);
            if line == b"(reset)\n" {
                add_lines(&mut bytes);
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

/// CVC4 from 1.8 on and cvc5 refuse `+` and `<` in a logic without integers, but published files
/// declare `QF_S` and use them. They get the logic that was meant.
fn fit_logic(pool: &mut TermPool, script: &mut Script, dialect: Dialect, notes: &mut Vec<String>) {
    if !matches!(dialect, Dialect::Cvc4V18 | Dialect::Cvc5) {
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
        let fitting = match name.as_str() {
            "QF_S" => "QF_SLIA",
            "QF_UFS" => "QF_UFSLIA",
            "S" | "UFS" => "ALL",
            _ => continue,
        };
        if let Ok(symbol) = pool.symbols_mut().intern(fitting.as_bytes()) {
            *logic = symbol;
            notes.push(format!("the logic {name} has no integers; {fitting} stands for it"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(text: &str, dialect: Dialect, wanted: &Wanted<'_>) -> String {
        let mut question = Question::read(text.as_bytes(), None);
        assert_eq!(question.instance.fault, None);
        String::from_utf8(question.copy(dialect, wanted).unwrap().bytes).unwrap()
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
        let old: Dialect = "z3@4.8.5".parse().unwrap();
        let old = copy(TEXT, old, &Wanted::default());
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
        let mut question = Question::read(text.as_bytes(), None);
        let copy = question.copy(Dialect::Cvc5, &Wanted::default()).unwrap();
        assert!(String::from_utf8_lossy(&copy.bytes).contains("(set-logic QF_SLIA)"));
        assert_eq!(copy.notes, ["the logic QF_S has no integers; QF_SLIA stands for it"]);
        let copy = question.copy(Dialect::Z3, &Wanted::default()).unwrap();
        let text = String::from_utf8_lossy(&copy.bytes);
        assert!(text.contains("(set-logic QF_S)") && copy.notes.is_empty(), "{text}");
    }

    #[test]
    fn assertions_get_names_for_cores() {
        let text = "(declare-const x String)(assert (= x \"a\"))(assert (! (= x \"b\") :named b))";
        let mut question = Question::read(text.as_bytes(), None);
        question.name_assertions();
        let copy = question.copy(Dialect::Smt27, &Wanted::default()).unwrap();
        let copy = String::from_utf8(copy.bytes).unwrap();
        assert!(copy.contains(":named luthier-1") && copy.contains(":named b"), "{copy}");
    }

    #[test]
    fn a_script_that_asks_nothing_is_given_to_nobody() {
        for text in ["", "; nothing", "(set-logic QF_S)(declare-const x String)(exit)(check-sat)"] {
            let fault = Question::read(text.as_bytes(), None).instance.fault.unwrap();
            assert!(fault.starts_with("1:1: it asks nothing"), "{text}: {fault}");
        }
        assert_eq!(Question::read(b"(check-sat)", None).instance.fault, None);
    }

    #[test]
    fn a_fault_has_its_place() {
        let question = Question::read(b"(declare-const x String)\n(assert (= x 1))\n", None);
        let fault = question.instance.fault.unwrap();
        assert!(fault.starts_with("2:"), "{fault}");
        assert!(question.instance.queries.is_empty());
    }
}
