// memory.go - The memory of toll.wasm, which other goroutines read while the guest runs.

package toll

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tetratelabs/wazero/experimental"
)

// A memory is that of an instance of toll.wasm. It is allocated here, so that goroutines other than
// the guest's know where it is. They may read it only inside quiet.
type memory struct {
	bytes  atomic.Pointer[[]byte]
	moving sync.Mutex // held while growth moves the bytes, and while another goroutine stores a word
}

// Allocate makes the memory. An allocator m serves only this one.
func (m *memory) Allocate(capacity, _ uint64) experimental.LinearMemory {
	bytes := make([]byte, 0, capacity)
	m.bytes.Store(&bytes)
	return m
}

// Reallocate grows the memory by at least half of its size, so that its bytes are not copied for
// every page.
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

// word returns the word of 32 bits at an address, a multiple of 4, in the memory's current bytes.
func (m *memory) word(at uint32) *uint32 {
	return (*uint32)(unsafe.Pointer(&(*m.bytes.Load())[at]))
}

// store changes such a word. The guest may grow the memory at the same time.
func (m *memory) store(at, value uint32) {
	m.moving.Lock()
	defer m.moving.Unlock()
	atomic.StoreUint32(m.word(at), value)
}

func (m *memory) copied() []byte {
	return append([]byte(nil), *m.bytes.Load()...)
}
