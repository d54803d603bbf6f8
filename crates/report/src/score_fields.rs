//! The list of all scores that are summed over runs.
//!
//! The struct [`Score`] and the table [`Score::FIELDS`] are generated from the same rows: name, titles
//! on pages and in narrow tables, visibility in documents, on pages and in the terminal, and meaning.
//! Columns of tables, rows of JSON and the schema of REST are generated from the table.

use std::time::Duration;

use luthier_records::{CpuTime, WallTime};

use crate::documents::Visibility;

/// What a score is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreUnit {
    /// Runs.
    Runs,
    /// Time; programs get seconds.
    Time,
}

/// When pages and the terminal show a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prominence {
    /// In every table.
    Always,
    /// If it is not zero for all solvers.
    Rare,
    /// It counts wrong answers, models or cores.
    Bad,
    /// Only for programs and on request.
    Detail,
}

/// The value of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// How many runs.
    Count(u64),
    /// A sum of times.
    Time(Duration),
}

/// One of the scores.
#[derive(Clone, Copy, Debug)]
pub struct ScoreField {
    /// Its name in REST.
    pub name: &'static str,
    /// Its name in documents and in the JSON of commands; the same but for times, which have the unit.
    pub column: &'static str,
    /// What pages call it.
    pub title: &'static str,
    /// What narrow tables call it.
    pub heading: &'static str,
    /// What it is counted in.
    pub unit: ScoreUnit,
    /// When documents show it.
    pub in_documents: Visibility,
    /// When pages and the terminal show it.
    pub on_screen: Prominence,
    /// What it means.
    pub meaning: &'static str,
    /// Its value.
    pub value: fn(&Score) -> ScoreValue,
}

/// Defines the scores.
macro_rules! scores {
    (
        runs { $($count:ident $count_title:literal $count_heading:literal
            $count_shown:ident $count_screen:ident $count_meaning:literal;)* }
        times { $($time:ident: $type:ident $column:ident $time_title:literal $time_heading:literal
            $time_shown:ident $time_screen:ident $time_meaning:literal;)* }
    ) => {
        /// Sums over runs. Every run is in exactly one of the counts from `sat` to `framework_error`.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Score {
            $(#[doc = $count_meaning] pub $count: u64,)*
            $(#[doc = $time_meaning] pub $time: $type,)*
        }

        impl Score {
            /// All scores.
            pub const FIELDS: &'static [ScoreField] = &[
                $(ScoreField {
                    name: stringify!($count),
                    column: stringify!($count),
                    title: $count_title,
                    heading: $count_heading,
                    unit: ScoreUnit::Runs,
                    in_documents: Visibility::$count_shown,
                    on_screen: Prominence::$count_screen,
                    meaning: $count_meaning,
                    value: |score| ScoreValue::Count(score.$count),
                },)*
                $(ScoreField {
                    name: stringify!($time),
                    column: stringify!($column),
                    title: $time_title,
                    heading: $time_heading,
                    unit: ScoreUnit::Time,
                    in_documents: Visibility::$time_shown,
                    on_screen: Prominence::$time_screen,
                    meaning: $time_meaning,
                    value: |score| ScoreValue::Time(score.$time.0),
                },)*
            ];

            /// Adds all runs of another score, as for the total of several sets.
            pub fn merge(&mut self, other: &Score) {
                $(self.$count += other.$count;)*
                // Sums of absurd times stay at the largest instead of ending the program.
                $(self.$time.0 = self.$time.0.saturating_add(other.$time.0);)*
            }
        }
    };
}

scores! {
    runs {
        total "runs" "total" OnRequest Always "All runs.";
        sat "sat" "sat" Always Always "Runs of class `sat`.";
        unsat "unsat" "unsat" Always Always "Runs of class `unsat`.";
        unknown "unknown" "unkn." Always Always "Runs of class `unknown`.";
        timeout "timeout" "timeout" Always Always "Runs that reached a time limit.";
        memout "memory out" "memout" IfNotEmpty Rare "Runs that reached the memory limit.";
        crash "crash" "crash" IfNotEmpty Rare "Runs that crashed.";
        unsupported "unsupported" "unsupp." IfNotEmpty Rare
            "Runs in which the solver did not understand the script.";
        malformed "malformed" "malf." IfNotEmpty Rare "Runs that printed no answer, or too much.";
        framework_error "framework error" "fw. error" IfNotEmpty Rare "Runs that failed by a fault of Luthier or the machine.";
        wrong "wrong" "wrong" Always Bad
            "Runs with a wrong answer, also one that was said before a crash or a limit.";
        invalid_model "invalid model" "inv. model" IfNotEmpty Bad "Runs with an invalid model.";
        invalid_core "invalid core" "inv. core" IfNotEmpty Bad "Runs with an invalid core.";
        disputed "disputed" "disp." IfNotEmpty Rare
            "Runs with an answer that another solver contradicts while nothing decides.";
        right "right" "right" OnRequest Detail
            "Runs that answered, and whose answers are all backed by evidence.";
        valid_model "valid model" "valid model" OnRequest Detail "Runs whose models are all valid.";
        completed_model "completed model" "compl. model" OnRequest Detail
            "Runs whose models are valid once default values are put in.";
        incomplete_model "incomplete model" "incompl. model" OnRequest Rare
            "Runs with a model that lacks values for which default values do not do.";
        unchecked_model "unchecked model" "unch. model" OnRequest Rare
            "Runs with a model about which the referee cannot say anything.";
        confirmed_core "confirmed core" "conf. core" OnRequest Detail
            "Runs whose cores are all known to be unsatisfiable.";
        larger_core "larger core" "larger core" OnRequest Detail
            "Those of them that have a core from which something could be left out.";
        unconfirmed_core "unconfirmed core" "unconf. core" OnRequest Detail
            "Runs with a core about which nothing is known.";
        disputed_core "disputed core" "disp. core" OnRequest Detail
            "Runs with a core that another solver calls satisfiable, without proof.";
    }
    times {
        par2: CpuTime par2 "PAR2" "PAR2" OnRequest Always "The sum of penalised CPU times.";
        cpu: CpuTime cpu_seconds "CPU" "CPU, all" OnRequest Always "The CPU time of all runs.";
        cpu_decided: CpuTime cpu_seconds_decided "CPU, answered" "CPU, answered" OnRequest Detail
            "The CPU time of the runs that answered.";
        wall: WallTime wall_seconds "wall" "wall, all" OnRequest Detail "The wall time of all runs.";
    }
}

impl Score {
    /// The score of this name.
    pub fn field(name: &str) -> Option<&'static ScoreField> {
        Self::FIELDS.iter().find(|field| field.name == name)
    }

    /// The scores that pages and the terminal show like this.
    pub fn on_screen(prominence: Prominence) -> impl Iterator<Item = &'static ScoreField> {
        Self::FIELDS.iter().filter(move |field| field.on_screen == prominence)
    }
}

impl ScoreField {
    /// Its value as a count; zero for a time.
    pub fn count(&self, score: &Score) -> u64 {
        match (self.value)(score) {
            ScoreValue::Count(count) => count,
            ScoreValue::Time(_) => 0,
        }
    }

    /// Its value as JSON: a whole number, or seconds with all digits.
    pub fn json(&self, score: &Score) -> serde_json::Value {
        match (self.value)(score) {
            ScoreValue::Count(count) => count.into(),
            ScoreValue::Time(time) => crate::figures::exact_seconds(time).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Prominence, Score, ScoreUnit};

    #[test]
    fn names_and_columns_are_unique_and_counts_have_one_name() {
        for (place, field) in Score::FIELDS.iter().enumerate() {
            let rest = &Score::FIELDS[place + 1..];
            assert!(rest.iter().all(|other| other.name != field.name), "{}", field.name);
            assert!(rest.iter().all(|other| other.column != field.column), "{}", field.column);
            if field.unit == ScoreUnit::Runs {
                assert_eq!(field.name, field.column);
            }
            assert_eq!(Score::field(field.name).map(|one| one.name), Some(field.name));
        }
        let bad: Vec<&str> = Score::on_screen(Prominence::Bad).map(|field| field.name).collect();
        assert_eq!(bad, ["wrong", "invalid_model", "invalid_core"]);
    }

    #[test]
    fn the_reference_names_every_score() {
        let reference = include_str!("../../../docs/commands.md");
        for field in Score::FIELDS {
            let quoted = format!("`{}`", field.column);
            assert!(reference.contains(&quoted), "docs/commands.md lacks {quoted}");
        }
    }
}
