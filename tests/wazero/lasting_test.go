package tests

import (
	"context"
	"io"
	"os"
	"path/filepath"
	gort "runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	toll "github.com/tollprof/toll-go/wazero"
)

// A writer that gives up what is written to it.
type givesUp struct{ cancel func() }

func (w givesUp) Write(piece []byte) (int, error) {
	w.cancel()
	time.Sleep(10 * time.Millisecond) // wazero notices it in a goroutine of its own
	return len(piece), nil
}

func TestARequestThatIsGivenUpEndsNoRecording(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache).WithCloseOnContextDone(true))
	t.Cleanup(func() { r.Close(ctx) })
	var none api.Module
	host(t, r, &none, nil)
	rec := good[*toll.Recorder](t)(toll.NewRecorder(ctx, r, file(t, "guest.wasm"), toll.Options{}))
	m := good[api.Module](t)(rec.Instantiate(ctx, wazero.NewModuleConfig()))
	call(t, m, "work", 1)
	over, cancel := context.WithCancel(ctx)
	_ = rec.Write(over, givesUp{cancel}, "pprof", "")
	for wait := time.Duration(0); wait < 5*time.Millisecond; wait += 100 * time.Microsecond { // at any moment of it
		short, cancel := context.WithTimeout(ctx, wait)
		_ = rec.Write(short, io.Discard, "pprof", "")
		cancel()
	}
	call(t, m, "work", 1)
	if calls := selves(t, folded(t, rec, "calls")); calls["work"] != 2 {
		t.Errorf("afterwards: %v", calls)
	}
}

func TestProfilesTakeNoMemoryThatIsKept(t *testing.T) {
	rec, m := guest(t, toll.Options{}, nil)
	call(t, m, "work", 1)
	kept := func(profiles int) int {
		for i := 0; i < profiles; i++ {
			folded(t, rec, "calls")
		}
		gort.GC()
		var memory gort.MemStats
		gort.ReadMemStats(&memory)
		return int(memory.HeapAlloc)
	}
	before := kept(10)
	if after := kept(100); after > before+10<<20 {
		t.Errorf("100 profiles keep %d bytes", after-before)
	}
}

func TestThePathMayBeALinkOrAPipe(t *testing.T) {
	rec, m := guest(t, toll.Options{}, nil)
	call(t, m, "work", 1)
	wanted := folded(t, rec, "ticks")
	folder := t.TempDir()
	target, link, pipe := filepath.Join(folder, "target"), filepath.Join(folder, "link.folded"), filepath.Join(folder, "pipe.folded")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := rec.Profile(ctx, link); err != nil {
		t.Fatal(err)
	}
	if info := good[os.FileInfo](t)(os.Stat(target)); string(file(t, target)) != wanted || info.Mode() != 0o600 {
		t.Errorf("by a link: %v %q", info.Mode(), file(t, target))
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		content, _ := os.ReadFile(pipe)
		read <- string(content)
	}()
	if err := rec.Profile(ctx, pipe); err != nil {
		t.Fatal(err)
	}
	if info := good[os.FileInfo](t)(os.Stat(pipe)); info.Mode().IsRegular() {
		t.Error("the pipe is a file now")
	} else if got := <-read; got != wanted {
		t.Errorf("through a pipe: %q", got)
	}
	if left := good[[]os.DirEntry](t)(os.ReadDir(folder)); len(left) != 3 {
		t.Errorf("what is left: %v", left)
	}
	if err := rec.Profile(ctx, filepath.Join(folder, strings.Repeat("x", 240)+".folded")); err != nil {
		t.Error(err)
	}
}
