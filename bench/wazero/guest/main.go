// guest MODE APP.wasm [ARGS...] - runs a WASI program in wazero, and prints how long it takes, without compiling it: MODE is plain, ticks (toll-go/wazero
// counts calls and ticks), or time (too). The profile goes to the file $PROFILE. After run.sh, in BUILD/bench_wazero:
//
//	PROFILE=p.pb.gz go run ./guest time sqlite.wasm 40 <sqlite.sql        a program of bench/wasm/programs.sh
//
// With -tags perfmap it writes a map of the guest's functions for perf: see bench/wasm/perf_shares.py.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	toll "github.com/tollprof/toll-go/wazero"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	ctx, mode, path := context.Background(), os.Args[1], os.Args[2]
	program, err := os.ReadFile(path)
	check(err)
	runtime := wazero.NewRuntime(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	config := wazero.NewModuleConfig().WithArgs(os.Args[2:]...).WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithSysNanotime().WithSysWalltime()
	var run func() // a program ends by an error that has its status
	var rec *toll.Recorder
	if mode == "plain" {
		compiled, err := runtime.CompileModule(ctx, program)
		check(err)
		run = func() { runtime.InstantiateModule(ctx, compiled, config) }
	} else {
		rec, err = toll.NewRecorder(ctx, runtime, program, toll.Options{Name: path, Time: mode == "time"})
		check(err)
		run = func() { rec.Instantiate(ctx, config) }
	}
	began := time.Now()
	run()
	fmt.Fprintf(os.Stderr, "%s: %.3f s\n", mode, time.Since(began).Seconds())
	if rec != nil {
		check(rec.Profile(ctx, os.Getenv("PROFILE")))
	}
}
