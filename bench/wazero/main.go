// The cost of profiling in wazero: a guest's processor time without a profiler, with toll-go/wazero,
// and with wzprof. Each time is the least of several runs, which take turns.
//
// And what the debug information of a module costs.
//
//	main FIB.wasm WORK.wasm DEBUG.wasm STRIPPED.wasm
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/stealthrocket/wzprof"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	toll "github.com/tollprof/toll-go/wazero"
)

var ctx = context.Background()

// A guest ready to run, and how to run it.
type guest struct {
	name string
	run  api.Function
}

func need[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func newRuntime() wazero.Runtime {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCustomSections(true).WithDebugInfoEnabled(true))
	need(r.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(n int32) int32 { return n * 2 }).Export("host").Instantiate(ctx))
	return r
}

func plain(wasm []byte) api.Module { return need(newRuntime().Instantiate(ctx, wasm)) }

func byToll(wasm []byte, options toll.Options) api.Module {
	rec := need(toll.NewRecorder(ctx, newRuntime(), wasm, options))
	return need(rec.Instantiate(ctx, wazero.NewModuleConfig()))
}

// byWzprof records every call; by default wzprof records one of 19.
func byWzprof(wasm []byte) api.Module {
	profiling := wzprof.ProfilingFor(wasm)
	cpu := profiling.CPUProfiler()
	listening := experimental.WithFunctionListenerFactory(ctx, wzprof.Sample(1, cpu))
	r := newRuntime()
	compiled := need(r.CompileModule(listening, wasm))
	if err := profiling.Prepare(compiled); err != nil {
		panic(err)
	}
	cpu.StartProfile()
	return need(r.InstantiateModule(listening, compiled, wazero.NewModuleConfig()))
}

// processorTime returns the processor time of this thread.
func processorTime() time.Duration {
	const clockThreadCPU = 3
	var now syscall.Timespec
	if _, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPU, uintptr(unsafe.Pointer(&now)), 0); failed != 0 {
		panic(failed)
	}
	return time.Duration(now.Nano())
}

// least returns the least time of each run, of several rounds.
func least(rounds int, runs ...func()) []time.Duration {
	best := make([]time.Duration, len(runs))
	for round := 0; round < rounds; round++ {
		for i, run := range runs {
			before := processorTime()
			run()
			if spent := processorTime() - before; round == 0 || spent < best[i] {
				best[i] = spent
			}
		}
	}
	return best
}

// measureDebugInformation prints how much longer it takes to make a recorder of the module with debug information (of which wazero
// keeps the compiled code), and to write lines of all its functions.
func measureDebugInformation(debug, stripped []byte) {
	r := newRuntime()
	maker := func(wasm []byte) func() {
		return func() { need(toll.NewRecorder(ctx, r, wasm, toll.Options{})) }
	}
	writer := func(options toll.Options) func() {
		options.Lines, options.Inlines = true, true
		rec := need(toll.NewRecorder(ctx, r, debug, options))
		m := need(rec.Instantiate(ctx, wazero.NewModuleConfig().WithName("")))
		for name := range m.ExportedFunctionDefinitions() {
			if strings.HasPrefix(name, "run") {
				need(m.ExportedFunction(name).Call(ctx, 100, 0))
			}
		}
		return func() {
			if err := rec.Write(ctx, io.Discard, "pprof", ""); err != nil {
				panic(err)
			}
		}
	}
	show := func(what string, times []time.Duration) {
		without, with := times[0].Seconds(), times[1].Seconds()
		fmt.Printf("| `toll-go/wazero`: %s | %.0f ms | %.0f ms | %.2f times |\n", what, without*1e3, with*1e3, with/without)
	}
	show("to make a recorder", least(5, maker(stripped), maker(debug)))
	show("to write a profile of lines", least(5, writer(toll.Options{NoDebug: true}), writer(toll.Options{})))
}

// measure returns by name the ratio of each guest's time to that of the first.
func measure(title string, wasm []byte, n uint64, rounds int) (names []string, times []float64) {
	guests := []guest{
		{name: "without a profiler", run: plain(wasm).ExportedFunction("run")},
		{name: "`toll-go/wazero`: calls", run: byToll(wasm, toll.Options{NoTicks: true}).ExportedFunction("run")},
		{name: "`toll-go/wazero`: calls, ticks", run: byToll(wasm, toll.Options{}).ExportedFunction("run")},
		{name: "`toll-go/wazero`: calls, ticks, time", run: byToll(wasm, toll.Options{Time: true}).ExportedFunction("run")},
		{name: "wzprof, every call: time", run: byWzprof(wasm).ExportedFunction("run")},
	}
	var runs []func()
	for _, g := range guests {
		runs = append(runs, func() { need(g.run.Call(ctx, n)) })
	}
	best := least(rounds, runs...)
	fmt.Println(title)
	for i, g := range guests {
		ratio := best[i].Seconds() / best[0].Seconds()
		fmt.Printf("  %-32s %9.2f ms %7.2f times\n", g.name, best[i].Seconds()*1e3, ratio)
		names, times = append(names, g.name), append(times, ratio)
	}
	return names, times
}

func main() {
	runtime.LockOSThread()
	log.SetOutput(io.Discard) // of wzprof, about debug information
	fib, work := need(os.ReadFile(os.Args[1])), need(os.ReadFile(os.Args[2]))
	names, fibs := measure("fib(30): nothing but calls", fib, 30, 5)
	_, works := measure("a hash, bodies, an interpreter, a sieve", work, 300, 5)
	fmt.Println("for docs/performance.md:")
	for i := 1; i < len(names); i++ {
		fmt.Printf("| %s | %.1f times | %.2f times |\n", names[i], fibs[i], works[i])
	}
	measureDebugInformation(need(os.ReadFile(os.Args[3])), need(os.ReadFile(os.Args[4])))
}
