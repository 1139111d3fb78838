// watched.go - Makes guests call those event functions of toll.wasm that mark their begin and end
// for other goroutines.

package toll

import (
	_ "embed"
	"strings"
)

//go:embed toll.wasm
var embedded []byte

// tollWasm is toll.wasm with other export names: "enter_watched" is exported as "enter", and so on.
// Guests import the events from it directly, so they call the functions that mark begin and end for
// other goroutines (see quiet). In clockedWasm that is "enter_clocked_watched": for time by windows.
var (
	tollWasm    = preferring(embedded, "_watched")
	clockedWasm = preferring(tollWasm, "_clocked")
)

// preferring returns the module with each function whose name ends like this in place of the one
// without the ending.
func preferring(module []byte, ending string) []byte {
	return withExports(module, func(name string) string {
		switch plain, isPreferred := strings.CutSuffix(name, ending); {
		case isPreferred:
			return plain
		case hasExport(module, name+ending):
			return name + "_without" + ending
		}
		return name
	})
}

// withExports returns the module with renamed exports.
func withExports(module []byte, rename func(name string) string) []byte {
	all := append([]byte(nil), module[:len(wasmHeader)]...)
	sections(module, func(id uint32, c cursor) bool {
		content := c.left
		if id == exportSectionID {
			count := c.number()
			content = leb128(nil, count)
			for ; count > 0; count-- {
				name := rename(string(c.block()))
				content = append(leb128(content, uint32(len(name))), name...)
				content = leb128(leb128(content, c.number()), c.number()) // its kind and index
			}
		}
		all = append(leb128(append(all, byte(id)), uint32(len(content))), content...)
		return true
	})
	return all
}

func leb128(to []byte, n uint32) []byte {
	for ; n > 127; n >>= 7 {
		to = append(to, byte(n)|128)
	}
	return append(to, byte(n))
}
