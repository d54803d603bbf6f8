//! Verifies a whole database, for instance one from another person.
//!
//! [`Store::check`] runs SQLite's own checks: pages, indices, CHECKs, foreign keys. [`Store::verify`]
//! reads every row as it is read in use, so that a row that could not be used later is refused before
//! anything is copied elsewhere, and checks what SQLite cannot: a text has the size and the digest
//! under which it is stored, a configuration has the identity that follows from its columns, and
//! positions have no gaps.
//!
//! Texts are unpacked part by part, so that no text needs memory for more than a part.

use std::collections::HashMap;

use luthier_records::Digest;

use crate::codec::Sha;
use crate::{Store, StoreError};

impl Store {
    /// Reads everything and reports the first thing that is wrong.
    pub fn verify(&self) -> Result<(), StoreError> {
        self.reading(|store| {
            store.check()?;
            store.mark()?;
            store.campaigns()?;
            store.verify_configurations()?;
            store.sets()?;
            store.tracks()?;
            store.verify_texts()?;
            store.visit_instances(|_| Ok(()))
        })
    }

    fn verify_configurations(&self) -> Result<(), StoreError> {
        let stored: HashMap<i64, Digest> = self
            .rows("SELECT id, identity FROM configuration", [], |row| {
                Ok((row.get(0)?, row.get::<_, Sha>(1)?.0))
            })?
            .into_iter()
            .collect();
        for (id, configuration) in self.configurations()? {
            if stored.get(&id.0) != Some(&configuration.identity()) {
                let name = &configuration.name;
                return Err(self.damaged(format!(
                    "configuration {} ({name:?}) does not have the identity of its columns",
                    id.0
                )));
            }
        }
        Ok(())
    }

    fn verify_texts(&self) -> Result<(), StoreError> {
        for id in self.rows("SELECT id FROM text ORDER BY id", [], |row| row.get(0))? {
            self.unpack(id, &mut |_| {})?;
        }
        let other = self.rows(
            "SELECT instance.id FROM instance JOIN text ON text.id = instance.text_id
             WHERE text.digest <> instance.digest LIMIT 1",
            [],
            |row| row.get::<_, i64>(0),
        )?;
        match other.first() {
            Some(id) => Err(self.damaged(format!("instance {id} has the text of another digest"))),
            None => Ok(()),
        }
    }
}
