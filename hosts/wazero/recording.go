// recording.go - Records an instance of the guest, or several, one after the other.

package toll

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// A recording is that of one instance of the guest, or of several, one after the other.
//
// The guest's goroutine uses its toll.wasm in events. Other goroutines use it while they hold
// `gate`. They call its functions only while no call of the guest is in progress. During a call
// they only copy its memory, at a moment when no event is in progress: see quiet.
type recording struct {
	recorder *Recorder
	library  *library
	began    time.Time

	inUse   atomic.Bool
	gate    sync.Mutex
	gateAt  uint32      // the address of the two words that quiet describes
	closing atomic.Bool // the gate is closed, or about to be

	calls    int // calls of the guest that are in progress, one inside the other
	instance api.Module
	ticks    api.Global // these three belong to the instance; nil: it does not export it, or there is no instance
	pending  api.MutableGlobal
	then     api.Global

	executions api.Function // of an instance that counts lines
}

func newRecording(ctx context.Context, r *Recorder) (*recording, error) {
	rec := &recording{recorder: r, began: time.Now()}
	start, err := startTime(rec.began)
	if err != nil {
		return nil, err
	}
	rec.inUse.Store(true)
	l, err := newLibrary(ctx, r, rec.now)
	if err != nil {
		return nil, err
	}
	rec.library = l
	err = l.check(ctx, "begin", r.flags, uint64(r.options.Depth), start)
	if err == nil {
		err = l.with(ctx, func(at ...uint64) error { return l.check(ctx, "fact", at[0], at[1]) }, cString("engine"), cString(engine()))
	}
	for _, labels := range r.labels {
		if err == nil {
			err = l.label(ctx, labels)
		}
	}
	if err != nil {
		l.close(ctx)
		return nil, err
	}
	rec.gateAt = uint32(l.call(ctx, "gate"))
	return rec, nil
}

// take reserves a recording for the caller. False: it is in use.
func (rec *recording) take() bool {
	return rec.inUse.CompareAndSwap(false, true)
}

// now is called by toll.wasm, for the time, or because an event waits at the gate.
func (rec *recording) now() float64 {
	if rec.closing.Load() && rec.state() == eventWaits {
		rec.gate.Lock() // waits until quiet has opened the gate
		rec.gate.Unlock()
	}
	return float64(time.Since(rec.began))
}

// instantiate makes an instance of the guest, without calling its start functions.
func (rec *recording) instantiate(ctx context.Context, config wazero.ModuleConfig) (*module, error) {
	r, l, background := rec.recorder, rec.library, context.Background()
	if err := rec.next(); err != nil {
		rec.inUse.Store(false)
		return nil, err
	}

	instance, err := r.runtime.InstantiateModule(experimental.WithImportResolver(ctx, func(name string) api.Module {
		if name == "toll" {
			return l.module
		}
		if r.options.Resolve != nil {
			return r.options.Resolve(name)
		}
		return nil
	}), r.guest, config)

	rec.gate.Lock()
	defer rec.gate.Unlock()
	rec.calls--
	if err != nil {
		l.call(background, "unwind", 0, rec.ticksSoFar()) // functions that the start section's function left open
		if r.flags&moduleLines != 0 {
			l.note("instances that failed while they were made: the cost of their lines is not known")
		}
		rec.inUse.Store(false)
		return nil, err
	}
	rec.instance = instance
	rec.ticks = instance.ExportedGlobal("toll:ticks")
	rec.pending, _ = instance.ExportedGlobal("toll:pending").(api.MutableGlobal)
	rec.then = instance.ExportedGlobal("toll:pending_ticks")
	if r.flags&moduleLines != 0 {
		rec.executions = instance.ExportedFunction("toll:executions")
	}
	l.call(background, "settles", 1)
	return &module{Module: instance, recording: rec}, nil
}

// next begins the recording of another instance. This counts as a call in progress until
// instantiate has made the instance.
func (rec *recording) next() error {
	l, section, background := rec.library, rec.recorder.section, context.Background()
	rec.gate.Lock()
	defer rec.gate.Unlock()
	err := l.with(background, func(at ...uint64) error {
		return l.check(background, "module", at[0], uint64(len(section)))
	}, section)
	if err != nil {
		return err
	}
	l.call(background, "next_instance", rec.ticksSoFar())
	rec.instance, rec.ticks, rec.pending, rec.then, rec.executions = nil, nil, nil, nil, nil
	l.call(background, "settles", 0) // a pending event is in an export of the instance, and there are no exports yet
	rec.calls++
	return nil
}

// ticksSoFar delivers the pending event, and returns the ticks of the instance. If the instance
// could not be made, these are the ticks at its last event. The caller holds the gate.
func (rec *recording) ticksSoFar() uint64 {
	if rec.pending != nil && uint32(rec.pending.Get()) > 1 {
		rec.pending.Set(rec.library.call(context.Background(), "settle", rec.pending.Get(), rec.then.Get()))
	}
	if rec.ticks == nil {
		return rec.library.call(context.Background(), "ticks")
	}
	return rec.ticks.Get()
}

// enter is called before a call of the guest; returns how many functions are open.
func (rec *recording) enter() (depth uint64) {
	rec.gate.Lock()
	defer rec.gate.Unlock()
	if rec.calls > 0 { // a host function calls
		rec.ticksSoFar()
		depth = rec.library.call(context.Background(), "depth")
	}
	rec.calls++
	return depth
}

// leave is called after a call of the guest. If that has failed, leave closes the functions that
// are still open.
func (rec *recording) leave(depth uint64, failed bool) {
	rec.gate.Lock()
	defer rec.gate.Unlock()
	if failed {
		ticks := rec.ticksSoFar()
		rec.library.call(context.Background(), "unwind", depth, ticks)
		if rec.pending != nil {
			rec.pending.Set(0) // the next event is reported at once
		}
	}
	rec.calls--
}

// end is called when the instance is closed. Then the next one may be recorded here.
func (rec *recording) end(instance api.Module) {
	rec.gate.Lock()
	defer rec.gate.Unlock()
	if rec.instance == instance && rec.calls == 0 {
		rec.library.call(context.Background(), "charge", rec.ticksSoFar())
		rec.gather()
		rec.executions = nil
		rec.instance = nil // since it may be closed again later, when this records another instance
		rec.inUse.Store(false)
	}
}
