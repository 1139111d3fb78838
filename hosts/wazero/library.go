// library.go - An instance of toll.wasm beside the guest: calls the functions of toll/embedder.h.

package toll

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Results of WASI functions.
const (
	wasiDone         = 0
	wasiFailed       = 29
	wasiNotSupported = 52
)

// A library is an instance of toll.wasm.
type library struct {
	module  api.Module
	host    []api.Closer // its imports: instances, each followed by its compiled module
	memory  *memory
	now     func() float64           // nanoseconds; nil: the time is not recorded
	sink    func(piece []byte) error // gets the pieces of a profile's file
	sinkErr error
}

// newLibrary makes an instance of toll.wasm beside the guest of r.
func newLibrary(ctx context.Context, r *Recorder, now func() float64) (*library, error) {
	ctx = context.WithoutCancel(ctx) // see call
	l := &library{now: now, memory: &memory{}}
	hosts := map[string]api.Module{}
	for _, f := range r.library.ImportedFunctions() {
		if from, _, _ := f.Import(); hosts[from] == nil {
			m, err := l.hostModule(ctx, r, from)
			if err != nil {
				l.close(ctx)
				return nil, err
			}
			hosts[from] = m
		}
	}
	ctx = experimental.WithImportResolver(ctx, func(name string) api.Module { return hosts[name] })
	ctx = experimental.WithMemoryAllocator(ctx, l.memory)
	var err error
	l.module, err = r.runtime.InstantiateModule(ctx, r.library, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		l.close(ctx)
		return nil, err
	}
	if version := l.call(ctx, "interface"); version != embedderVersion {
		l.close(ctx)
		return nil, fmt.Errorf("toll: toll.wasm has interface %d, not %d", version, embedderVersion)
	}
	return l, nil
}

// hostModule makes the module of that name from which toll.wasm imports.
func (l *library) hostModule(ctx context.Context, r *Recorder, from string) (api.Module, error) {
	builder := r.runtime.NewHostModuleBuilder(from)
	for _, f := range r.library.ImportedFunctions() {
		if module, name, _ := f.Import(); module == from {
			builder = builder.NewFunctionBuilder().
				WithGoModuleFunction(l.hostFunction(name), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	compiled, err := builder.Compile(ctx)
	if err != nil {
		return nil, err
	}
	m, err := r.runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		_ = compiled.Close(ctx)
		return nil, err
	}
	l.host = append(l.host, m, compiled)
	return m, nil
}

func (l *library) hostFunction(name string) api.GoModuleFunc {
	switch name {
	case "now":
		return func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = math.Float64bits(l.now()) }
	case "fd_write":
		return func(_ context.Context, m api.Module, stack []uint64) { stack[0] = l.write(m.Memory(), stack) }
	}
	return func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = wasiNotSupported }
}

// write is fd_write. Its parameters are the descriptor, the list of pieces, their number, and the
// address for the size.
func (l *library) write(memory api.Memory, parameters []uint64) uint64 {
	list, count, sum := uint32(parameters[1]), uint32(parameters[2]), uint32(0)
	for ; count > 0; count, list = count-1, list+8 {
		at, ok := memory.ReadUint32Le(list)
		size, also := memory.ReadUint32Le(list + 4)
		piece, inside := memory.Read(at, size)
		if !ok || !also || !inside {
			return wasiFailed
		}
		if l.sink != nil && uint32(parameters[0]) == profileFD {
			if l.sinkErr = l.sink(piece); l.sinkErr != nil {
				return wasiFailed
			}
		}
		sum += size
	}
	if !memory.WriteUint32Le(uint32(parameters[3]), sum) {
		return wasiFailed
	}
	return wasiDone
}

const profileFD = 3

// call calls an exported function. A trap in toll.wasm is a defect of Toll, so it panics; as an
// error it would be lost in events. The call does not end with ctx, because a runtime that ends
// functions then (WithCloseOnContextDone) closes their module, and the recording would be lost.
func (l *library) call(ctx context.Context, name string, parameters ...uint64) uint64 {
	results, err := l.module.ExportedFunction(name).Call(context.WithoutCancel(ctx), parameters...)
	if err != nil {
		panic("toll: " + name + ": " + err.Error())
	}
	if len(results) == 0 {
		return 0
	}
	return results[0]
}

// check calls a function that returns a status.
func (l *library) check(ctx context.Context, name string, parameters ...uint64) error {
	l.sinkErr = nil
	status := int32(l.call(ctx, name, parameters...))
	switch {
	case status == 0:
		return nil
	case l.sinkErr != nil:
		return l.sinkErr
	}
	return l.failure(ctx, status)
}

// A failure of toll.wasm, with its toll_status.
type failure struct {
	status int32
	text   string
}

func (f *failure) Error() string { return "toll: " + f.text }

func (l *library) failure(ctx context.Context, status int32) error {
	return &failure{status, string(l.bytes(ctx, "error_text", "error_size"))}
}

// bytes returns a copy of toll.wasm's memory. The functions `at` and `size` return its address and
// size.
func (l *library) bytes(ctx context.Context, at, size string) []byte {
	bytes, _ := l.module.Memory().Read(uint32(l.call(ctx, at)), uint32(l.call(ctx, size)))
	return append([]byte(nil), bytes...)
}

// with calls work with the addresses of copies of blocks in toll.wasm's memory, and frees them
// afterwards.
func (l *library) with(ctx context.Context, work func(at ...uint64) error, blocks ...[]byte) error {
	at := make([]uint64, 0, len(blocks))
	defer func() {
		for _, block := range at {
			l.call(ctx, "release", block)
		}
	}()
	for _, block := range blocks {
		to := l.call(ctx, "alloc", uint64(len(block)))
		if to == 0 {
			return errors.New("toll: no memory")
		}
		at = append(at, to)
		l.module.Memory().Write(uint32(to), block)
	}
	return work(at...)
}

func cString(text string) []byte { return append([]byte(text), 0) }

// withoutNUL returns an error if a text contains a NUL, where toll.wasm would see its end.
func withoutNUL(texts ...string) error {
	for _, text := range texts {
		if strings.Contains(text, "\x00") {
			return &failure{statusArgument, fmt.Sprintf("%q has a NUL in it", text)}
		}
	}
	return nil
}

func flag(isSet bool, value uint64) uint64 {
	if isSet {
		return value
	}
	return 0
}

// prepare returns the instrumented module.
func (l *library) prepare(ctx context.Context, module []byte, o *Options) (result []byte, err error) {
	err = l.with(ctx, func(at ...uint64) error {
		flags := flag(o.NoTicks, instrumentNoTicks) | flag(o.Heap, instrumentHeap) | flag(o.Lines, instrumentLines) | flag(o.Time, instrumentTime)
		return l.check(ctx, "prepare", at[0], uint64(len(module)), at[1], at[2], at[3], at[4], flags)
	}, module, cString(o.Name), cString(o.Only), cString(o.Skip), cString(o.Costs))
	if err != nil {
		return nil, err
	}
	return l.bytes(ctx, "result", "result_size"), nil
}

func (l *library) close(ctx context.Context) {
	if l.module != nil {
		_ = l.module.Close(ctx)
	}
	for _, m := range l.host {
		_ = m.Close(ctx)
	}
}
