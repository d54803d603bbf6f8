//! What came of tables of expected answers, for people.

use luthier_campaign::LabelUse;

use crate::output::Output;
use crate::text::{clean_name, counted};

/// Says how many instances a table labels, and what of it counts for nothing.
pub fn tell(used: &LabelUse, output: &Output) {
    let (table, set) = (clean_name(&used.source), clean_name(&used.set));
    let labelled = used.by_path + used.by_name;
    let all = labelled + used.several_queries + used.without;
    if labelled == 0 {
        output.warn(&format!(
            "{table}: none of the {} of `{set}` has a label there; paths in the table must end like \
             those of the instances",
            counted(all, "instance")
        ));
    } else {
        output.talk(format_args!(
            "{table}: {labelled} of the {} of `{set}` have a label",
            counted(all, "instance")
        ));
    }
    if used.by_name > 0 {
        output.warn(&format!(
            "{table}: {} found only by file name, since the folders are called differently",
            counted(used.by_name, "instance")
        ));
    }
    if used.several_queries > 0 {
        output.warn(&format!(
            "{table}: the labels of {} count for nothing: not exactly one check-sat",
            counted(used.several_queries, "instance")
        ));
    }
    if !used.foreign.is_empty() {
        let kinds: Vec<String> = used
            .foreign
            .iter()
            .map(|(label, count)| format!("`{}` ({count})", clean_name(label)))
            .collect();
        output.warn(&format!(
            "{table}: labels other than sat, unsat, unknown or open count for nothing: {}",
            kinds.join(", ")
        ));
    }
}
