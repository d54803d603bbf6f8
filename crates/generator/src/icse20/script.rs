//! Shared parts of the generators of satisfiable formulas: the text of a script, a table of
//! numbered constants, Cartesian products, names of formulas.

use std::collections::HashMap;

use luthier_smtlib::annotations::{self, Annotation};

use super::operations::Constant;

/// A script with one assertion and its witness: name, sort, literal. `semantics` is the annotation if the
/// semantics is not the standard's.
pub fn sat_script(
    assertion: &str,
    witness: &[(String, &'static str, String)],
    semantics: Option<&str>,
) -> String {
    const FRAME: usize = 160;
    const PER_VARIABLE: usize = 64;
    let mut text = String::with_capacity(FRAME + assertion.len() + PER_VARIABLE * witness.len());
    text.push_str("(set-info :smt-lib-version 2.6)\n(set-logic QF_SLIA)\n");
    text.push_str(&Annotation::Expected.word_line("sat"));
    if let Some(semantics) = semantics {
        text.push_str(&Annotation::Semantics.text_line(semantics));
    }
    let values = witness.iter().map(|(name, sort, literal)| (&**name, *sort, &**literal));
    text.push_str(&Annotation::Witness.text_line(&annotations::witness_text(values)));
    for (name, sort, _) in witness {
        for piece in ["(declare-fun ", name, " () ", sort, ")\n"] {
            text.push_str(piece);
        }
    }
    for piece in ["(assert ", assertion, ")\n(check-sat)\n"] {
        text.push_str(piece);
    }
    text
}

/// The derivation of a formula: what was evaluated, and by which semantics if not the standard's.
pub fn derived(ground: String, semantics: Option<&str>) -> String {
    match semantics {
        None => ground,
        Some(semantics) => format!("{ground} by {semantics}"),
    }
}

/// Constants, each with a number and its literal.
#[derive(Default)]
pub struct ConstantTable {
    entries: Vec<(Constant, String)>,
    numbers: HashMap<Constant, u32>,
}

impl ConstantTable {
    /// The number of a constant; equal constants have the same one.
    pub fn number(&mut self, constant: Constant) -> u32 {
        if let Some(&number) = self.numbers.get(&constant) {
            return number;
        }
        let number = u32::try_from(self.entries.len()).expect("memory ends before numbers do");
        self.entries.push((constant.clone(), constant.to_string()));
        self.numbers.insert(constant, number);
        number
    }

    /// The numbers of constants, without repetitions.
    pub fn numbers(&mut self, constants: impl IntoIterator<Item = Constant>) -> Vec<u32> {
        let mut numbers = Vec::new();
        for constant in constants {
            let number = self.number(constant);
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// The constant with a number that this table gave.
    pub fn constant(&self, number: u32) -> &Constant {
        &self.entries[number as usize].0
    }

    /// Its literal.
    pub fn literal(&self, number: u32) -> &str {
        &self.entries[number as usize].1
    }

    /// A line of a witness.
    pub fn define(&self, name: String, number: u32) -> (String, &'static str, String) {
        let (constant, literal) = &self.entries[number as usize];
        (name, constant.sort_name(), literal.clone())
    }
}

/// Enumerates the Cartesian product of lists, the last one fastest.
pub struct Product {
    sizes: Vec<usize>,
    next: Option<Vec<usize>>,
}

impl Product {
    /// The product of lists of these lengths.
    pub fn new(sizes: Vec<usize>) -> Self {
        let next = (!sizes.contains(&0)).then(|| vec![0; sizes.len()]);
        Self { sizes, next }
    }
}

/// The items are indices into the lists.
impl Iterator for Product {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for (place, &size) in following.iter_mut().zip(&self.sizes).rev() {
            *place += 1;
            if *place < size {
                self.next = Some(following);
                break;
            }
            *place = 0;
        }
        Some(current)
    }
}

/// Numbers the formulas of each operation, so that names are unique.
pub struct Names {
    category: &'static str,
    used: HashMap<&'static str, usize>,
}

impl Names {
    /// For the formulas of a category.
    pub fn new(category: &'static str) -> Self {
        Self { category, used: HashMap::new() }
    }

    /// The name of the next formula about an operation.
    pub fn next(&mut self, operation: &'static str) -> String {
        let used = self.used.entry(operation).or_default();
        *used += 1;
        format!("{}-{operation}-{used:04}", self.category)
    }
}
