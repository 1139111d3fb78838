// memory.go - The memory of toll.wasm, where other goroutines find it while the guest runs.

package toll

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tetratelabs/wazero/experimental"
)

// A memory is that of an instance of toll.wasm: allocated here, so that another goroutine than the guest's can find it
// while the guest runs. Reading it is for quiet, which says when.
type memory struct {
	bytes  atomic.Pointer[[]byte]
	moving sync.Mutex // while the bytes are copied to where there is more room, and while another goroutine stores a word
}

// Allocate makes m the allocator of one memory: its own.
func (m *memory) Allocate(capacity, _ uint64) experimental.LinearMemory {
	bytes := make([]byte, 0, capacity)
	m.bytes.Store(&bytes)
	return m
}

// Reallocate grows the memory by half as much again at least, so that its bytes are not copied for every page.
func (m *memory) Reallocate(size uint64) []byte {
	m.moving.Lock()
	defer m.moving.Unlock()
	bytes := *m.bytes.Load()
	if size > uint64(cap(bytes)) {
		bytes = append(make([]byte, 0, max(size, uint64(cap(bytes))*3/2)), bytes...)
	}
	bytes = bytes[:size]
	m.bytes.Store(&bytes)
	return bytes
}

// Free leaves the bytes to the garbage collector.
func (m *memory) Free() {}

// word is the word of 32 bits at an address that is a multiple of 4, in the memory's present bytes.
func (m *memory) word(at uint32) *uint32 {
	return (*uint32)(unsafe.Pointer(&(*m.bytes.Load())[at]))
}

// store changes such a word, also if the guest lets the memory grow meanwhile.
func (m *memory) store(at, value uint32) {
	m.moving.Lock()
	defer m.moving.Unlock()
	atomic.StoreUint32(m.word(at), value)
}

func (m *memory) copied() []byte {
	return append([]byte(nil), *m.bytes.Load()...)
}
