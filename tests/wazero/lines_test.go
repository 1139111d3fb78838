package tests

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	toll "github.com/tollprof/toll-go/wazero"
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
		if counts, notes := folded(t, rec, "executions"), notesOf(t, rec); len(counts) == 0 && !strings.Contains(notes, "the cost of their lines is not known") {
			t.Errorf("no lines, and nothing says so: %s", notes)
		}
	}
}

// withoutPhases is a profile in another format, without what Node does before and after the calls.
func withoutPhases(t *testing.T, path, format, value string) string {
	t.Helper()
	return byCommand(t, "convert", "-q", "--to", format, "--value", value, "--ignore", `^(%|\(outside)`, "-o", "-", path)
}

// Files, lines, inlined functions, and the costs of these are those that the command finds.
func TestLinesOfDebugInformation(t *testing.T) {
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, runtime(t), file(t, "lines.wasm"), toll.Options{Name: "lines.wasm", Lines: true, Inlines: true}))
	m := good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	call(t, m, "run", 50)
	path := filepath.Join(t.TempDir(), "lines.pb.gz")
	if err := rec.Profile(ctx, path); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"calls", "ticks", "executions", "line ticks"} {
		got, wanted := withoutPhases(t, path, "folded", value), withoutPhases(t, "node.debug.pb.gz", "folded", value)
		if got != wanted || strings.Contains(value, "line") && !strings.Contains(got, "fill;step;mix ") {
			t.Errorf("%s: got\n%s\nby Node\n%s", value, got, wanted)
		}
	}
	got, wanted := withoutPhases(t, path, "callgrind", "ticks"), withoutPhases(t, "node.debug.pb.gz", "callgrind", "ticks")
	if got != wanted || !strings.Contains(got, "calls.c\n") {
		t.Errorf("callgrind: got\n%s\nby Node\n%s", got, wanted)
	}
}

// What is subtracted has addresses, as what it is subtracted from: lines are made of the difference.
func TestLinesOfSomeSeconds(t *testing.T) {
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, runtime(t), file(t, "debug.wasm"), toll.Options{Lines: true}))
	m := good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	call(t, m, "run", 10000000) // more than in those seconds
	server := httptest.NewServer(rec.Handler())
	defer server.Close()
	done := make(chan string, 1)
	ask := func() {
		text, _ := get(t, server.URL+"/profile?seconds=0.05&format=pprof")
		done <- text
	}
	go ask()
	path := filepath.Join(t.TempDir(), "lines.pb")
	for {
		select {
		case pprof := <-done:
			if err := os.WriteFile(path, []byte(pprof), 0o600); err != nil {
				t.Fatal(err)
			}
			executions := byTollBelow(t, path, "executions", ".")
			if !strings.Contains(executions, "twice") { // nothing was called meanwhile, or a call is under way
				go ask()
				continue
			}
			lines := byCommand(t, "convert", "-q", "--to", "callgrind", "-o", "-", path)
			ticks, counts := selves(t, byTollBelow(t, path, "line ticks", ".")), selves(t, executions)
			if ticks["twice"] != 6*counts["twice"] || !strings.Contains(lines, "tiny.c\n") || strings.Contains(lines, "-") {
				t.Errorf("%v ticks, %v executions:\n%s", ticks, counts, lines)
			}
			return
		default:
			call(t, m, "run", 1)
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
