// Runs a WASI program in wazero and profiles it: every call, and the instructions that each function executed.
//
//	go run . app.wasm ARGS       writes app.pb.gz; while it runs: go tool pprof http://localhost:6060/debug/pprof/profile
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	toll "github.com/tollprof/toll-go/wazero"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: go run . app.wasm ARGS")
	}
	status, err := run(context.Background(), os.Args[1], os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(status)
}

func run(ctx context.Context, path string, arguments []string) (status int, err error) {
	program, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)

	rec, err := toll.NewRecorder(ctx, runtime, program, toll.Options{Name: path})
	if err != nil {
		return 0, err
	}
	http.Handle("/debug/pprof/", rec.Handler())
	go func() { log.Print(http.ListenAndServe("localhost:6060", nil)) }()

	config := wazero.NewModuleConfig().WithArgs(arguments...).WithStdin(os.Stdin).WithStdout(os.Stdout).WithStderr(os.Stderr)
	_, err = rec.Instantiate(ctx, config)
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) {
		status, err = int(exit.ExitCode()), nil
	}
	return status, errors.Join(err, rec.Profile(ctx, strings.TrimSuffix(path, ".wasm")+".pb.gz"))
}
