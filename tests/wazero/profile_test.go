package tests

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	toll "github.com/tollprof/toll-go/wazero"
)

// What node.mjs does; traps and the host's failures are expected.
func asNode(t testing.TB, m api.Module) {
	call(t, m, "work", 100)
	call(t, m, "fib", 15)
	fails(t, m, "trap", 6)
	for what := uint64(0); what < 3; what++ {
		call(t, m, "ask", what)
	}
	fails(t, m, "ask", 3)
	call(t, m, "work", 7)
	call(t, m, "paths", 5)
}

func fails(t testing.TB, m api.Module, name string, parameter uint64) {
	t.Helper()
	if _, err := m.ExportedFunction(name).Call(ctx, parameter); err == nil {
		t.Fatalf("%s(%d) does not fail", name, parameter)
	}
}

func TestProfilesAreThoseOfNode(t *testing.T) {
	for _, options := range []toll.Options{{}, {Time: true}} {
		rec, m := guest(t, options, nil)
		asNode(t, m)
		for _, value := range []string{"ticks", "calls"} {
			if got, wanted := folded(t, rec, value), string(file(t, "node."+value+".folded")); got != wanted {
				t.Errorf("%+v, %s: got\n%s\nby Node\n%s", options, value, got, wanted)
			}
		}
	}
}

func TestTheFileIsAProfileThatIsWhole(t *testing.T) {
	rec, m := guest(t, toll.Options{}, nil)
	asNode(t, m)
	path := filepath.Join(t.TempDir(), "out.pb.gz")
	for i := 0; i < 2; i++ { // the second time over the first
		if err := rec.Profile(ctx, path); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(os.Getenv("TOLL"), "check", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := rec.Profile(ctx, filepath.Join(t.TempDir(), "out.xyz")); err == nil || !strings.Contains(err.Error(), ".pb.gz, ") {
		t.Errorf("an unknown extension: %v", err)
	}
	if err := rec.Profile(ctx, filepath.Join(t.TempDir(), "none", "out.folded")); err == nil {
		t.Error("no folder, no error")
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(left) != 1 {
		t.Errorf("what is left: %v", left)
	}
}

// labels are those of each thread, as toll report --json lists them.
func labels(t testing.TB, rec *toll.Recorder) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.pb.gz")
	if err := rec.Profile(ctx, path); err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(byCommand(t, "report", "-q", "--json", path), "\"labels\":")
	list, _, _ := strings.Cut(after, ",\n")
	return list
}

func TestLabels(t *testing.T) {
	t.Setenv("TOLL_LABELS", "commit=1,host=a")
	rec, m := guest(t, toll.Options{Labels: "commit=2"}, nil)
	call(t, m, "work", 100)
	if got := labels(t, rec); got != `[{"commit":["2"],"host":["a"]}]` {
		t.Errorf("of one instance: %s", got)
	}
	good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	if got := labels(t, rec); got != `[{"commit":["2"],"host":["a"]}]` {
		t.Errorf("of a sum: %s", got)
	}
	if _, err := toll.NewRecorder(ctx, runtime(t), file(t, "guest.wasm"), toll.Options{Labels: "host"}); err == nil ||
		!strings.Contains(err.Error(), "a label is KEY=VALUE, and not 'host'") {
		t.Errorf("a label without a value: %v", err)
	}
	t.Setenv("TOLL_LABELS", "host")
	rec, m = guest(t, toll.Options{}, nil)
	call(t, m, "work", 100)
	if got := labels(t, rec); got != "[{}]" {
		t.Errorf("of a variable that has none: %s", got)
	}
}

func TestAProgramEndsByItsExitAndHasAHeap(t *testing.T) {
	r := runtime(t)
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "program.wasm"), toll.Options{Name: "program.wasm", Heap: true}))
	var out bytes.Buffer
	_, err := rec.Instantiate(ctx, wazero.NewModuleConfig().WithArgs("program.wasm", "3", "one").WithStdout(&out))
	exit := (*sys.ExitError)(nil)
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || out.String() != "2 arguments 1\n" {
		t.Fatalf("%v, and wrote %q", err, out.String())
	}
	path := filepath.Join(t.TempDir(), "out.pb.gz")
	if err := rec.Profile(ctx, path); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"calls", "inuse_space", "alloc_space"} {
		if got, wanted := byToll(t, path, value), byToll(t, "node.pb.gz", value); got != wanted || got == "" {
			t.Errorf("%s: got\n%s\nby Node\n%s", value, got, wanted)
		}
	}
	if _, err = rec.Instantiate(ctx, wazero.NewModuleConfig().WithArgs("program.wasm", "0")); err != nil {
		t.Errorf("an exit with 0 is %v", err)
	}
}

// byToll is what toll run recorded of a program below its _start, one line for each stack.
func byToll(t testing.TB, path, value string) string {
	t.Helper()
	return byTollBelow(t, path, value, "^_start$")
}

func byTollBelow(t testing.TB, path, value, root string) string {
	t.Helper()
	return byCommand(t, "convert", "-q", "--to", "folded", "--value", value, "--focus", root, "-o", "-", path)
}

// byCommand is what the command prints.
func byCommand(t testing.TB, arguments ...string) string {
	t.Helper()
	out, err := exec.Command(os.Getenv("TOLL"), arguments...).Output()
	if err != nil {
		t.Fatalf("toll %v: %v", arguments, err)
	}
	return string(out)
}

func TestInstancesAddUp(t *testing.T) {
	const instances, goroutines = 6, 3
	r := runtime(t)
	var none api.Module
	host(t, r, &none, nil)
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "guest.wasm"), toll.Options{}))
	var all sync.WaitGroup
	for g := 0; g < goroutines; g++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < instances; i++ {
				m, err := rec.Instantiate(ctx, wazero.NewModuleConfig().WithName(""))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = m.ExportedFunction("work").Call(ctx, 50)
				_, _ = m.ExportedFunction("trap").Call(ctx, 2)
				if err := m.Close(ctx); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
	calls := selves(t, folded(t, rec, "calls"))
	for name, each := range map[string]int{"work": 1, "twice": 50, "leaf": 101, "trap": 1, "fall": 1} {
		if calls[name] != each*instances*goroutines {
			t.Errorf("%d calls of %s, not %d for each of %d", calls[name], name, each, instances*goroutines)
		}
	}
}

func TestTimeIsAColumn(t *testing.T) {
	rec, m := guest(t, toll.Options{Time: true}, nil)
	call(t, m, "work", 100)
	if leaf := selves(t, folded(t, rec, "time"))["leaf"]; leaf <= 0 {
		t.Errorf("leaf took %d ns", leaf)
	}
	if calls := selves(t, folded(t, rec, "calls"))["leaf"]; calls != 200 {
		t.Errorf("%d calls of leaf", calls)
	}
}

// What a host function takes is its own, also if it calls the guest, or fails. The sums are even.
func TestTimeByWindows(t *testing.T) {
	var m api.Module
	var rec *toll.Recorder
	rec, m = guest(t, toll.Options{Time: true}, func(what uint32) uint32 {
		time.Sleep(20 * time.Millisecond)
		if what == 100 {
			call(t, m, "ask", 101)
			call(t, m, "work", 1000)
			time.Sleep(30 * time.Millisecond)
		}
		if what == 102 {
			panic(errors.New("the host fails"))
		}
		return what
	})
	plain, other := guest(t, toll.Options{}, func(what uint32) uint32 { return what })
	call(t, m, "ask", 100)
	call(t, other, "ask", 100)
	if _, err := m.ExportedFunction("ask").Call(ctx, 102); err == nil {
		t.Error("no failure of the host")
	}
	call(t, m, "ask", 103)
	times := stacks(t, folded(t, rec, "time"))
	for stack, least := range map[string]int{"ask;host": 90, "ask;host;ask;host": 20} {
		if times[stack] < least*int(time.Millisecond) || times[stack] > (least+60)*int(time.Millisecond) {
			t.Errorf("%s: %d ns, not about %d ms", stack, times[stack], least)
		}
	}
	if work := times["ask;host;work;twice"]; work <= 0 {
		t.Errorf("work that the host has called: %v", times)
	}
	if ticks, one := selves(t, folded(t, rec, "ticks"))["leaf"], selves(t, folded(t, plain, "ticks"))["leaf"]; ticks != (4+2000)*one {
		t.Errorf("ticks of leaf: %d in 2004 calls, %d in one without time", ticks, one)
	}
	sum := 0
	for _, ns := range times {
		sum += ns
	}
	if notes := notes(t, rec, "time"); sum+notes["nanoseconds that the profiler took, about; not in the time"] != notes["nanoseconds that the samples represent"] {
		t.Errorf("the sum is %d: %v", sum, notes)
	}
}

func TestOptions(t *testing.T) {
	rec, m := guest(t, toll.Options{Only: "^(work|leaf)$", NoTicks: true}, nil)
	call(t, m, "work", 10)
	if got := selves(t, folded(t, rec, "calls")); len(got) != 2 || got["leaf"] != 20 || got["work"] != 1 {
		t.Errorf("followed: %v", got)
	}
	rec, m = guest(t, toll.Options{Costs: "* 0\nentry 5\n"}, nil)
	call(t, m, "work", 10)
	if got := selves(t, folded(t, rec, "ticks")); got["leaf"] != 100 || got["twice"] != 50 {
		t.Errorf("5 to enter a function: %v", got)
	}
	rec, m = guest(t, toll.Options{Depth: 2}, nil)
	call(t, m, "work", 10)
	if got := selves(t, folded(t, rec, "calls")); got["leaf"] != 0 || got["twice"] != 10 {
		t.Errorf("not deeper than 2: %v", got)
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	r := runtime(t)
	module := file(t, "guest.wasm")
	for text, options := range map[string]toll.Options{"(": {Only: "("}, "nop2": {Costs: "nop2 1\n"}, "NUL": {Only: "work\x00"}} {
		if _, err := toll.NewRecorder(ctx, r, module, options); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: %v", options, err)
		}
	}
	for _, wrong := range [][]byte{nil, []byte("text"), module[:len(module)/2]} {
		if _, err := toll.NewRecorder(ctx, r, wrong, toll.Options{Name: "x.wasm"}); err == nil || !strings.Contains(err.Error(), "x.wasm") {
			t.Errorf("%d bytes: %v", len(wrong), err)
		}
	}
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, module, toll.Options{}))
	if _, err := rec.Instantiate(ctx, wazero.NewModuleConfig()); err == nil || !strings.Contains(err.Error(), "env") {
		t.Errorf("without its imports: %v", err)
	}
	var none api.Module
	host(t, r, &none, nil)
	call(t, good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig())), "work", 1)
	if calls := selves(t, folded(t, rec, "calls")); calls["work"] != 1 {
		t.Errorf("after that: %v", calls)
	}
}

func TestAModuleThatIsInstrumentedAlready(t *testing.T) {
	if out, err := exec.Command(os.Getenv("TOLL"), "instrument", "guest.wasm", "-o", "guest.toll.wasm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var m api.Module
	r := runtime(t)
	host(t, r, &m, nil)
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "guest.toll.wasm"), toll.Options{}))
	m = good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	asNode(t, m)
	if folded(t, rec, "ticks") != string(file(t, "node.ticks.folded")) {
		t.Error("its ticks are not Node's")
	}
	if _, err := toll.NewRecorder(ctx, r, file(t, "guest.toll.wasm"), toll.Options{Heap: true}); err == nil {
		t.Error("Heap is for toll instrument, and nothing said so")
	}
}
