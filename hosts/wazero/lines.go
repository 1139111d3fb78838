// lines.go - Passes to toll.wasm how often basic blocks have run, and the module's DWARF; labels and notes of profiles.

package toll

import (
	"context"
	"encoding/binary"
)

// gather passes to toll.wasm how often each basic block of the instance has run. The caller holds
// the gate, and no call is in progress.
func (rec *recording) gather() {
	l, background := rec.library, context.Background()
	count := l.call(background, "counters")
	if rec.executions == nil || count == 0 {
		return
	}
	counts := make([]byte, 0, 8*(count+countersOfPage))
	for page := uint64(0); page*countersOfPage < count; page++ {
		if !rec.page(page, &counts) {
			rec.executions = nil
			l.note("instances that ended before their counts of lines were read: the cost of their lines is not known")
			return
		}
	}
	_ = l.with(background, func(at ...uint64) error {
		l.call(background, "executions", at[0], count)
		return nil
	}, counts)
}

// page appends the counters of a page. isKnown is false if the instance is closed, and its runtime
// runs no function of it.
func (rec *recording) page(page uint64, counts *[]byte) (isKnown bool) {
	const none = ^uint64(0)
	var stack [countersOfPage]uint64
	stack[0], stack[countersOfPage-1] = page, none
	err := rec.executions.CallWithStack(context.Background(), stack[:])
	if err != nil && stack[countersOfPage-1] == none {
		return false
	}
	for _, count := range stack {
		*counts = binary.LittleEndian.AppendUint64(*counts, count)
	}
	return true
}

// readDebugInfo makes toll.wasm write lines in place of addresses, by the DWARF of the original module.
func (l *library) readDebugInfo(ctx context.Context, module []byte, o *Options) error {
	return l.with(ctx, func(at ...uint64) error {
		return l.check(ctx, "debug_info", at[0], uint64(len(module)), at[1], at[2], flag(o.Inlines, 1))
	}, module, cString(o.Name), cString(o.Costs))
}

// label sets the labels of everything that is written.
func (l *library) label(ctx context.Context, labels string) error {
	return l.with(ctx, func(at ...uint64) error { return l.check(ctx, "labels", at[0]) }, cString(labels))
}

// note adds a note to the profile, counted once.
func (l *library) note(text string) {
	_ = l.with(context.Background(), func(at ...uint64) error {
		return l.check(context.Background(), "note", at[0], 1)
	}, cString(text))
}
