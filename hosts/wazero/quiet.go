// quiet.go - When toll.wasm's memory may be read: no event is under way.

package toll

import (
	"context"
	"sync/atomic"
	"time"
)

// How long an event that began before the gate was closed, and has not marked that yet, takes to do so: the store of
// one processor is seen by the others within a fraction of a microsecond.
const settling = time.Millisecond

// What the second word at gateAt says.
const (
	noEvent = iota
	eventHandled
	eventWaits // at the gate: nothing of it has happened
)

func (rec *recording) state() uint32 {
	return atomic.LoadUint32(rec.library.memory.word(rec.gateAt + 4))
}

// quiet calls work at a moment when toll.wasm handles no event, and the guest can begin none until work returns.
//
// toll.wasm has two words for that: the first is 1 while the gate is closed, the second says what the guest's goroutine
// does. An event marks its beginning there, and then looks at the gate; where that is closed it calls now, and waits. So
// once the gate has been closed for as long as a store takes to be seen, and the second word is not eventHandled, an
// event waits, or the guest is outside of events: it computes, or waits in a host function. All that this costs an event
// are its marks and that look.
func (rec *recording) quiet(ctx context.Context, work func()) error {
	rec.gate.Lock()
	defer rec.gate.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if rec.calls == 0 {
		rec.library.call(ctx, "charge", rec.ticksSoFar())
		rec.gather()
		work()
		return nil
	}
	rec.closing.Store(true)
	defer rec.open()
	rec.library.memory.store(rec.gateAt, 1)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(settling):
		}
		if rec.state() != eventHandled {
			work()
			return nil
		}
	}
}

func (rec *recording) open() {
	rec.closing.Store(false)
	rec.library.memory.store(rec.gateAt, 0)
}
