//! A cache of expensive responses for one version of the results, least recently used first out.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::reply::Reply;

/// How many bytes are kept in all.
const MOST_BYTES: usize = 32 << 20;

/// How many answers are kept.
const MOST_ANSWERS: usize = 256;

/// Answers to questions about one version of the results.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    kept: Mutex<CacheEntries>,
}

#[derive(Debug, Default)]
struct CacheEntries {
    version: String,
    /// The one that was used last stands at the end.
    answers: VecDeque<(String, Reply)>,
    bytes: usize,
}

impl Cache {
    /// The answer to a question, if it is kept.
    pub fn get(&self, version: &str, request: &str) -> Option<Reply> {
        let mut kept = self.kept();
        if kept.version != version {
            return None;
        }
        let place = kept.answers.iter().position(|(other, _)| other == request)?;
        let answer = kept.answers.remove(place)?;
        let reply = answer.1.clone();
        kept.answers.push_back(answer);
        Some(reply)
    }

    /// Keeps an answer. What was not used for longest makes room for it, and so does what is about an
    /// earlier version.
    pub fn keep(&self, version: &str, request: String, reply: &Reply) {
        let mut kept = self.kept();
        if kept.version != version {
            *kept = CacheEntries { version: version.to_owned(), ..CacheEntries::default() };
        }
        if reply.body.len() > MOST_BYTES / 4
            || kept.answers.iter().any(|(other, _)| *other == request)
        {
            return;
        }
        kept.bytes += reply.body.len();
        kept.answers.push_back((request, reply.clone()));
        while kept.bytes > MOST_BYTES || kept.answers.len() > MOST_ANSWERS {
            let Some((_, oldest)) = kept.answers.pop_front() else { break };
            kept.bytes -= oldest.body.len();
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, CacheEntries> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, MOST_ANSWERS, MOST_BYTES};
    use crate::api::reply::Reply;

    fn reply(length: usize) -> Reply {
        Reply::text(vec![b'x'; length])
    }

    #[test]
    fn answers_are_kept_for_one_version() {
        let cache = Cache::default();
        cache.keep("1", "a".to_owned(), &reply(3));
        assert_eq!(cache.get("1", "a").unwrap().body.len(), 3);
        assert!(cache.get("2", "a").is_none() && cache.get("1", "b").is_none());
        cache.keep("2", "b".to_owned(), &reply(4));
        assert!(cache.get("1", "a").is_none() && cache.get("2", "a").is_none());
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let cache = Cache::default();
        for name in ["a", "b", "c", "d"] {
            cache.keep("1", name.to_owned(), &reply(MOST_BYTES / 4));
        }
        assert!(cache.get("1", "a").is_some());
        cache.keep("1", "e".to_owned(), &reply(1));
        assert!(cache.get("1", "b").is_none());
        assert!(cache.get("1", "a").is_some() && cache.get("1", "e").is_some());
        for number in 0..2 * MOST_ANSWERS {
            cache.keep("1", number.to_string(), &reply(0));
        }
        assert_eq!(cache.kept().answers.len(), MOST_ANSWERS);
        cache.keep("1", "too long".to_owned(), &reply(MOST_BYTES / 4 + 1));
        assert!(cache.get("1", "too long").is_none());
    }
}
