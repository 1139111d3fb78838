package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	toll "github.com/tollprof/toll-go/wazero"
)

var ctx = context.Background()

func file(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func good[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// host is what guest.wasm imports: what node.mjs has, too. What it is asked beyond that goes to `more`.
func host(t testing.TB, r wazero.Runtime, instance *api.Module, more func(what uint32) uint32) {
	t.Helper()
	_, err := r.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func(what uint32) uint32 {
		switch what {
		case 1:
			result, err := (*instance).ExportedFunction("work").Call(ctx, 3)
			if err != nil {
				panic(err)
			}
			return uint32(result[0])
		case 2:
			if _, err := (*instance).ExportedFunction("trap").Call(ctx, 4); err != nil {
				return ^uint32(0)
			}
		case 3:
			panic(errors.New("the host fails"))
		}
		if more != nil {
			return more(what)
		}
		return what
	}).Export("host").Instantiate(ctx)
	if err != nil {
		t.Fatal(err)
	}
}

var cache = wazero.NewCompilationCache() // of toll.wasm, above all

func runtime(t testing.TB) wazero.Runtime {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	t.Cleanup(func() { r.Close(ctx) })
	wasi(t, r)
	return r
}

func wasi(t testing.TB, r wazero.Runtime) {
	t.Helper()
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
}

// guest makes a recorder of guest.wasm and one instance.
func guest(t testing.TB, options toll.Options, more func(uint32) uint32) (*toll.Recorder, api.Module) {
	t.Helper()
	var instance api.Module
	r := runtime(t)
	host(t, r, &instance, more)
	options.Name = "guest.wasm"
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "guest.wasm"), options))
	instance = good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	return rec, instance
}

func call(t testing.TB, m api.Module, name string, parameters ...uint64) []uint64 {
	t.Helper()
	return good[[]uint64](t)(m.ExportedFunction(name).Call(ctx, parameters...))
}

func folded(t testing.TB, rec *toll.Recorder, value string) string {
	t.Helper()
	var text bytes.Buffer
	if err := rec.Write(ctx, &text, "folded", value); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// stacks are the values of a folded profile by stack.
func stacks(t testing.TB, text string) map[string]int {
	t.Helper()
	values := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		stack, value, _ := cutLast(line, " ")
		n, err := strconv.Atoi(value)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		values[stack] += n
	}
	return values
}

// selves are the values of a folded profile by the innermost function.
func selves(t testing.TB, text string) map[string]int {
	t.Helper()
	sums := map[string]int{}
	for stack, n := range stacks(t, text) {
		_, leaf, found := cutLast(stack, ";")
		if !found {
			leaf = stack
		}
		sums[leaf] += n
	}
	return sums
}

// notes are those of the profile, as the command reads it.
func notes(t testing.TB, rec *toll.Recorder, value string) map[string]int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "noted.pb.gz")
	if err := rec.Profile(ctx, path); err != nil {
		t.Fatal(err)
	}
	out := byCommand(t, "report", "-q", "--json", "--value", value, path)
	var report struct {
		Notes []struct {
			Text  string
			Count int
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, note := range report.Notes {
		counts[note.Text] = note.Count
	}
	return counts
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
