//! Round trip: prints a script, reads it back in the same dialect, and compares the commands.

use luthier_terms::TermPool;

use crate::print::{CannotExpress, Note, PrintOptions, Printed, print_script};
use crate::reader::{Mode, ReadOptions, read_script};
use crate::script::{CommandKind, Script};

/// The result of a round trip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundTrip {
    /// The same commands over the same terms.
    Same,
    /// The text was accepted; operators are replaced by equivalent terms, or bound variables are
    /// renamed.
    Rewritten,
    /// The dialect cannot express the script.
    CannotExpress(CannotExpress),
    /// Other commands or terms, or errors: a fault of the printer or the reader.
    Different(Printed),
}

/// Prints a script, reads the text in the same dialect into the same pool, and compares. What
/// `:smt-lib-version` says is not compared: it is for the printer to set.
pub fn round_trip(pool: &mut TermPool, script: &Script, options: &PrintOptions) -> RoundTrip {
    let printed = match print_script(pool, script, options) {
        Ok(printed) => printed,
        Err(error) => return RoundTrip::CannotExpress(error),
    };
    let reading = ReadOptions { dialect: Some(options.dialect), mode: Mode::Generous };
    let again = read_script(pool, &printed.bytes, &reading);
    let rewritten =
        printed.notes.iter().any(|note| matches!(note, Note::Rewritten(_) | Note::RenamedVariable));
    if !again.is_accepted() {
        return RoundTrip::Different(printed);
    }
    let same = commands(pool, script).eq(commands(pool, &again.script));
    match (same, rewritten) {
        (true, _) => RoundTrip::Same,
        (false, true) => RoundTrip::Rewritten,
        (false, false) => RoundTrip::Different(printed),
    }
}

fn commands<'a>(pool: &'a TermPool, script: &'a Script) -> impl Iterator<Item = &'a CommandKind> {
    script.commands.iter().map(|command| &command.kind).filter(|kind| match kind {
        CommandKind::SetInfo(attribute) => {
            pool.symbols().bytes_of(attribute.keyword) != b":smt-lib-version"
        }
        _ => true,
    })
}
