//! The recordings in a store, and calls into their guests.

use crate::{
    calls::{attempt, Calls},
    clock::StoreClock,
    recording::Recording,
    Clock,
};
use std::{
    any::TypeId,
    future::{poll_fn, Future},
    marker::PhantomData,
    panic::{catch_unwind, resume_unwind, AssertUnwindSafe},
    pin::pin,
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
        Arc, Mutex,
    },
    task::Poll,
    thread,
};
use wasmtime::{AsContext, Error, Result, StoreContextMut};

/// Identifies a store while it exists, by the address and type of its data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StoreId(usize, TypeId);

impl StoreId {
    pub fn of<T: 'static>(store: impl AsContext<Data = T>) -> StoreId {
        StoreId(store.as_context().data() as *const T as usize, TypeId::of::<T>())
    }
}

/// The recordings in a store, and how many calls into their guests are in progress there.
pub struct Recordings {
    pub store: StoreId,
    pub clock: Arc<StoreClock>,
    pub all: Mutex<Vec<Arc<Recording>>>,
    open: AtomicU32,
    left_open: AtomicBool, // functions of a call that has ended are still open
}

impl Recordings {
    pub fn new(store: StoreId, clock: &Clock) -> Recordings {
        Recordings {
            store,
            clock: Arc::new(StoreClock::new(clock)),
            all: Mutex::default(),
            open: AtomicU32::new(0),
            left_open: AtomicBool::new(false),
        }
    }

    /// Does the store exist?
    pub fn are_alive(&self) -> bool {
        self.all.lock().unwrap().first().is_none_or(|first| first.library.is_alive())
    }

    /// Leave the functions that are still open after a dropped call, in all instances. To be called
    /// before anything else is done with an instance.
    pub async fn catch_up<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        if self.left_open.load(Relaxed) {
            self.clock.run();
            self.unwind_all::<T, H>(store).await?;
            self.left_open.store(false, Relaxed);
        }
        Ok(())
    }

    async fn unwind_all<T: 'static, H: Calls<T>>(
        &self,
        store: &mut StoreContextMut<'_, T>,
    ) -> Result<()> {
        let all = self.all.lock().unwrap().clone();
        for each in all.iter().filter(|each| !each.is_lost()) {
            let unwound = each.unwind::<T, H>(store, 0).await;
            if !each.is_lost() {
                unwound?;
            }
        }
        Ok(())
    }
}

/// A call into a guest that is in progress. If it fails, by a trap, an exit or a panic, the
/// functions that are still open are left. If it is the outermost call in the store, this concerns
/// all instances there.
///
/// The same happens if the call is dropped before its end, as futures may be. A `drop` cannot
/// always call functions in the store. Then these functions are left later, before anything else is
/// done in the store (`catch_up`).
pub struct OpenCall<'a, 'b, T: 'static, H: Calls<T>> {
    pub store: &'a mut StoreContextMut<'b, T>,
    recordings: &'a Recordings,
    recording: &'a Recording,
    before: Option<u32>, // how many functions are open; None: the call is the outermost one
    is_over: bool,
    how: PhantomData<fn() -> H>,
}

impl<'a, 'b, T: 'static, H: Calls<T>> OpenCall<'a, 'b, T, H> {
    pub async fn begin(
        recordings: &'a Recordings,
        recording: &'a Recording,
        store: &'a mut StoreContextMut<'b, T>,
    ) -> Result<Self> {
        let before = match recordings.open.load(Relaxed) {
            0 => {
                recordings.catch_up::<T, H>(store).await?;
                None
            }
            _ if recording.is_lost() => None,
            _ => Some(recording.depth::<T, H>(store).await?),
        };
        if recording.is_lost() {
            return Err(Error::msg(
                "toll: a call of this instance was given up while the profiler allocated memory, and its recording \
                 is lost; make another instance",
            ));
        }
        recordings.open.fetch_add(1, Relaxed);
        Ok(OpenCall { store, recordings, recording, before, is_over: false, how: PhantomData })
    }

    /// End the call. `result` is that of `watched`.
    pub async fn end<R>(mut self, result: thread::Result<Result<R>>) -> Result<R> {
        self.is_over = true;
        self.recordings.open.fetch_sub(1, Relaxed);
        if !matches!(result, Ok(Ok(_))) {
            let unwound = match self.before {
                None => self.recordings.unwind_all::<T, H>(self.store).await,
                Some(before) => self.recording.unwind::<T, H>(self.store, before).await,
            };
            if unwound.is_err() && self.before.is_none() {
                self.recordings.left_open.store(true, Relaxed); // perhaps there is no fuel: try again later
            }
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

impl<T: 'static, H: Calls<T>> Drop for OpenCall<'_, '_, T, H> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        self.recordings.open.fetch_sub(1, Relaxed);
        self.recording.count_dropped();
        match self.before {
            None => self.recordings.left_open.store(true, Relaxed),
            // Inside an outer call, which may continue. Functions that cannot be left now are left
            // when their caller returns.
            Some(before) => drop(attempt(self.recording.unwind::<T, H>(self.store, before))),
        }
    }
}

/// Run the work of a call. The store's clock runs only while it is polled. A panic becomes a
/// result.
pub async fn watched<R>(clock: &StoreClock, work: impl Future<Output = R>) -> thread::Result<R> {
    let mut work = pin!(work);
    poll_fn(|context| {
        clock.begin_poll();
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)));
        clock.end_poll(matches!(polled, Ok(Poll::Pending)));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Ok(result)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    })
    .await
}
