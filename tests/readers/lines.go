// lines - allocates in several lines, in inlined functions, in recursion and in a function literal, and
// writes what each line allocated, every block of it, to the file that is named.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

var kept [][]byte

// Exact: every allocation is sampled, from the first one on.
func init() { runtime.MemProfileRate = 1 }

func keep(b []byte) {
	kept = append(kept, b)
}

//go:noinline
func several(n int) {
	for i := 0; i < n; i++ {
		keep(make([]byte, 100))
		keep(append(make([]byte, 1000), make([]byte, 3000)...))
	}
}

//go:noinline
func deeper(n int) {
	if n == 0 {
		several(7)
		return
	}
	keep(make([]byte, 64))
	deeper(n - 1)
	several(1)
}

func main() {
	for i := 0; i < 3; i++ {
		several(10)
	}
	deeper(5)
	func() {
		keep(make([]byte, 4096))
	}()
	out, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup("allocs").WriteTo(out, 0); err != nil {
		panic(err)
	}
	out.Close()
}
