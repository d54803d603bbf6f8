//! The features of a script (operators, sizes, logic), as they are recorded with an instance.

use luthier_records::Features;
use luthier_smtlib::Script;
use luthier_terms::TermPool;

/// The features of a script.
pub fn features(pool: &TermPool, script: &Script) -> Features {
    let found = luthier_smtlib::Features::of(pool, script);
    Features {
        operators: found.operators.iter().map(|(&name, &count)| (name.to_owned(), count)).collect(),
        flags: found.flags.iter().map(|flag| flag.name().to_owned()).collect(),
        assertions: found.assertions,
        constants: found.constants,
        terms: found.terms,
        depth: found.depth,
        logic: found.logic,
    }
}
