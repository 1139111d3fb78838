// module.go - An instance of the guest that notices how its calls end.

package toll

import (
	"context"

	"github.com/tetratelabs/wazero/api"
)

// A module is an instance of the guest that notices how its calls end.
type module struct {
	api.Module
	recording *recording
}

func (m *module) ExportedFunction(name string) api.Function {
	f := m.Module.ExportedFunction(name)
	if f == nil {
		return nil
	}
	return &function{f, m}
}

func (m *module) Close(ctx context.Context) error { return m.CloseWithExitCode(ctx, 0) }

func (m *module) CloseWithExitCode(ctx context.Context, code uint32) error {
	m.recording.end(m.Module)
	return m.Module.CloseWithExitCode(ctx, code)
}

type function struct {
	api.Function
	module *module
}

func (f *function) Call(ctx context.Context, parameters ...uint64) (results []uint64, err error) {
	defer f.module.seen(&err)()
	return f.Function.Call(ctx, parameters...)
}

func (f *function) CallWithStack(ctx context.Context, stack []uint64) (err error) {
	defer f.module.seen(&err)()
	return f.Function.CallWithStack(ctx, stack)
}

// seen begins a call; the function that it returns ends it. If the call ends by a trap, an exit or
// an exception, functions are still open in the recording, and are left then.
func (m *module) seen(err *error) func() {
	depth := m.recording.enter()
	return func() {
		m.recording.leave(depth, *err != nil)
		if *err != nil && m.IsClosed() { // by an exit
			m.recording.end(m.Module)
		}
	}
}
