// watched.go - The events of toll.wasm that mark for other goroutines when they begin and end.

package toll

import (
	_ "embed"
	"strings"
)

//go:embed toll.wasm
var embedded []byte

// tollWasm is toll.wasm with those events under the names that guests know which mark their beginning and end for other
// goroutines: "enter_watched" is exported as "enter". Guests import them from it directly.
var tollWasm = withExports(embedded, func(name string) string {
	switch plain, isWatched := strings.CutSuffix(name, "_watched"); {
	case isWatched:
		return plain
	case hasExport(embedded, name+"_watched"):
		return name + "_alone"
	}
	return name
})

// withExports is a module whose exports have other names.
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
