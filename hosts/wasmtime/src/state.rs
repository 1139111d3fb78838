//! The stores that contain recordings, and the sum of recordings that have ended.

use crate::{
    open_call::{Recordings, StoreId},
    recording::Recording,
    sum::Sum,
    Clock,
};
use std::sync::Arc;
use wasmtime::{Error, Result};

const LOST: &str = "instances that are missing: their stores were dropped before Recorder::end";
const BROKEN: &str =
    "instances that are missing: a call was given up while the profiler allocated memory";
const ELSEWHERE: &str =
    "instances that are missing: they are in other stores, without Recorder::end";

pub struct State {
    stores: Vec<Arc<Recordings>>,
    pub ended: Sum,
    has_ended: bool,
    lost: u64,
    broken: u64, // in stores that have ended
}

/// The parts of a profile.
pub struct Parts {
    pub all: Vec<Arc<Recording>>,          // the recordings in the store
    pub ended: Option<Vec<u8>>, // the profile to add; None: nothing, or it is the only part
    pub missing: [(&'static str, u64); 3], // for the notes
}

impl Parts {
    pub fn is_whole(&self) -> bool {
        self.missing.iter().all(|(_, count)| *count == 0)
    }
}

impl State {
    pub fn new(ended: Sum) -> State {
        State { stores: Vec::new(), ended, has_ended: false, lost: 0, broken: 0 }
    }

    /// The recordings in the store.
    pub fn find(&mut self, store: StoreId) -> Option<Arc<Recordings>> {
        self.forget_dropped();
        self.stores.iter().find(|each| each.store == store).cloned()
    }

    /// The same; a new store has none yet.
    pub fn recordings(&mut self, store: StoreId, clock: &Clock) -> Arc<Recordings> {
        self.find(store).unwrap_or_else(|| Arc::new(Recordings::new(store, clock)))
    }

    pub fn add(&mut self, to: &Arc<Recordings>, recording: &Arc<Recording>) {
        to.all.lock().unwrap().push(recording.clone());
        if !self.stores.iter().any(|each| Arc::ptr_eq(each, to)) {
            self.stores.push(to.clone());
        }
    }

    /// The store ends. `profiles` are those of its instances.
    pub fn end(&mut self, recordings: &Arc<Recordings>, profiles: &[Vec<u8>]) -> Result<()> {
        self.stores.retain(|each| !Arc::ptr_eq(each, recordings));
        self.broken += recordings.all.lock().unwrap().len() as u64 - profiles.len() as u64;
        for profile in profiles {
            self.ended.add(profile)?;
            self.has_ended = true;
        }
        Ok(())
    }

    /// `is_added`: what has ended is added to another sum, also if there is nothing else.
    pub fn parts(&mut self, store: StoreId, is_added: bool) -> Result<Parts> {
        let here = self.find(store);
        let all = here.as_ref().map_or(Vec::new(), |here| here.all.lock().unwrap().clone());
        let elsewhere = self.live() - all.len() as u64;
        let (all, broken): (Vec<_>, Vec<_>) = all.into_iter().partition(|each| !each.is_lost());
        let broken = self.broken + broken.len() as u64;
        if all.is_empty() && broken == 0 && !self.has_ended {
            return Err(Error::msg(
                "toll: nothing was recorded in this store; call instantiate first",
            ));
        }
        let is_alone = !is_added && all.is_empty() && elsewhere + self.lost + broken == 0;
        let ended = match self.has_ended && !is_alone {
            true => Some(self.ended.pprof()?),
            false => None,
        };
        Ok(Parts {
            all,
            ended,
            missing: [(LOST, self.lost), (BROKEN, broken), (ELSEWHERE, elsewhere)],
        })
    }

    /// The number of instances in existing stores.
    fn live(&self) -> u64 {
        self.stores.iter().map(|each| each.all.lock().unwrap().len() as u64).sum()
    }

    /// Forget stores that no longer exist. A new store may have the same address.
    fn forget_dropped(&mut self) {
        let (live, dropped) = self.stores.drain(..).partition(|each| each.are_alive());
        self.stores = dropped;
        self.lost += self.live();
        self.stores = live;
    }
}
