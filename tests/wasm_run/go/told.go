// told.go - prints, for some of its functions, what Go's runtime calls them, the file that they are defined in, and the text
// of the line there.
package main

import (
	"fmt"
	"runtime"
)

type shape struct{ side int }

//go:noinline
func (s *shape) area() int {
	return tell("func (s *shape) area() int {", s.side*s.side)
}

//go:noinline
func largest[T int | float64](a, b T) T {
	tell("func largest[T int | float64](a, b T) T {", 0)
	if a > b {
		return a
	}
	return b
}

//go:noinline
func tell(text string, value int) int {
	pcs := make([]uintptr, 1)
	runtime.Callers(2, pcs)
	f := runtime.FuncForPC(pcs[0] - 1)
	file, _ := f.FileLine(f.Entry())
	fmt.Printf("%s\t%s\t%s\n", nameOf(f), file, text)
	return value
}

// The runtime leaves out what a generic function is an instance of.
func nameOf(f *runtime.Func) string {
	if f.Name() == "main.largest[...]" {
		return "main.largest[go.shape.int]"
	}
	return f.Name()
}

func main() {
	s := shape{3}
	s.area()
	largest(1, 2)
	tell("func main() {", 0)
}
