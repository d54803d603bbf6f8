//! The files of a site that are made by following links: pages, pictures, tables.
//!
//! Every address that a page links to is made once, whatever page was first; files are written in the order
//! in which their links are met, which depends on the results alone.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};

use super::address::Target;
use super::folder::{FIRST_PAGE, Folder};
use super::rewrite::Rewriter;
use super::{Addresses, Asker, Export, SiteError, SiteProgress, compressed};

/// How many files are under way before links are looked at again.
const BATCH: usize = 64;

/// Follows links, and writes what they lead to.
#[derive(Debug, Default)]
pub(super) struct Crawler {
    queue: VecDeque<Wanted>,
    known: HashSet<String>,
    done: usize,
    /// The first page, which is written last of all.
    first_page: Option<Vec<u8>>,
}

/// A file that is to be made.
#[derive(Debug)]
struct Wanted {
    address: String,
    name: String,
    is_compressed: bool,
}

/// A file that is made.
struct Made {
    name: String,
    address: String,
    bytes: Vec<u8>,
    /// Addresses that it links to.
    linked: Vec<String>,
}

impl Crawler {
    /// Makes sure that there is a file for an address, if it is one that has a file.
    pub fn add(&mut self, addresses: &Addresses, address: &str) {
        if let Target::File { name, compressed } = addresses.target(address, None)
            && self.known.insert(name.clone())
        {
            let address = address.to_owned();
            self.queue.push_back(Wanted { address, name, is_compressed: compressed });
        }
    }

    /// Writes all files that were added, and those that they link to.
    pub async fn run(
        &mut self,
        export: &Export,
        folder: &mut Folder,
        progress: &mut impl FnMut(SiteProgress),
    ) -> Result<(), SiteError> {
        while !self.queue.is_empty() {
            let batch: Vec<Wanted> = self.queue.drain(..self.queue.len().min(BATCH)).collect();
            let making = batch.into_iter().map(|wanted| {
                let (asker, addresses) = (export.asker.clone(), Arc::clone(&export.addresses));
                async move {
                    // A task of its own, since drawing and compressing take time.
                    let made = tokio::spawn(async move { make(&asker, &addresses, wanted).await });
                    made.await.map_err(|panic| SiteError::System(std::io::Error::other(panic)))?
                }
            });
            let mut made = stream::iter(making).buffered(export.jobs);
            while let Some(made) = made.next().await {
                let made = made?;
                for address in &made.linked {
                    self.add(&export.addresses, address);
                }
                if made.name == FIRST_PAGE {
                    self.first_page = Some(made.bytes);
                } else {
                    folder.write_page(&made.name, Some(&made.address), &made.bytes)?;
                }
                self.done += 1;
                progress(SiteProgress::Pages { done: self.done, known: self.known.len() });
            }
        }
        Ok(())
    }

    /// The first page.
    pub fn first_page(self) -> Result<Vec<u8>, SiteError> {
        self.first_page.ok_or_else(|| SiteError::Page {
            address: "/".to_owned(),
            cause: "it was not made".to_owned(),
        })
    }
}

async fn make(asker: &Asker, addresses: &Addresses, wanted: Wanted) -> Result<Made, SiteError> {
    let Wanted { address, name, is_compressed } = wanted;
    if name.ends_with(".html") {
        let html = asker.text(&address).await?;
        let path = address.split('?').next().unwrap_or(&address);
        let mut rewriter = Rewriter::new(addresses, &name, path, None);
        let bytes = rewriter.rewrite(&html).into_bytes();
        let linked = rewriter.linked;
        return Ok(Made { name, address, bytes, linked });
    }
    let mut bytes = asker.bytes(&address).await?;
    if name.ends_with(".svg") && !name.starts_with("assets/") {
        // Points of a scatter plot lead to their instances.
        let text = String::from_utf8_lossy(&bytes);
        bytes = Rewriter::new(addresses, &name, &address, None).rewrite(&text).into_bytes();
    }
    if is_compressed {
        bytes = compressed(&bytes).map_err(SiteError::System)?;
    }
    Ok(Made { name, address, bytes, linked: Vec::new() })
}
