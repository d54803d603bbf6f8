//! The report on a view: experimental setup, findings, standings, competition scores, operators.

mod comparison;
mod findings;
mod operators;
mod setup;
mod standings;

use super::model::{Block, Document, Picture, Section};
use crate::View;
use crate::measures::Finding;

/// A section of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionName {
    /// Campaigns, machines, releases, limits, benchmarks.
    Run,
    /// Wrong answers and whatever else a person should look at.
    Findings,
    /// Over everything, with the virtual best solver.
    Totals,
    /// For each set and solver.
    Results,
    /// Scores in the style of SMT-COMP.
    Competition,
    /// The biggest lead.
    Leads,
    /// The largest contribution.
    Contribution,
    /// By operator and other features.
    Operators,
}

/// What a document has.
pub struct PaperOptions<'a> {
    /// Its title.
    pub title: String,
    /// What was chosen, in words, such as the names of sets; stands among the facts.
    pub chosen: Vec<(String, String)>,
    /// Only these sections, in their own order; all if empty.
    pub sections: Vec<SectionName>,
    /// How many findings of each kind are listed. All are counted.
    pub most_findings: usize,
    /// Whether charts are drawn. They cost time on large results.
    pub charts: bool,
    /// More about a finding than results have, such as which assertion a model makes false.
    pub detail: &'a dyn Fn(&Finding) -> Option<String>,
}

impl SectionName {
    /// All sections, in the order of the document.
    pub const ALL: [Self; 8] = [
        Self::Run,
        Self::Findings,
        Self::Totals,
        Self::Results,
        Self::Competition,
        Self::Leads,
        Self::Contribution,
        Self::Operators,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Findings => "findings",
            Self::Totals => "totals",
            Self::Results => "results",
            Self::Competition => "competition",
            Self::Leads => "leads",
            Self::Contribution => "contribution",
            Self::Operators => "operators",
        }
    }

    /// The section of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.name() == name)
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Run => "Experimental setup",
            Self::Findings => "Findings",
            Self::Totals => "Overall results",
            Self::Results => "By benchmark set",
            Self::Competition => "Competition scores",
            Self::Leads => "Biggest lead",
            Self::Contribution => "Largest contribution",
            Self::Operators => "By operator",
        }
    }
}

/// The document about a view.
pub fn paper(view: &View<'_>, options: &PaperOptions<'_>) -> Document {
    let wanted =
        |section: &SectionName| options.sections.is_empty() || options.sections.contains(section);
    let section = |name: SectionName| Section {
        name: name.name(),
        heading: name.heading().to_owned(),
        blocks: match name {
            SectionName::Run => setup::blocks(view),
            SectionName::Findings => findings::blocks(view, options),
            SectionName::Totals => standings::totals(view, options.charts),
            SectionName::Results => standings::results(view),
            SectionName::Competition => comparison::competition_blocks(view),
            SectionName::Leads => comparison::lead_blocks(view),
            SectionName::Contribution => comparison::contribution_blocks(view),
            SectionName::Operators => operators::blocks(view, options.charts),
        },
    };
    let mut facts = setup::facts(view);
    facts.extend(options.chosen.iter().cloned());
    Document {
        title: options.title.clone(),
        facts,
        sections: SectionName::ALL.into_iter().filter(wanted).map(section).collect(),
    }
}

fn paragraph(text: impl Into<String>) -> Block {
    Block::Paragraph(text.into())
}

fn picture(name: &str, chart: luthier_charts::Chart) -> Block {
    Block::Picture(Picture { name: name.to_owned(), chart })
}
