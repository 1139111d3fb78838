// switches.go - two goroutines that wait for one another a thousand times.
package main

import "fmt"

//go:noinline
func step(n int) int { return n*7 + 1 }

//go:noinline
func worker(in, out chan int) {
	for n := range in {
		out <- step(n)
	}
	close(out)
}

//go:noinline
func drive(times int) int {
	in, out := make(chan int), make(chan int)
	go worker(in, out)
	sum := 0
	for i := 0; i < times; i++ {
		in <- i
		sum += <-out
	}
	close(in)
	return sum
}

func main() { fmt.Println(drive(1000)) }
