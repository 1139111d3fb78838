// section.go - Reads the sections and exports of a module in the binary format.

package toll

import "bytes"

// A cursor reads a module in the binary format. It ends where the module is damaged: the runtime
// reports what is wrong.
type cursor struct{ left []byte }

func (c *cursor) number() uint32 {
	var value uint32
	for shift := 0; len(c.left) > 0 && shift < 35; shift += 7 {
		b := c.left[0]
		c.left = c.left[1:]
		value |= uint32(b&127) << shift
		if b < 128 {
			return value
		}
	}
	c.left = nil
	return 0
}

func (c *cursor) block() []byte {
	size := c.number()
	if uint64(size) > uint64(len(c.left)) {
		c.left = nil
		return nil
	}
	block := c.left[:size]
	c.left = c.left[size:]
	return block
}

const (
	wasmHeader      = "\x00asm\x01\x00\x00\x00"
	exportSectionID = 7
)

// sections calls visit with each section of a module, until visit returns false.
func sections(module []byte, visit func(id uint32, content cursor) bool) {
	if !bytes.HasPrefix(module, []byte(wasmHeader)) {
		return
	}
	for c := (cursor{module[len(wasmHeader):]}); len(c.left) > 0; {
		id := c.number()
		if !visit(id, cursor{c.block()}) {
			return
		}
	}
}

// hasExport returns whether a module has an export of that name.
func hasExport(module []byte, name string) (has bool) {
	sections(module, func(id uint32, c cursor) bool {
		if id != exportSectionID {
			return true
		}
		for count := c.number(); count > 0 && len(c.left) > 0; count-- {
			has = has || string(c.block()) == name
			c.number() // its kind
			c.number() // and index
		}
		return false
	})
	return has
}
