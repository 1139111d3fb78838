// What profiling costs in wazero: a guest's processor time without a profiler, with toll/wazero, and with wzprof, each
// the least of several runs that take turns.
//
//	main FIB.wasm WORK.wasm
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"github.com/stealthrocket/wzprof"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	toll "toll/wazero"
)

var ctx = context.Background()

// A guest ready to run, and how to run it.
type guest struct {
	name string
	run  api.Function
	best time.Duration
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

// byWzprof records every call, not one of 19 as by default.
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

// measure returns by name the ratio of each guest's time to that of the first.
func measure(title string, wasm []byte, n uint64, rounds int) (names []string, times []float64) {
	guests := []*guest{
		{name: "without a profiler", run: plain(wasm).ExportedFunction("run")},
		{name: "`toll/wazero`: calls", run: byToll(wasm, toll.Options{NoTicks: true}).ExportedFunction("run")},
		{name: "`toll/wazero`: calls, ticks", run: byToll(wasm, toll.Options{}).ExportedFunction("run")},
		{name: "`toll/wazero`: calls, ticks, time", run: byToll(wasm, toll.Options{Time: true}).ExportedFunction("run")},
		{name: "wzprof, every call: time", run: byWzprof(wasm).ExportedFunction("run")},
	}
	for round := 0; round < rounds; round++ {
		for _, g := range guests {
			before := processorTime()
			need(g.run.Call(ctx, n))
			if spent := processorTime() - before; round == 0 || spent < g.best {
				g.best = spent
			}
		}
	}
	fmt.Println(title)
	for _, g := range guests {
		ratio := g.best.Seconds() / guests[0].best.Seconds()
		fmt.Printf("  %-32s %9.2f ms %7.2f times\n", g.name, g.best.Seconds()*1e3, ratio)
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
}
