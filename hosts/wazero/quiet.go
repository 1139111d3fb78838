// quiet.go - Lets other goroutines read toll.wasm's memory at moments when no event is in progress.

package toll

import (
	"context"
	"sync/atomic"
	"time"
)

// How long to wait after closing the gate. An event may have begun before without its mark being
// visible yet; other processors see a store within a fraction of a microsecond.
const settling = time.Millisecond

// Values of the second word at gateAt.
const (
	noEvent = iota
	eventHandled
	eventWaits // at the gate: nothing of it has happened
)

func (rec *recording) state() uint32 {
	return atomic.LoadUint32(rec.library.memory.word(rec.gateAt + 4))
}

// quiet calls work at a moment when toll.wasm handles no event, and the guest can begin none until
// work returns.
//
// toll.wasm has two words for this. The first is 1 while the gate is closed; the second is the
// state of the guest's goroutine. An event first marks its begin in the second word, and then reads
// the first. If the gate is closed, it calls now, and waits there. So the memory may be read once
// the gate has been closed for `settling` and the second word is not eventHandled: either an event
// waits, or the guest is outside of events (it computes, or waits in a host function). The cost for
// an event is only its marks and that one read.
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
