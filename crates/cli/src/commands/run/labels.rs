//! Messages about tables of labels: how many instances of each set have a label, and what is not used.

use std::collections::BTreeMap;

use luthier_campaign::LabelUse;

use crate::output::Output;
use crate::text::{clean_name, counted};

/// Collects the use of each table in each set; messages are printed when all sets are known: a table for one set
/// need not label another.
#[derive(Default)]
pub struct LabelUses {
    /// By table.
    uses: BTreeMap<String, Vec<LabelUse>>,
}

impl LabelUses {
    /// Adds the use of a table in a set.
    pub fn add(&mut self, used: &LabelUse) {
        self.uses.entry(used.source.clone()).or_default().push(used.clone());
    }

    /// Says how many instances each table labels, and what of it counts for nothing.
    pub fn print(&self, output: &Output) {
        for (table, uses) in &self.uses {
            let table = clean_name(table);
            for used in uses {
                tell_set(&table, used, output);
            }
            let sum = |of: fn(&LabelUse) -> usize| uses.iter().map(of).sum::<usize>();
            if sum(labelled) + sum(|used| used.several_queries) == 0 {
                output.warn(&format!(
                    "{table}: none of the {} has a label there; paths in the table must end like \
                     those of the instances",
                    counted(sum(|used| used.without), "instance")
                ));
            }
            let foreign = uses.iter().flat_map(|used| &used.foreign).collect::<BTreeMap<_, _>>();
            if !foreign.is_empty() {
                let kinds: Vec<String> = foreign
                    .iter()
                    .map(|(label, count)| format!("`{}` ({count})", clean_name(label)))
                    .collect();
                output.warn(&format!(
                    "{table}: labels other than sat, unsat, unknown or open count for nothing: {}",
                    kinds.join(", ")
                ));
            }
        }
    }
}

fn labelled(used: &LabelUse) -> usize {
    used.by_path + used.by_name
}

fn tell_set(table: &str, used: &LabelUse, output: &Output) {
    let set = clean_name(&used.set);
    let labelled = labelled(used);
    if labelled > 0 {
        let all = labelled + used.several_queries + used.without;
        let all = counted(all, "instance");
        output.message(format_args!("{table}: {labelled} of the {all} of `{set}` have a label"));
    }
    if used.by_name > 0 {
        output.warn(&format!(
            "{table}: {} of `{set}` found only by file name, since the folders are called \
             differently",
            counted(used.by_name, "instance")
        ));
    }
    if used.several_queries > 0 {
        output.warn(&format!(
            "{table}: the labels of {} of `{set}` count for nothing: not exactly one check-sat",
            counted(used.several_queries, "instance")
        ));
    }
}
