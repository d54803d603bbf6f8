//! Dialects by name: `2.6`, `cvc5`, or a solver or release that reads the dialect (`z3`, `z3-4.8.5`).
//!
//! A dialect's own name needs no solver descriptions. Otherwise the description of the named solver says
//! which dialect the release reads, so that a new release needs no change here.

use luthier_runner::releases::{Catalogue, Version};
use luthier_smtlib::Dialect;

/// The dialect that a text names: by its own name (`2.6`, `cvc5`), or by a solver (`z3`) or a
/// release (`z3-4.8.5`, `z3@4.8.5`) that reads it, as the user's descriptions of solvers say.
pub fn dialect_named(text: &str) -> Result<Dialect, String> {
    // Most names need no descriptions.
    text.parse().or_else(|_| {
        let catalogue = Catalogue::of_user().map_err(|error| error.to_string())?;
        dialect_read_by(text, &catalogue)
    })
}

fn dialect_read_by(text: &str, catalogue: &Catalogue) -> Result<Dialect, String> {
    let unknown = match text.parse::<Dialect>() {
        Ok(dialect) => return Ok(dialect),
        Err(unknown) => {
            format!("{unknown}; a release such as z3-4.8.5 means the one that it reads")
        }
    };
    let of = |solver: &str, version: Option<Version>| {
        let description = catalogue.get(solver).ok()?;
        description.dialect_of(version.as_ref()).parse::<Dialect>().ok()
    };
    if let Some(dialect) = of(text, None) {
        return Ok(dialect);
    }
    let release = text.split_once('@').or_else(|| text.rsplit_once('-'));
    let dialect = release.and_then(|(solver, version)| of(solver, Some(version.parse().ok()?)));
    dialect.ok_or(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_name_the_dialect_they_read() {
        let catalogue = Catalogue::built_in().unwrap();
        for (name, dialect) in [
            ("z3-4.5.1", Dialect::Z3Oldest),
            ("z3-4.8.8", Dialect::Z3Legacy),
            ("z3@4.8.9", Dialect::Z3Transition),
            ("z3-4.8.12", Dialect::Z3),
            ("z3-5.4.0.0", Dialect::Z3),
            ("z3", Dialect::Z3),
            ("z3-noodler", Dialect::Z3),
            ("cvc4-1.6", Dialect::Cvc4V16),
            ("cvc4-1.8", Dialect::Cvc4V18),
            ("cvc4", Dialect::Cvc4V18),
            ("cvc5", Dialect::Cvc5),
            ("cvc5-1.4.2", Dialect::Cvc5),
            ("luthier", Dialect::Smt27),
            ("2.7", Dialect::Smt27),
        ] {
            assert_eq!(dialect_read_by(name, &catalogue), Ok(dialect), "{name}");
        }
        for wrong in ["", "3.0", "z4", "z3-", "z3-x"] {
            let message = dialect_read_by(wrong, &catalogue).unwrap_err();
            assert!(message.contains(&format!("`{wrong}` is no dialect")), "{message}");
        }
    }
}
