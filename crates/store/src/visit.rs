//! Iterates over all instances with their runs, in constant memory: a merge join.
//!
//! Eight queries are read side by side, each in the order of instances, and the rows of one instance
//! are taken from all of them. There is no query per instance, and no query sorts: every order is that
//! of an index. A row that belongs to no instance is reported as damage.

use std::collections::HashSet;

use luthier_records::{Instance, Label, Opinion, Place, Query, RunAnswer};
use rusqlite::{CachedStatement, Row, Rows};

use crate::codec::{Count, Index, Name, Sha};
use crate::features::FeaturesColumn;
use crate::read::{
    ANSWER_COLUMNS, RUN_COLUMNS, StoredRun, answer_of_row, opinion_of_row, place_of_row,
    run_of_row, unreadable,
};
use crate::write::query_of_row;
use crate::{InstanceId, Store, StoreError, schema};

/// An instance and everything about it.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceRuns {
    /// Its number.
    pub id: InstanceId,
    /// The instance.
    pub instance: Instance,
    /// Where it was found, by set, track and name.
    pub places: Vec<Place>,
    /// The expected answers from outside for each of `places`, by source.
    pub labels: Vec<Vec<Label>>,
    /// Its runs, by configuration and repetition.
    pub runs: Vec<StoredRun>,
}

impl Store {
    /// Calls `visit` with every instance, in the order of their numbers, as they were when this
    /// began. Stops at the first error.
    pub fn visit_instances<E: From<StoreError>>(
        &self,
        visit: impl FnMut(InstanceRuns) -> Result<(), E>,
    ) -> Result<(), E> {
        self.visit_range(i64::MIN, i64::MAX, visit)
    }

    /// One instance; `None` if there is none with this number.
    pub fn instance(&self, id: InstanceId) -> Result<Option<InstanceRuns>, StoreError> {
        let mut found = None;
        self.visit_range(id.0, id.0, |instance| -> Result<(), StoreError> {
            found = Some(instance);
            Ok(())
        })?;
        Ok(found)
    }

    /// Calls `visit` with these instances, which must be in the order of their numbers. Those that
    /// are not there are left out.
    pub fn visit_selected<E: From<StoreError>>(
        &self,
        instances: &[InstanceId],
        mut visit: impl FnMut(InstanceRuns) -> Result<(), E>,
    ) -> Result<(), E> {
        self.reading(|store| {
            // Numbers that follow each other are asked for together.
            for range in instances.chunk_by(|one, next| next.0 == one.0 + 1) {
                if let [first, ..] = range
                    && let Some(last) = range.last()
                {
                    store.visit_range(first.0, last.0, &mut visit)?;
                }
            }
            Ok(())
        })
    }

    fn visit_range<E: From<StoreError>>(
        &self,
        first: i64,
        last: i64,
        mut visit: impl FnMut(InstanceRuns) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |cause| self.failed(cause);
        // One transaction, so that the queries see the same state while others write.
        let outermost = self.connection.is_autocommit();
        let transaction = if outermost {
            Some(self.connection.unchecked_transaction().map_err(failed)?)
        } else {
            None
        };
        let mut statements = Vec::new();
        for sql in statements_text(self.tables) {
            statements.push(self.connection.prepare_cached(&sql).map_err(failed)?);
        }
        let known = RunReferences::of(self)?;
        let mut streams = Streams::over(&mut statements, first, last).map_err(failed)?;
        while let Some(instance) = streams.next_instance().map_err(failed)? {
            if let Some(detail) = known.missing(&instance) {
                return Err(E::from(self.damaged(detail)));
            }
            visit(instance)?;
        }
        if let Some(detail) = streams.dangling_row().map_err(failed)? {
            return Err(E::from(self.damaged(detail)));
        }
        drop(streams);
        drop(statements);
        transaction.map_or(Ok(()), rusqlite::Transaction::commit).map_err(failed)?;
        Ok(())
    }
}

/// Instances, queries, places, runs, answers, opinions; then labels and places of runs, which
/// older tables do not have. Still older ones have no features.
fn statements_text(tables: i64) -> Vec<String> {
    let features = if tables >= schema::WITH_FEATURES { "features" } else { "NULL" };
    // CROSS JOIN keeps the order of the tables, and so the order of the rows. LEFT JOIN does, too,
    // and a track that is missing gives NULL, which no place may have.
    let runs_in_order = "FROM run INDEXED BY run_by_instance";
    let range = "run.instance_id BETWEEN ?1 AND ?2";
    let order = "run.instance_id, run.configuration_id, run.repetition";
    let mut statements = vec![
        format!(
            "SELECT id, digest, dialect, dialect_reason, size_bytes, fault, {features}
             FROM instance WHERE id BETWEEN ?1 AND ?2 ORDER BY id"
        ),
        "SELECT instance_id, planted, planted_core, status, position FROM query
         WHERE instance_id BETWEEN ?1 AND ?2 ORDER BY instance_id, position"
            .to_owned(),
        "SELECT member.instance_id, benchmark_set.name, track.name, member.name FROM member
         LEFT JOIN track ON track.id = member.track_id
         LEFT JOIN benchmark_set ON benchmark_set.id = track.set_id
         WHERE member.instance_id BETWEEN ?1 AND ?2 ORDER BY member.instance_id"
            .to_owned(),
        format!("SELECT {RUN_COLUMNS} {runs_in_order} WHERE {range} ORDER BY {order}"),
        format!(
            "SELECT answer.run_id, {ANSWER_COLUMNS}, answer.position {runs_in_order}
             CROSS JOIN answer ON answer.run_id = run.id
             WHERE {range} ORDER BY {order}, answer.position"
        ),
        // Opinions are few or none. Starting from runs in order costs a look-up per run.
        format!(
            "SELECT opinion.run_id, opinion.answer_position, opinion.configuration_name,
                 opinion.class {runs_in_order}
             CROSS JOIN opinion ON opinion.run_id = run.id
             WHERE {range} ORDER BY {order}, opinion.answer_position, opinion.position"
        ),
    ];
    if tables >= schema::WITH_LABELS {
        statements.push(
            "SELECT label.instance_id, benchmark_set.name, track.name, label.name, label.verdict,
                 label.source
             FROM label
             LEFT JOIN track ON track.id = label.track_id
             LEFT JOIN benchmark_set ON benchmark_set.id = track.set_id
             WHERE label.instance_id BETWEEN ?1 AND ?2 ORDER BY label.instance_id"
                .to_owned(),
        );
        statements.push(format!(
            "SELECT run_place.run_id, benchmark_set.name, track.name, run_place.name
             {runs_in_order}
             CROSS JOIN run_place ON run_place.run_id = run.id
             LEFT JOIN track ON track.id = run_place.track_id
             LEFT JOIN benchmark_set ON benchmark_set.id = track.set_id
             WHERE {range} ORDER BY {order}"
        ));
    }
    statements
}

/// The campaigns and configurations that runs may refer to; checked before a run is returned.
struct RunReferences {
    campaigns: HashSet<i64>,
    configurations: HashSet<i64>,
}

impl RunReferences {
    fn of(store: &Store) -> Result<Self, StoreError> {
        let ids = |sql| store.rows(sql, [], |row| row.get(0)).map(HashSet::from_iter);
        Ok(RunReferences {
            campaigns: ids("SELECT id FROM campaign")?,
            configurations: ids("SELECT id FROM configuration")?,
        })
    }

    fn missing(&self, instance: &InstanceRuns) -> Option<String> {
        instance.runs.iter().find_map(|run| {
            let (id, campaign, configuration) = (run.id.0, run.campaign.0, run.configuration.0);
            if !self.campaigns.contains(&campaign) {
                Some(format!("run {id} refers to campaign {campaign}, which is missing"))
            } else if !self.configurations.contains(&configuration) {
                Some(format!("run {id} refers to configuration {configuration}, which is missing"))
            } else {
                None
            }
        })
    }
}

/// The queries, each with the row that was read ahead.
struct Streams<'a> {
    instances: Rows<'a>,
    /// The last instance that was read.
    last: Option<i64>,
    queries: PeekableRows<'a, i64, (usize, Query)>,
    places: PeekableRows<'a, i64, Place>,
    runs: PeekableRows<'a, i64, StoredRun>,
    answers: PeekableRows<'a, i64, (usize, RunAnswer)>,
    opinions: PeekableRows<'a, (i64, usize), Opinion>,
    labels: Option<PeekableRows<'a, i64, (Place, Label)>>,
    run_places: Option<PeekableRows<'a, i64, Place>>,
}

impl<'a> Streams<'a> {
    fn over(
        statements: &'a mut [CachedStatement<'_>],
        first: i64,
        last: i64,
    ) -> rusqlite::Result<Self> {
        let mut queries = Vec::with_capacity(statements.len());
        for statement in statements {
            queries.push(statement.query([first, last])?);
        }
        let mut queries = queries.into_iter();
        let mut rows = || queries.next().ok_or(rusqlite::Error::QueryReturnedNoRows);
        Ok(Streams {
            instances: rows()?,
            last: None,
            queries: PeekableRows::over(rows()?, |row| {
                Ok((row.get(0)?, (row.get::<_, Index>(4)?.0, query_of_row(row, 1)?)))
            }),
            places: PeekableRows::over(rows()?, |row| Ok((row.get(0)?, place_of_row(row, 1)?))),
            runs: PeekableRows::over(rows()?, |row| {
                run_of_row(row).map(|run| (run.instance.0, run))
            }),
            answers: PeekableRows::over(rows()?, |row| {
                Ok((row.get(0)?, (row.get::<_, Index>(9)?.0, answer_of_row(row, 1)?)))
            }),
            opinions: PeekableRows::over(rows()?, |row| {
                Ok(((row.get(0)?, row.get::<_, Index>(1)?.0), opinion_of_row(row, 2)?))
            }),
            labels: queries.next().map(|rows| {
                PeekableRows::over(rows, |row| {
                    let verdict = row.get::<_, Name<_>>(4)?.0;
                    let label = Label { verdict, source: row.get(5)? };
                    Ok((row.get(0)?, (place_of_row(row, 1)?, label)))
                })
            }),
            run_places: queries.next().map(|rows| {
                PeekableRows::over(rows, |row| Ok((row.get(0)?, place_of_row(row, 1)?)))
            }),
        })
    }

    fn next_instance(&mut self) -> rusqlite::Result<Option<InstanceRuns>> {
        let Some(row) = self.instances.next()? else { return Ok(None) };
        let id: i64 = row.get(0)?;
        // Pages of a damaged file may lead back to where they came from.
        if self.last.is_some_and(|last| last >= id) {
            return Err(unreadable(0, format!("instance {id} comes out of order")));
        }
        self.last = Some(id);
        let mut instance = Instance {
            digest: row.get::<_, Sha>(1)?.0,
            dialect: row.get(2)?,
            dialect_reason: row.get(3)?,
            size: luthier_records::Bytes(row.get::<_, Count>(4)?.0),
            queries: Vec::new(),
            fault: row.get(5)?,
            features: row.get::<_, Option<FeaturesColumn>>(6)?.map(|column| column.0),
        };
        instance.queries = in_order(self.queries.take(id)?, || format!("instance {id}"))?;
        let mut places = self.places.take(id)?;
        places.sort_unstable();
        let mut labels = vec![Vec::new(); places.len()];
        for (place, label) in take_if_present(&mut self.labels, id)? {
            match places.binary_search(&place) {
                Ok(index) => labels[index].push(label),
                Err(_) => return Err(unreadable(0, no_such_place("label of", id, &place))),
            }
        }
        labels.iter_mut().for_each(|labels| labels.sort_by(|a, b| a.source.cmp(&b.source)));
        let mut runs = self.runs.take(id)?;
        for run in &mut runs {
            let answers = self.answers.take(run.id.0)?;
            run.answers = in_order(answers, || format!("run {}", run.id.0))?;
            for (position, answer) in run.answers.iter_mut().enumerate() {
                answer.opinions = self.opinions.take((run.id.0, position))?;
            }
            run.places = take_if_present(&mut self.run_places, run.id.0)?;
            run.places.sort_unstable();
            let strange = run.places.iter().find(|place| places.binary_search(place).is_err());
            if let Some(place) = strange {
                return Err(unreadable(0, no_such_place("run on", id, place)));
            }
        }
        Ok(Some(InstanceRuns { id: InstanceId(id), instance, places, labels, runs }))
    }

    /// A row that refers to a missing instance or run. It would also block all rows behind it.
    fn dangling_row(&mut self) -> rusqlite::Result<Option<String>> {
        let of_instance = |what: &str, id: i64| {
            format!("a row of {what} refers to instance {id}, which is missing")
        };
        let of_run = |what: &str, id: i64| format!("a row of {what} of run {id} is out of place");
        if let Some(id) = self.queries.next_key()? {
            return Ok(Some(of_instance("query", id)));
        }
        if let Some(id) = self.places.next_key()? {
            return Ok(Some(of_instance("member", id)));
        }
        if let Some(id) = self.runs.next_key()? {
            return Ok(Some(of_instance("run", id)));
        }
        if let Some(id) = self.answers.next_key()? {
            return Ok(Some(of_run("answer", id)));
        }
        if let Some((id, _)) = self.opinions.next_key()? {
            return Ok(Some(of_run("opinion", id)));
        }
        if let Some(labels) = &mut self.labels
            && let Some(id) = labels.next_key()?
        {
            return Ok(Some(of_instance("label", id)));
        }
        if let Some(run_places) = &mut self.run_places
            && let Some(id) = run_places.next_key()?
        {
            return Ok(Some(of_run("run_place", id)));
        }
        Ok(None)
    }
}

/// Values that are numbered from 0 without gaps.
fn in_order<T>(rows: Vec<(usize, T)>, of: impl FnOnce() -> String) -> rusqlite::Result<Vec<T>> {
    if rows.iter().enumerate().all(|(index, (position, _))| index == *position) {
        return Ok(rows.into_iter().map(|(_, value)| value).collect());
    }
    Err(unreadable(0, format!("the positions at {} have a gap", of())))
}

fn no_such_place(what: &str, instance: i64, place: &Place) -> String {
    format!("a {what} instance {instance} is for {:?}, where it does not stand", place.text())
}

/// The rows with this key, if the tables have them at all.
fn take_if_present<T>(
    ahead: &mut Option<PeekableRows<'_, i64, T>>,
    key: i64,
) -> rusqlite::Result<Vec<T>> {
    ahead.as_mut().map_or_else(|| Ok(Vec::new()), |ahead| ahead.take(key))
}

type ReadRow<K, T> = fn(&Row<'_>) -> rusqlite::Result<(K, T)>;

/// A query whose rows come in groups with the same key.
struct PeekableRows<'a, K, T> {
    rows: Rows<'a>,
    read: ReadRow<K, T>,
    /// The first row of the next group, once it was read.
    next: Option<(K, T)>,
}

impl<'a, K: PartialEq, T> PeekableRows<'a, K, T> {
    fn over(rows: Rows<'a>, read: ReadRow<K, T>) -> Self {
        PeekableRows { rows, read, next: None }
    }

    /// The key of the next row, which was not taken yet.
    fn next_key(&mut self) -> rusqlite::Result<Option<K>> {
        if self.next.is_none() {
            self.next = self.rows.next()?.map(self.read).transpose()?;
        }
        Ok(self.next.take().map(|(key, _)| key))
    }

    /// The rows with this key, if they come next.
    fn take(&mut self, key: K) -> rusqlite::Result<Vec<T>> {
        let mut group = Vec::new();
        loop {
            if self.next.is_none() {
                self.next = self.rows.next()?.map(self.read).transpose()?;
            }
            match self.next.take() {
                Some((found, value)) if found == key => group.push(value),
                other => {
                    self.next = other;
                    return Ok(group);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::statements_text;
    use crate::schema::{MIGRATIONS, known_version, migrate};

    #[test]
    fn no_query_sorts_or_reads_a_whole_table_per_row() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        for sql in statements_text(known_version()) {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let plan: Vec<String> = statement
                .query_map([0, 1], |row| row.get(3))
                .unwrap()
                .collect::<Result<_, _>>()
                .unwrap();
            assert!(!plan.is_empty());
            for step in plan {
                assert!(step.starts_with("SEARCH"), "{step:?} in {sql}");
            }
        }
    }
}
