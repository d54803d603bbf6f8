//! A formula as a file that carries its answer: annotations for Luthier, comments for people.
//!
//! The annotations are those of generated formulas (`:luthier-expected`, `:luthier-witness`), so that
//! `luthier run` and `luthier check` judge the file like any other. The text is read back by the strict
//! reader, and a witness must pass the referee again; what does not is left out.

use luthier_judge::witness_text;
use luthier_records::Verdict;
use luthier_smtlib::annotations::Annotation;
use luthier_smtlib::{
    AttributeValue, Command, CommandKind, Dialect, Mode, PrintOptions, ReadOptions, Script,
    print_script, read_script,
};
use luthier_terms::TermPool;

use crate::query::{command, last_query};
use crate::truth::{Truth, stated_truth};

/// A formula as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The text.
    pub text: String,
    /// The witness, if the formula is satisfiable and the witness can be written.
    pub witness: Option<String>,
    /// Whether the strict reader accepts it, and it states the answer.
    pub is_legal: bool,
}

/// The file of a formula with this answer and these comments at its top.
pub fn annotated(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    comments: &[String],
) -> Annotated {
    let head: String =
        comments.iter().flat_map(|one| one.lines()).map(|line| format!("; {line}\n")).collect();
    let witness = match truth {
        Truth::Sat(model) => witness_text(pool, &last_query(script), model),
        _ => None,
    };
    let with_annotations = with_annotations(pool, script, truth, witness.as_deref());
    let text = format!("{head}{}", print(pool, &with_annotations));
    let is_legal = is_accepted(&text, truth);
    Annotated { text, witness, is_legal }
}

fn print(pool: &TermPool, script: &Script) -> String {
    match print_script(pool, script, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
        Err(error) => format!("; {error}\n"),
    }
}

/// The script with the answer before its last query, and nothing else that says one.
fn with_annotations(
    pool: &mut TermPool,
    script: &Script,
    truth: &Truth,
    witness: Option<&str>,
) -> Script {
    let mut script = script.clone();
    script.commands.retain(|one| match &one.kind {
        CommandKind::SetInfo(attribute) => {
            let keyword = pool.symbols().bytes_of(attribute.keyword);
            let is_answer = matches!(
                Annotation::of(pool, attribute),
                Some(Annotation::Expected | Annotation::Core | Annotation::Witness)
            );
            !is_answer && keyword != b":status"
        }
        _ => true,
    });
    let word = match truth.verdict() {
        Some(Verdict::Sat) => "sat",
        Some(Verdict::Unsat) => "unsat",
        _ => return script,
    };
    let mut added: Vec<Command> = Vec::new();
    let expected = AttributeValue::Other(word.into());
    added.extend(Annotation::Expected.command(pool, expected).ok().map(command));
    if let Some(witness) = witness {
        let value = AttributeValue::String(witness.into());
        added.extend(Annotation::Witness.command(pool, value).ok().map(command));
    }
    let is_logic = |one: &Command| matches!(one.kind, CommandKind::SetLogic(_));
    let is_query = |one: &Command| {
        matches!(one.kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming(_))
    };
    let queries = script.commands.iter().filter(|one| is_query(one)).count();
    // With one query they stand at the top, where readers look; otherwise before the last one.
    let place = if queries == 1 {
        script.commands.iter().position(is_logic).map_or(0, |place| place + 1)
    } else {
        script.commands.iter().rposition(is_query).unwrap_or(script.commands.len())
    };
    script.commands.splice(place..place, added);
    script
}

fn is_accepted(text: &str, truth: &Truth) -> bool {
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
    let reading = read_script(&mut pool, text.as_bytes(), &options);
    if !reading.is_accepted() {
        return false;
    }
    stated_truth(&mut pool, &reading.script).verdict() == truth.verdict()
}
