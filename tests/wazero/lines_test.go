package tests

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	toll "toll/wazero"
)

// sameLines compares lines of functions with those that Node recorded.
func sameLines(t *testing.T, rec *toll.Recorder, node, functions string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lines.pb.gz")
	for i := 0; i < 2; i++ { // counters are not added up again
		if err := rec.Profile(ctx, path); err != nil {
			t.Fatal(err)
		}
	}
	for _, value := range []string{"executions", "line ticks"} {
		got, wanted := byTollBelow(t, path, value, functions), byTollBelow(t, node, value, functions)
		if got != wanted || strings.Count(got, "\n") < 3 {
			t.Errorf("%s: got\n%s\nby Node\n%s", value, got, wanted)
		}
	}
}

func TestLines(t *testing.T) {
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, runtime(t), file(t, "programs.wasm"), toll.Options{Name: "programs.wasm", Lines: true}))
	m := good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	call(t, m, "run", 2)
	sameLines(t, rec, "node.lines.pb.gz", ".")
}

func TestLinesOfAProgramThatExits(t *testing.T) {
	for _, closes := range []bool{false, true} { // whether functions of a closed module can be interrupted, and are
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(wazero.NewCompilationCache()).WithCloseOnContextDone(closes))
		defer r.Close(ctx)
		wasi(t, r)
		rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "program.wasm"), toll.Options{Name: "program.wasm", Lines: true}))
		if _, err := rec.Instantiate(ctx, wazero.NewModuleConfig().WithArgs("program.wasm", "3", "one")); err == nil {
			t.Fatal("it does not exit")
		}
		if !closes {
			sameLines(t, rec, "node.exit.lines.pb.gz", "^(end|exit|keep|use|dlmalloc|dlfree)$") // others ask what standard output is
			continue
		}
		if counts, notes := folded(t, rec, "executions"), notesOf(t, rec); len(counts) == 0 && !strings.Contains(notes, "what their lines cost is not known") {
			t.Errorf("no lines, and nothing says so: %s", notes)
		}
	}
}

// Those of instances one after the other, in one recording; what an instance in a call has is not known yet.
func TestLinesOfInstances(t *testing.T) {
	var m api.Module
	r := runtime(t)
	var rec *toll.Recorder
	host(t, r, &m, func(what uint32) uint32 {
		if notes := notesOf(t, rec); !strings.Contains(notes, "instances in a call") {
			t.Errorf("nothing says that lines are missing: %s", notes)
		}
		return what
	})
	rec = good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "guest.wasm"), toll.Options{Lines: true}))
	for i := 0; i < 3; i++ {
		m = good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig().WithName("")))
		call(t, m, "work", 10)
		if i == 2 {
			call(t, m, "ask", 9)
		}
		if err := m.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if leaf := selves(t, folded(t, rec, "executions"))["leaf"]; leaf != 3*20+1 {
		t.Errorf("leaf ran %d times", leaf)
	}
	if lines, calls := selves(t, folded(t, rec, "line ticks"))["twice"], selves(t, folded(t, rec, "ticks"))["twice"]; lines != calls {
		t.Errorf("twice has %d ticks by line, %d by call", lines, calls)
	}
}

// notesOf are the notes of the profile so far.
func notesOf(t *testing.T, rec *toll.Recorder) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notes.pb.gz")
	if err := rec.Profile(ctx, path); err != nil {
		t.Fatal(err)
	}
	report := byCommand(t, "report", "--json", path)
	return report[strings.Index(report, `"notes"`):]
}
