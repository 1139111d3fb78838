// Package toll profiles WebAssembly programs that wazero runs: every call, and the instructions
// that it executes.
//
//	rec, err := toll.NewRecorder(ctx, runtime, wasmBytes, toll.Options{})
//	mod, err := rec.Instantiate(ctx, wazero.NewModuleConfig())   // in place of runtime.Instantiate
//	err = rec.Profile(ctx, "out.pb.gz")
//
// The module is instrumented by toll.wasm, the library as a WebAssembly module, which is embedded
// in this package. Each instance of the module gets an instance of toll.wasm in the same runtime,
// and calls it directly for each event. A Go function is called only for the time, if Options.Time
// is set.
package toll

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"
)

// Options of a Recorder. The zero value records calls and ticks.
type Options struct {
	Name  string // of the module's file, for profiles and messages
	Time  bool   // also nanoseconds, by a clock that is read once in a window of microseconds
	Heap  bool   // bytes allocated and in use by call stack, for allocators with known names
	Lines bool   // how often each line ran, and its ticks, if the module has DWARF; else each basic block, which toll convert --debug turns into lines
	Depth uint32 // deeper calls are charged to their ancestor at this depth; 0: no limit

	Labels string // of the profiles, "commit=3f2a,host=a"; they replace those of the same keys in TOLL_LABELS

	Inlines bool // with Lines, frames for inlined functions
	NoDebug bool // with Lines, basic blocks even with DWARF

	NoTicks bool   // do not count instructions
	Only    string // follow only functions that match this pattern (docs/semantics.md, "Patterns"); callers are charged for others
	Skip    string // do not follow functions that match this pattern
	Costs   string // "fuel", or lines "INSTRUCTION COST"; by default every instruction costs 1

	// StartFunctions are called when an instance is made; nil: "_start". They replace
	// wazero.ModuleConfig.WithStartFunctions, which has no effect here, since the recorder must see
	// how a start function ends.
	StartFunctions []string

	// Resolve returns modules that the guest imports; the runtime is asked for the others. It replaces
	// experimental.WithImportResolver, which has no effect here. It may be nil.
	Resolve experimental.ImportResolver
}

// A Recorder profiles the instances of one module. Several goroutines may call its methods at the
// same time, also while instances run. An instance must be used by one goroutine at a time, as
// always in wazero.
type Recorder struct {
	runtime wazero.Runtime
	options Options
	guest   wazero.CompiledModule
	library wazero.CompiledModule

	source  []byte   // the module as it was, if its debug information is read; nil: it is not
	section []byte   // "toll" of the guest
	flags   uint64   // for begin
	labels  []string // lists of labels; each replaces labels of earlier ones that have the same keys

	mutex      sync.Mutex
	recordings []*recording

	requests chan struct{} // has one element for each request for a profile that is in progress
}

// NewRecorder instruments and compiles a module. It may be instrumented already (toll instrument): then Only, Skip
// and Costs must not be set, and Heap and Lines only if it reports that.
func NewRecorder(ctx context.Context, runtime wazero.Runtime, module []byte, options Options) (*Recorder, error) {
	if err := withoutNUL(options.Name, options.Only, options.Skip, options.Costs, options.Labels); err != nil {
		return nil, err
	}
	toll := tollWasm
	if options.Time {
		toll = clockedWasm
	}
	library, err := runtime.CompileModule(ctx, toll)
	if err != nil {
		return nil, fmt.Errorf("toll: toll.wasm cannot be compiled: %w", err)
	}
	r := &Recorder{runtime: runtime, options: options, library: library, requests: make(chan struct{}, mostRequests)}
	if r.options.Name == "" {
		r.options.Name = "module"
	}
	if options.Lines && !options.NoDebug {
		r.source = append([]byte(nil), module...)
	}
	if module, err = r.instrumented(ctx, module); err != nil {
		return nil, err
	}
	if r.guest, err = runtime.CompileModule(ctx, module); err != nil {
		return nil, fmt.Errorf("toll: the instrumented module cannot be compiled: %w", err)
	}
	return r, nil
}

// instrumented returns the instrumented module, and sets the recorder's flags to what it reports.
func (r *Recorder) instrumented(ctx context.Context, module []byte) ([]byte, error) {
	l, err := newLibrary(ctx, r, func() float64 { return 0 })
	if err != nil {
		return nil, err
	}
	defer l.close(ctx)
	if err = r.takeLabels(ctx, l); err != nil {
		return nil, err
	}
	o := &r.options
	if module, err = l.prepare(ctx, module, o); err != nil {
		return nil, err
	}
	return module, l.with(ctx, func(at ...uint64) error {
		size := uint64(len(module))
		r.flags = l.call(ctx, "instrumented", at[0], size)
		if int32(r.flags) < 0 {
			return l.failure(ctx, -int32(r.flags))
		}
		if r.flags&(moduleCallLines|recordNoCalls) != 0 {
			return errors.New("toll: the module follows no calls, or their lines, which is not recorded here; instrument it without --no-calls and --call-lines")
		}
		if err := l.check(ctx, "module_section", at[0], size); err != nil {
			return err
		}
		r.section = l.bytes(ctx, "result", "result_size")
		if o.NoTicks {
			r.flags &^= recordTicks
		}
		if o.Depth == 0 {
			o.Depth = uint32(l.call(ctx, "instrumented_depth", at[0], size))
		}
		if o.Time {
			r.flags |= recordTime | recordWindows
		}
		return nil
	}, module)
}

// takeLabels checks the labels of the environment and of the options. Wrong labels of the
// environment are omitted, since the profile is worth more.
func (r *Recorder) takeLabels(ctx context.Context, l *library) error {
	if own := os.Getenv("TOLL_LABELS"); own != "" {
		if err := l.label(ctx, own); err == nil {
			r.labels = append(r.labels, own)
		} else {
			fmt.Fprintf(os.Stderr, "toll: warning: TOLL_LABELS is left out: %s\n", strings.TrimPrefix(err.Error(), "toll: "))
		}
	}
	if r.options.Labels == "" {
		return nil
	}
	r.labels = append(r.labels, r.options.Labels)
	return l.label(ctx, r.options.Labels)
}

// Instantiate makes an instance, as Runtime.InstantiateModule does. Call the exported functions of
// the module that it returns, and close that module: so no function stays open in the profile after
// a trap or an exit.
func (r *Recorder) Instantiate(ctx context.Context, config wazero.ModuleConfig) (api.Module, error) {
	rec, err := r.idle(ctx)
	if err != nil {
		return nil, err
	}
	m, err := rec.instantiate(ctx, config.WithStartFunctions())
	if err != nil {
		return nil, err
	}
	return m, m.start(ctx, r.options.StartFunctions)
}

func (m *module) start(ctx context.Context, names []string) error {
	if names == nil {
		names = []string{"_start"}
	}
	for _, name := range names {
		f := m.ExportedFunction(name)
		if f == nil {
			continue
		}
		if _, err := f.Call(ctx); err != nil {
			_ = m.Close(ctx)
			if exit := (*sys.ExitError)(nil); errors.As(err, &exit) {
				if exit.ExitCode() == 0 {
					return nil
				}
				return err
			}
			return fmt.Errorf("module[%s] function[%s] failed: %w", m.Name(), name, err)
		}
	}
	return nil
}

// idle returns a recording whose instance has been closed, or a new one.
func (r *Recorder) idle(ctx context.Context) (*recording, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, rec := range r.recordings {
		if rec.take() {
			return rec, nil
		}
	}
	rec, err := newRecording(ctx, r)
	if err == nil {
		r.recordings = append(r.recordings, rec)
	}
	return rec, err
}
