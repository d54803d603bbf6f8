//! Which runs are compared: names of sides, and which configurations are pairs.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use luthier_report::Results;
use luthier_report::measures::Side;
use luthier_results::{load, load_both};
use luthier_store::Store;

use crate::error::CliError;

/// A side as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideName {
    /// The database.
    pub database: PathBuf,
    /// The label of a configuration.
    pub configuration: Option<String>,
    /// The number or name of a campaign.
    pub campaign: Option<String>,
}

/// Both sides, judged together.
pub struct Loaded {
    /// Everything.
    pub results: Results,
    /// The solvers of either side.
    solvers: [Range<usize>; 2],
    /// The campaigns of either side.
    campaigns: [Range<usize>; 2],
    /// Which solver has runs in which campaign.
    runs: BTreeSet<(usize, usize)>,
}

/// What is compared with what.
pub struct Pairs {
    /// The side before and the side after.
    pub sides: Vec<(Side, Side)>,
    /// The names of configurations that have no partner.
    pub alone: Vec<String>,
}

/// The solvers of a side that may be meant.
struct Candidates {
    solvers: Vec<usize>,
    campaign: Option<usize>,
}

impl SideName {
    /// `DB`, `DB:CONFIG`, or `:CONFIG` of another database. A name of a file may have colons, too: the
    /// longest beginning that is a file is the database.
    pub fn parse(text: &str, other: Option<&Path>) -> Result<Self, CliError> {
        let name = |database: &Path, configuration: Option<&str>| SideName {
            database: database.to_owned(),
            configuration: configuration.map(str::to_owned),
            campaign: None,
        };
        if let Some(configuration) = text.strip_prefix(':') {
            let database = other.ok_or_else(|| {
                CliError::usage(format!("{text}: of which database?"))
                    .with_hint("the first side names it: results.db:CONFIG")
            })?;
            return Ok(name(database, Some(configuration)));
        }
        if Path::new(text).exists() {
            return Ok(name(Path::new(text), None));
        }
        let splits = || text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..]));
        let split = splits().rev().find(|(path, _)| Path::new(path).exists());
        Ok(match split.or_else(|| splits().next()) {
            Some((path, configuration)) => name(Path::new(path), Some(configuration)),
            None => name(Path::new(text), None),
        })
    }

    /// The same with runs of this campaign only.
    pub fn of_campaign(self, campaign: Option<&str>) -> Self {
        Self { campaign: campaign.map(str::to_owned), ..self }
    }
}

impl Loaded {
    /// Reads and judges both databases, which may be one.
    pub fn read(before: &SideName, after: &SideName) -> Result<Self, CliError> {
        let first = Store::open_read_only(&before.database)?;
        let is_same = match (before.database.canonicalize(), after.database.canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            _ => before.database == after.database,
        };
        let (results, solvers, campaigns) = if is_same {
            let results = load(&first)?;
            let (solvers, campaigns) = (results.solvers.len(), results.campaigns.len());
            (results, [0..solvers, 0..solvers], [0..campaigns, 0..campaigns])
        } else {
            let second = Store::open_read_only(&after.database)?;
            let both = load_both(&first, &second)?;
            let (solvers, campaigns) = (both.results.solvers.len(), both.results.campaigns.len());
            (
                both.results,
                [0..both.first_solvers, both.first_solvers..solvers],
                [0..both.first_campaigns, both.first_campaigns..campaigns],
            )
        };
        let all = results.entries.iter().flat_map(|entry| &entry.judged.runs);
        let runs = all.map(|run| (run.solver, run.campaign)).collect();
        Ok(Self { results, solvers, campaigns, runs })
    }

    /// The sides that are compared with each other.
    pub fn pairs(&self, before: &SideName, after: &SideName) -> Result<Pairs, CliError> {
        let first = self.candidates(before, 0)?;
        let second = self.candidates(after, 1)?;
        let (mut pairs, mut unpaired) = (Vec::new(), Vec::new());
        if let ([one], [two]) = (&first.solvers[..], &second.solvers[..]) {
            pairs.push((*one, *two));
        } else {
            let label = |solver: usize| &self.results.solvers[solver].label;
            for &one in &first.solvers {
                match second.solvers.iter().find(|two| label(**two) == label(one)) {
                    Some(&two) => pairs.push((one, two)),
                    None => unpaired.push(self.name(before, first.side(one))),
                }
            }
            let is_paired = |two: &usize| pairs.iter().any(|(_, other)| other == two);
            let alone = second.solvers.iter().filter(|two| !is_paired(two));
            unpaired.extend(alone.map(|&two| self.name(after, second.side(two))));
        }
        let pairs: Vec<(Side, Side)> =
            pairs.into_iter().map(|(one, two)| (first.side(one), second.side(two))).collect();
        if pairs.is_empty() {
            return Err(CliError::usage("no configuration is on both sides").with_hint(format!(
                "name one of each side, as DB:CONFIG; there are: {}",
                unpaired.join(", ")
            )));
        }
        if pairs.iter().any(|(one, two)| one == two) {
            let there: Vec<&str> = self.labels(&first.solvers).collect();
            return Err(CliError::usage("both sides are the same runs").with_hint(format!(
                "name two configurations, DB:CONFIG :CONFIG, or two campaigns (--before-campaign, \
                 --after-campaign); there are the configurations {} and the campaigns {}",
                there.join(", "),
                self.campaign_names(0)
            )));
        }
        Ok(Pairs { sides: pairs, alone: unpaired })
    }

    /// What a side is called: database, configuration and campaign.
    pub fn name(&self, side: &SideName, of: Side) -> String {
        let database = side.database.display();
        let campaign = match of.campaign {
            Some(index) => {
                let number = self.results.campaigns[index].number.abs();
                format!(", campaign {number}")
            }
            None => String::new(),
        };
        format!("{database}:{}{campaign}", self.results.solvers[of.solver].label)
    }

    fn candidates(&self, side: &SideName, index: usize) -> Result<Candidates, CliError> {
        let campaign = side.campaign.as_deref();
        let campaign = campaign.map(|name| self.campaign(side, name, index)).transpose()?;
        let has_runs = |&solver: &usize| match campaign {
            Some(campaign) => self.runs.contains(&(solver, campaign)),
            None => self.runs.range((solver, 0)..(solver + 1, 0)).next().is_some(),
        };
        let mut solvers: Vec<usize> = self.solvers[index].clone().filter(has_runs).collect();
        let database = side.database.display();
        if solvers.is_empty() {
            let what = if campaign.is_some() { " of this campaign" } else { "" };
            return Err(CliError::usage(format!("{database} has no runs{what}")));
        }
        if let Some(wanted) = &side.configuration {
            let there = self.labels(&solvers).collect::<Vec<_>>().join(", ");
            solvers.retain(|&solver| self.results.solvers[solver].label == *wanted);
            if solvers.is_empty() {
                let unknown = format!("{database} has no configuration {wanted:?}");
                return Err(CliError::usage(unknown).with_hint(format!("there are: {there}")));
            }
        }
        Ok(Candidates { solvers, campaign })
    }

    /// A campaign of a side by its number or name.
    fn campaign(&self, side: &SideName, name: &str, index: usize) -> Result<usize, CliError> {
        let number: Option<i64> = name.parse().ok();
        let mut campaigns = self.campaigns[index].clone();
        let found = campaigns.find(|&campaign| {
            let info = &self.results.campaigns[campaign];
            Some(info.number.abs()) == number || info.campaign.id == name
        });
        found.ok_or_else(|| {
            let database = side.database.display();
            CliError::usage(format!("{database} has no campaign {name}"))
                .with_hint(format!("there are: {}", self.campaign_names(index)))
        })
    }

    fn campaign_names(&self, index: usize) -> String {
        let campaigns = &self.results.campaigns[self.campaigns[index].clone()];
        let names =
            campaigns.iter().map(|one| format!("{} ({})", one.number.abs(), one.campaign.id));
        names.collect::<Vec<_>>().join(", ")
    }

    fn labels<'a>(&'a self, solvers: &'a [usize]) -> impl Iterator<Item = &'a str> {
        solvers.iter().map(|&solver| self.results.solvers[solver].label.as_str())
    }
}

impl Candidates {
    fn side(&self, solver: usize) -> Side {
        Side { solver, campaign: self.campaign }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::SideName;

    #[test]
    fn a_side_is_a_file_and_perhaps_a_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in ["a.db", "a.db:b", "12:00.db"] {
            std::fs::write(path(name), "").unwrap();
        }
        let parse = |text: &str| {
            let side = SideName::parse(&path(text), None).unwrap();
            let file = side.database.file_name().unwrap().to_string_lossy().into_owned();
            (file, side.configuration)
        };
        let expected = |file: &str, configuration: Option<&str>| {
            (file.to_owned(), configuration.map(str::to_owned))
        };
        assert_eq!(parse("a.db"), expected("a.db", None));
        assert_eq!(parse("a.db:z3@5.4.0"), expected("a.db", Some("z3@5.4.0")));
        // A file that has the whole name is the file.
        assert_eq!(parse("a.db:b"), expected("a.db:b", None));
        assert_eq!(parse("a.db:b:c"), expected("a.db:b", Some("c")));
        assert_eq!(parse("12:00.db:z3 (a:b)"), expected("12:00.db", Some("z3 (a:b)")));
        // None of it is a file: what stands before the first colon is named in the error.
        assert_eq!(parse("none.db:x:y"), expected("none.db", Some("x:y")));
        let same = SideName::parse(":x", Some(Path::new("a.db"))).unwrap();
        assert_eq!(
            (same.database.as_path(), same.configuration.as_deref()),
            (Path::new("a.db"), Some("x"))
        );
        assert!(SideName::parse(":x", None).is_err());
    }
}
