// runner.go FOLDER [LACKS...] - runs FOLDER/cases.txt with toll-go/wazero, and prints what happens. See cases.txt.

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	toll "github.com/tollprof/toll-go/wazero"
)

var (
	ctx   = context.Background()
	cache = wazero.NewCompilationCache() // of toll.wasm, above all
)

func plain(err error) string { return strings.TrimPrefix(err.Error(), "toll: ") }

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// A test is a case.
type test struct {
	name, guest string
	options     toll.Options
	host        map[string][]string
	runtime     wazero.Runtime
	recorder    *toll.Recorder
	instances   []api.Module
	current     []int
	profiles    int
}

func (t *test) option(name, value string) {
	value = strings.ReplaceAll(value, ";", "\n")
	switch o := &t.options; name {
	case "heap":
		o.Heap = true
	case "lines":
		o.Lines = true
	case "inlines":
		o.Inlines = true
	case "no_debug":
		o.NoDebug = true
	case "no_ticks":
		o.NoTicks = true
	case "only":
		o.Only = value
	case "skip":
		o.Skip = value
	case "costs":
		o.Costs = value
	case "labels":
		o.Labels = value
	case "depth":
		o.Depth = uint32(number(value))
	default:
		panic("option " + name)
	}
}

func (t *test) begin(folder string) bool {
	t.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache))
	wasi_snapshot_preview1.MustInstantiate(ctx, t.runtime)
	_, err := t.runtime.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(t.asked).Export("host").Instantiate(ctx)
	if err != nil {
		panic(err)
	}
	module, err := os.ReadFile(filepath.Join(folder, t.guest+".wasm"))
	if err != nil {
		panic(err)
	}
	t.options.Name = "guest.wasm"
	if t.recorder, err = toll.NewRecorder(ctx, t.runtime, module, t.options); err != nil {
		fmt.Println("recorder failed: " + plain(err))
	}
	return err == nil
}

func (t *test) asked(n int32) int32 {
	what, ok := t.host[strconv.Itoa(int(n))]
	if !ok {
		return n
	}
	rest, own := what[1:], t.current[len(t.current)-1]
	switch what[0] {
	case "return":
		if len(rest) > 1 {
			t.host[strconv.Itoa(int(n))] = append([]string{"return"}, rest[1:]...)
		}
		return int32(number(rest[0]))
	case "fail":
		panic(errors.New("the host fails"))
	case "other":
		own, rest = number(rest[0]), rest[1:]
	}
	result, err := t.call(own, rest)
	if err != nil && what[0] == "catch" {
		if _, err = t.call(own, []string{"leaf"}); err != nil {
			panic(err)
		}
		return -1
	}
	if err != nil {
		panic(err)
	}
	return int32(uint32(result[0]))
}

func (t *test) call(i int, nameAndArgs []string) ([]uint64, error) {
	t.current = append(t.current, i)
	defer func() { t.current = t.current[:len(t.current)-1] }()
	var args []uint64
	for _, arg := range nameAndArgs[1:] {
		args = append(args, api.EncodeI32(int32(number(arg))))
	}
	return t.instances[i].ExportedFunction(nameAndArgs[0]).Call(ctx, args...)
}

func (t *test) instance() {
	i := len(t.instances)
	t.instances, t.current = append(t.instances, nil), append(t.current, i)
	m, err := t.recorder.Instantiate(ctx, wazero.NewModuleConfig().WithName(""))
	t.current = t.current[:len(t.current)-1]
	if err != nil {
		fmt.Printf("instance %d: failed\n", i)
		return
	}
	t.instances[i] = m
	fmt.Printf("instance %d: made\n", i)
}

func (t *test) step(word string, rest []string) {
	switch word {
	case "instance":
		t.instance()
	case "end":
		for _, m := range t.instances {
			if m != nil {
				_ = m.Close(ctx)
			}
		}
	case "folded":
		t.folded(rest[0])
	case "call":
		t.called(number(rest[0]), rest[1:])
	case "profile", "lines", "sum":
		file := fmt.Sprintf("%s.%d.pb", t.name, t.profiles)
		t.profiles++
		var profile bytes.Buffer
		if err := t.recorder.Write(ctx, &profile, "pprof", ""); err != nil {
			panic(err)
		}
		if err := os.WriteFile(file, profile.Bytes(), 0o666); err != nil {
			panic(err)
		}
		fmt.Println(word, file)
	default:
		panic("step " + word)
	}
}

func (t *test) folded(value string) {
	var text bytes.Buffer
	if err := t.recorder.Write(ctx, &text, "folded", value); err != nil {
		fmt.Printf("folded %s failed: %s\n", value, plain(err))
		return
	}
	fmt.Printf("folded %s:\n%s\n", value, strings.TrimSpace(text.String()))
}

func (t *test) called(i int, nameAndArgs []string) {
	what := nameAndArgs[0] + "(" + strings.Join(nameAndArgs[1:], ",") + ")"
	switch result, err := t.call(i, nameAndArgs); {
	case err != nil:
		fmt.Println(what + " failed")
	case len(result) == 0:
		fmt.Println(what + " returned")
	default:
		fmt.Println(what, "=", int32(uint32(result[0])))
	}
}

func run(folder, name string, lines, lacks []string) {
	fmt.Println("case " + name)
	t, isBegun, isReady := &test{name: name, host: map[string][]string{}}, false, false
	for _, line := range lines {
		words := strings.Split(line, " ")
		switch rest := words[1:]; words[0] {
		case "":
		case "needs":
			if slices.Contains(lacks, rest[0]) {
				fmt.Println("lacks " + rest[0])
				return
			}
		case "guest":
			t.guest = rest[0]
		case "option":
			t.option(rest[0], strings.Join(rest[1:], " "))
		case "host":
			t.host[rest[0]] = rest[1:]
		default:
			if !isBegun {
				isBegun, isReady = true, t.begin(folder)
				defer t.runtime.Close(ctx)
			}
			if isReady {
				t.step(words[0], rest)
			}
		}
	}
}

func main() {
	folder, lacks := os.Args[1], os.Args[2:]
	cases, err := os.ReadFile(filepath.Join(folder, "cases.txt"))
	if err != nil {
		panic(err)
	}
	for _, text := range strings.Split(string(cases), "\ncase ")[1:] {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		run(folder, lines[0], lines[1:], lacks)
	}
}
