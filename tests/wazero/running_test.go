package tests

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/api"

	toll "github.com/tollprof/toll-go/wazero"
)

// running starts a call of the guest, and returns when that is under way; what it returns ends it.
func running(t testing.TB, m api.Module, name string, parameters ...uint64) (stop func()) {
	where, sum := uint32(call(t, m, "stop")[0]), uint32(call(t, m, "sum")[0])
	before, _ := m.Memory().ReadUint32Le(sum)
	done := make(chan error)
	go func() {
		_, err := m.ExportedFunction(name).Call(ctx, parameters...)
		done <- err
	}()
	for now := before; now == before; now, _ = m.Memory().ReadUint32Le(sum) {
		time.Sleep(time.Millisecond)
	}
	return func() {
		m.Memory().WriteUint32Le(where, 1)
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func get(t testing.TB, url string) (string, int) {
	t.Helper()
	response := good[*http.Response](t)(http.Get(url))
	defer response.Body.Close()
	return string(good[[]byte](t)(io.ReadAll(response.Body))), response.StatusCode
}

// Each call of leaf costs the same, and its costs are charged when it returns: half an event would be seen.
func TestWhileTheGuestCallsNoEventIsHalf(t *testing.T) {
	for _, options := range []toll.Options{{}, {Time: true}} {
		noEventIsHalf(t, options)
	}
}

func noEventIsHalf(t *testing.T, options toll.Options) {
	rec, m := guest(t, options, nil)
	call(t, m, "work", 1)
	cost := selves(t, folded(t, rec, "ticks"))["leaf"] / 2
	stop := running(t, m, "calls")
	before := 0
	for i := 0; i < 30; i++ {
		var pprof strings.Builder
		if err := rec.Write(ctx, &pprof, "pprof", ""); err != nil {
			t.Fatal(err)
		}
		calls, ticks := columns(t, pprof.String(), "leaf")
		if ticks != cost*calls && ticks != cost*(calls-1) {
			t.Errorf("%d calls of leaf, of %d ticks each: %d ticks", calls, cost, ticks)
		}
		if calls < before {
			t.Errorf("%d calls, after %d", calls, before)
		}
		before = calls
	}
	stop()
	calls := selves(t, folded(t, rec, "calls"))
	if calls["leaf"] < before || calls["leaf"] != 2*calls["twice"] {
		t.Errorf("at the end: %v", calls)
	}
}

// columns are the calls of a function and its own ticks, by toll.
func columns(t testing.TB, pprof, function string) (calls, ticks int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.pb")
	if err := os.WriteFile(path, []byte(pprof), 0o600); err != nil {
		t.Fatal(err)
	}
	for value, to := range map[string]*int{"calls": &calls, "ticks": &ticks} {
		out, err := exec.Command(os.Getenv("TOLL"), "convert", "--to", "folded", "--value", value, "-o", "-", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		*to = selves(t, string(out))[function]
	}
	return calls, ticks
}

// Each call calls one function of the next depth: of a profile that was copied while the guest went on, that would not
// hold. The memory of toll.wasm moves meanwhile.
func TestWhileTheGuestMakesStacksCallsAddUp(t *testing.T) {
	const depth = 15
	rec, m := guest(t, toll.Options{}, nil)
	stop := running(t, m, "walk", depth)
	for i := 0; i < 5; i++ {
		calls, below := map[string]int{}, map[string]int{}
		for _, line := range strings.Split(strings.TrimSpace(folded(t, rec, "calls")), "\n") {
			stack, value, _ := cutLast(line, " ")
			n := good[int](t)(strconv.Atoi(value))
			above, _, _ := cutLast(stack, ";")
			calls[stack] = n
			below[above] += n
		}
		for stack, n := range calls {
			frames := strings.Count(stack, ";")
			if frames > 0 && frames < depth && below[stack] != n && below[stack] != n-1 {
				t.Fatalf("%d calls of %s have made %d", n, stack, below[stack])
			}
		}
	}
	stop()
}

func TestWhileTheGuestMakesNoEventThereIsAProfile(t *testing.T) {
	waits, goOn := make(chan bool), make(chan bool)
	rec, m := guest(t, toll.Options{}, func(what uint32) uint32 {
		if what == 9 {
			waits <- true
			<-goOn
		}
		return what
	})
	done := make(chan error)
	go func() {
		_, err := m.ExportedFunction("ask").Call(ctx, 9)
		done <- err
	}()
	<-waits
	if calls := selves(t, folded(t, rec, "calls")); calls["leaf"] != 1 {
		t.Errorf("in a host function: %v", calls)
	}
	goOn <- true
	if err := <-done; err != nil {
		t.Error(err)
	}

	go func() {
		_, err := m.ExportedFunction("computes").Call(ctx, 200)
		done <- err
	}()
	for selves(t, folded(t, rec, "calls"))["leaf"] < 2 {
		time.Sleep(time.Millisecond) // until the guest has begun
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFromWithinTheGuestsOwnCall(t *testing.T) {
	var rec *toll.Recorder
	var m api.Module
	text := ""
	rec, m = guest(t, toll.Options{}, func(what uint32) uint32 {
		if what == 8 {
			text = folded(t, rec, "calls")
		}
		return what
	})
	call(t, m, "ask", 8)
	if calls := selves(t, text); calls["leaf"] != 1 {
		t.Errorf("%v", calls)
	}
}

func TestPprofReadsARunningGuest(t *testing.T) {
	rec, m := guest(t, toll.Options{}, nil)
	server := httptest.NewServer(http.StripPrefix("/x", rec.Handler()))
	defer server.Close()
	stop := running(t, m, "calls")
	defer stop()

	out, err := exec.Command("go", "tool", "pprof", "-sample_index=calls", "-top", server.URL+"/x/debug/pprof/profile").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "leaf") || !strings.Contains(string(out), "twice") {
		t.Errorf("%v: %s", err, out)
	}
	if text, status := get(t, server.URL+"/x/debug/pprof/"); status != 200 || !strings.Contains(text, "profile?seconds=") {
		t.Errorf("%d %s", status, text)
	}
	for path, wanted := range map[string]int{"profile?format=xyz": 400, "profile?seconds=-1": 400, "profile?seconds=nan": 400, "other": 404,
		"profile?format=folded%00x": 400, "profile?format=html": 400, "profile?format=timeline": 400, "profile?format=folded&value=calls%00": 400} {
		if text, status := get(t, server.URL+"/x/debug/pprof/"+path); status != wanted {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if text, status := get(t, server.URL+"/x/debug/pprof/profile?format=folded&value=calls&seconds=0.05"); status != 200 {
		t.Errorf("%d %s", status, text)
	} else if calls := selves(t, text); calls["leaf"] == 0 || calls["calls_until_stopped"] != 0 {
		t.Errorf("what 0.05 seconds add: %v", calls)
	}
}

// Whoever asks for profiles of a day must not fill the memory: what is too many is refused until one is given up.
func TestTooManyRequestsWhileOthersWait(t *testing.T) {
	rec, m := guest(t, toll.Options{}, nil)
	call(t, m, "work", 1)
	server := httptest.NewServer(rec.Handler())
	defer server.Close()
	other := httptest.NewServer(rec.Handler()) // of the same recorder: it has no requests of its own
	defer other.Close()
	over, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := 0; i < 4; i++ {
		request := good[*http.Request](t)(http.NewRequestWithContext(over, http.MethodGet, server.URL+"/profile?seconds=86400", nil))
		go func() {
			for over.Err() == nil { // again, where the requests below were first
				if response, err := http.DefaultClient.Do(request); err == nil {
					response.Body.Close()
				}
			}
		}()
	}
	status := func(url string) (int, string, string) {
		response := good[*http.Response](t)(http.Get(url))
		defer response.Body.Close()
		return response.StatusCode, response.Header.Get("Retry-After"), string(good[[]byte](t)(io.ReadAll(response.Body)))
	}
	code, after, text := 0, "", ""
	for i := 0; i < 1000 && code != http.StatusServiceUnavailable; i++ {
		time.Sleep(10 * time.Millisecond) // until the four have come
		code, after, text = status(other.URL + "/profile")
	}
	if seconds, err := strconv.Atoi(after); code != 503 || err != nil || seconds < 1 || !strings.Contains(text, "4 profiles are being made") {
		t.Errorf("beside four others: %d, Retry-After %q, %q", code, after, text)
	}
	if code, _, text := status(server.URL + "/"); code != 200 {
		t.Errorf("the index: %d %s", code, text)
	}
	cancel()
	for i := 0; i < 1000 && code != http.StatusOK; i++ {
		time.Sleep(10 * time.Millisecond)
		code, _, text = status(server.URL + "/profile")
	}
	if code != 200 {
		t.Errorf("after the four were given up: %d %s", code, text)
	}
}

func TestARequestThatIsGivenUpEnds(t *testing.T) {
	rec, m := guest(t, toll.Options{}, nil)
	stop := running(t, m, "calls")
	over, cancel := context.WithCancel(ctx)
	cancel()
	if err := rec.Write(over, io.Discard, "folded", ""); err == nil {
		t.Error("no error")
	}
	stop()
	if calls := selves(t, folded(t, rec, "calls")); calls["leaf"] == 0 || calls["leaf"] != 2*calls["twice"] {
		t.Errorf("afterwards: %v", calls)
	}
}
