//! Writes and removes runs. A run that is there already (same configuration, instance and repetition)
//! is not overwritten.

use std::collections::HashSet;

use luthier_records::{Captured, Class, Run, RunAnswer};
use rusqlite::params;

use crate::codec::{EndingColumns, ListRef, Name, TextRef, micros};
use crate::texts::PreparedText;
use crate::{CampaignId, ConfigurationId, InstanceId, Store, StoreError, TrackId};

/// A run to be written.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// The configuration that was run.
    pub configuration: ConfigurationId,
    /// The instance.
    pub instance: InstanceId,
    /// What happened.
    pub run: &'a Run,
}

/// A run whose outputs are hashed and compressed. Nothing printed is no text.
struct PreparedRun<'a> {
    new: &'a NewRun<'a>,
    stdout: Option<PreparedText<'a>>,
    stderr: Option<PreparedText<'a>>,
}

impl Store {
    /// The runs of a configuration that are there, as instance and repetition.
    pub fn recorded(
        &self,
        configuration: ConfigurationId,
    ) -> Result<HashSet<(InstanceId, u32)>, StoreError> {
        let pairs = self.rows(
            "SELECT instance_id, repetition FROM run WHERE configuration_id = ?1",
            [configuration.0],
            |row| Ok((InstanceId(row.get(0)?), row.get(1)?)),
        )?;
        Ok(pairs.into_iter().collect())
    }

    /// Adds runs in one transaction. One that is there already, with the same configuration,
    /// instance and repetition, stays as it is. Returns how many were added.
    pub fn add_runs(
        &mut self,
        campaign: CampaignId,
        runs: &[NewRun<'_>],
    ) -> Result<usize, StoreError> {
        let mut prepared = Vec::with_capacity(runs.len());
        for new in runs {
            let stdout = self.prepare_output(&new.run.stdout)?;
            let stderr = self.prepare_output(&new.run.stderr)?;
            prepared.push(PreparedRun { new, stdout, stderr });
        }
        self.batch(|store| {
            let mut added = 0;
            for run in &prepared {
                added += usize::from(store.insert_run(campaign, run)?.is_some());
            }
            Ok(added)
        })
    }

    /// Adds a run that counts at some places of its instance only: an imported result belongs to one
    /// file of several with the same bytes. Returns whether it was added; one that is there stays.
    pub fn add_run_at(
        &mut self,
        campaign: CampaignId,
        new: &NewRun<'_>,
        places: &[(TrackId, &str)],
    ) -> Result<bool, StoreError> {
        let stdout = self.prepare_output(&new.run.stdout)?;
        let stderr = self.prepare_output(&new.run.stderr)?;
        self.batch(|store| {
            let prepared = PreparedRun { new, stdout, stderr };
            let Some(id) = store.insert_run(campaign, &prepared)? else { return Ok(false) };
            for (track, name) in places {
                store.execute(
                    "INSERT INTO run_place (run_id, instance_id, track_id, name)
                     VALUES (?1, ?2, ?3, ?4)",
                    params![id, new.instance.0, track.0, name],
                )?;
            }
            Ok(true)
        })
    }

    /// Removes the runs of a configuration that have one of these classes, so that they can be
    /// made again. Returns how many there were.
    pub fn remove_runs(
        &mut self,
        configuration: ConfigurationId,
        classes: &[Class],
    ) -> Result<usize, StoreError> {
        self.batch(|store| {
            let mut removed = 0;
            for class in classes {
                removed += store.execute(
                    "DELETE FROM run WHERE configuration_id = ?1 AND class = ?2",
                    params![configuration.0, Name(*class)],
                )?;
            }
            Ok(removed)
        })
    }

    fn prepare_output<'a>(
        &mut self,
        output: &'a Captured,
    ) -> Result<Option<PreparedText<'a>>, StoreError> {
        if output.bytes.is_empty() { Ok(None) } else { self.prepare_text(&output.bytes).map(Some) }
    }

    fn insert_run(
        &mut self,
        campaign: CampaignId,
        prepared: &PreparedRun<'_>,
    ) -> Result<Option<i64>, StoreError> {
        let NewRun { configuration, instance, run } = *prepared.new;
        let stdout = prepared.stdout.as_ref().map(|text| self.put_text(text)).transpose()?;
        let stderr = prepared.stderr.as_ref().map(|text| self.put_text(text)).transpose()?;
        let ending = EndingColumns::of(&run.ending);
        let measured = &run.measured;
        let cpu = micros(measured.cpu.0).ok_or_else(|| self.out_of_range("a CPU time"))?;
        let wall = micros(measured.wall.0).ok_or_else(|| self.out_of_range("a wall time"))?;
        let memory = i64::try_from(measured.peak_memory.0)
            .map_err(|_| self.out_of_range("a peak of memory"))?;
        let conversion = (!run.conversion.is_empty()).then_some(ListRef(&run.conversion));
        let inserted = self.execute(
            "INSERT INTO run (campaign_id, configuration_id, instance_id, repetition, started_ms,
                 ending, ending_number, ending_detail, class, cpu_us, wall_us, peak_memory_bytes,
                 left_behind, stdout_text_id, stdout_cut, stderr_text_id, stderr_cut, conversion,
                 core, load)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20)
             ON CONFLICT (instance_id, configuration_id, repetition) DO NOTHING",
            params![
                campaign.0,
                configuration.0,
                instance.0,
                run.repetition,
                run.started.0,
                ending.kind,
                ending.number,
                ending.detail,
                Name(run.class),
                cpu,
                wall,
                memory,
                measured.left_behind,
                stdout,
                run.stdout.cut,
                stderr,
                run.stderr.cut,
                conversion,
                run.core,
                run.load
            ],
        )?;
        if inserted == 0 {
            return Ok(None);
        }
        let id = self.connection.last_insert_rowid();
        for (position, answer) in (0_i64..).zip(&run.answers) {
            self.insert_answer(id, position, answer)?;
        }
        Ok(Some(id))
    }

    fn insert_answer(&self, run: i64, position: i64, answer: &RunAnswer) -> Result<(), StoreError> {
        let RunAnswer { verdict, class, reason_unknown, model, core, opinions } = answer;
        let core_size = core.as_ref().map(|core| i64::try_from(core.size));
        let core_size = core_size.transpose().map_err(|_| self.out_of_range("a core"))?;
        self.execute(
            "INSERT INTO answer (run_id, position, verdict, class, reason_unknown, model_outcome,
                 model_detail, core_outcome, core_size, core_detail)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                run,
                position,
                Name(*verdict),
                Name(*class),
                reason_unknown.as_ref().map(TextRef),
                model.as_ref().map(|model| Name(model.outcome)),
                model.as_ref().and_then(|model| model.detail.as_ref()),
                core.as_ref().map(|core| Name(core.outcome)),
                core_size,
                core.as_ref().and_then(|core| core.detail.as_ref())
            ],
        )?;
        for (place, opinion) in (0_i64..).zip(opinions) {
            self.execute(
                "INSERT INTO opinion (run_id, answer_position, position, configuration_name, class)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![run, position, place, opinion.by, Name(opinion.class)],
            )?;
        }
        Ok(())
    }
}
