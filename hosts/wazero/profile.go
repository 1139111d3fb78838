// profile.go - Writes profiles to files and streams.

package toll

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Profile writes the profile so far to a file. Its name determines the format: .pb.gz (pprof),
// .folded, .speedscope.json, .callgrind and others, also followed by .gz. Instances may be running.
// The file appears whole or not at all. A pipe or device is written directly.
func (r *Recorder) Profile(ctx context.Context, path string) error {
	format, err := r.formatOf(ctx, path)
	if err != nil {
		return err
	}
	file, commit, err := create(path)
	if err != nil {
		return fmt.Errorf("toll: %w", err)
	}
	err = r.write(ctx, file, written{format: format, isCompressed: strings.HasSuffix(path, ".gz")})
	if err == nil {
		err = toDisk(file)
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	return commit(err)
}

// toDisk syncs a regular file to the disk, before it gets its name.
func toDisk(file *os.File) error {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	return file.Sync()
}

// create opens the file to write. It is a new file beside path, which commit renames to path, or
// removes after an error; or path itself, if that is not a regular file.
func create(path string) (file *os.File, commit func(error) error, err error) {
	mode := os.FileMode(0o666)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			file, err = os.OpenFile(path, os.O_WRONLY, 0)
			return file, func(err error) error { return err }, err
		}
		mode = info.Mode().Perm()
	}
	folder, name := filepath.Split(path)
	for range 100 {
		beside := fmt.Sprintf("%s%.100s.%016x.tmp", folder, name, rand.Uint64())
		file, err = os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, os.ErrExist) {
			break
		}
	}
	return file, func(err error) error {
		if err == nil {
			err = os.Rename(file.Name(), path)
			if dir, opening := os.Open(filepath.Dir(path)); opening == nil {
				_ = dir.Sync() // where the system can sync a folder
				_ = dir.Close()
			}
		}
		if err != nil {
			_ = os.Remove(file.Name())
		}
		return err
	}, err
}

func (r *Recorder) formatOf(ctx context.Context, path string) (format string, err error) {
	l, err := newLibrary(ctx, r, func() float64 { return 0 })
	if err != nil {
		return "", err
	}
	defer l.close(ctx)
	err = l.with(ctx, func(at ...uint64) error { return l.check(ctx, "format_of", at[0]) }, cString(path))
	return string(bytes.TrimRight(l.bytes(ctx, "result", "result_size"), "\x00")), err
}

// Write writes the profile so far in a format: pb.gz, pprof, folded, speedscope, perfview,
// callgrind. `value` is the column for formats that keep only one, such as "calls"; "" is the
// default one. Instances may be running; their cost since the last call or return of a function is
// not included.
func (r *Recorder) Write(ctx context.Context, to io.Writer, format, value string) error {
	if format == "pb.gz" {
		return r.write(ctx, to, written{format: "pprof", value: value, isCompressed: true})
	}
	return r.write(ctx, to, written{format: format, value: value})
}

// How a profile is written.
type written struct {
	format, value string
	isCompressed  bool   // by gzip
	base          []byte // an earlier profile in pprof's format, with addresses, which is subtracted; nil: none
	isMoment      bool   // to be the base of a later one: with all stacks, with addresses in place of lines, without labels
}

func (r *Recorder) write(ctx context.Context, to io.Writer, what written) (err error) {
	if err := withoutNUL(what.format, what.value); err != nil {
		return err
	}
	if what.isCompressed {
		compressed := gzip.NewWriter(to)
		defer func() {
			if closing := compressed.Close(); err == nil {
				err = closing
			}
		}()
		to = compressed
	}
	sink := func(piece []byte) error {
		if ctx.Err() != nil { // toll.wasm does not end with ctx
			return ctx.Err()
		}
		_, err := to.Write(piece)
		return err
	}
	l, err := r.sum(ctx)
	if err != nil {
		return err
	}
	defer l.close(ctx)
	if r.source != nil && !what.isMoment {
		if err := l.readDebugInfo(ctx, r.source, &r.options); err != nil {
			return err
		}
	}
	if what.base == nil {
		return l.profile(ctx, what, sink)
	}
	err = l.with(ctx, func(at ...uint64) error { return l.check(ctx, "mark_profile", at[0], uint64(len(what.base))) }, what.base)
	if err != nil {
		return err
	}
	return l.profile(ctx, what, sink)
}

// sum makes an instance of toll.wasm that contains the sum of all recordings.
func (r *Recorder) sum(ctx context.Context) (*library, error) {
	r.mutex.Lock()
	recordings := append([]*recording(nil), r.recordings...)
	r.mutex.Unlock()
	if len(recordings) == 1 {
		return recordings[0].copied(ctx)
	}
	sum, err := newLibrary(ctx, r, func() float64 { return 0 })
	for _, rec := range recordings {
		if err == nil {
			err = sum.add(ctx, rec)
		}
	}
	if err != nil && sum != nil {
		sum.close(ctx)
	}
	return sum, err
}

func (l *library) add(ctx context.Context, rec *recording) error {
	from, err := rec.copied(ctx)
	if err != nil {
		return err
	}
	defer from.close(ctx)
	var pprof []byte
	err = from.profile(ctx, written{format: "pprof"}, func(piece []byte) error { pprof = append(pprof, piece...); return nil })
	if err != nil {
		return err
	}
	return l.with(ctx, func(at ...uint64) error { return l.check(ctx, "add", at[0], uint64(len(pprof))) }, pprof)
}

// copied makes an instance of toll.wasm with a copy of the recording's memory. So the guest only
// waits for the copying, and not for the writing of the profile.
func (rec *recording) copied(ctx context.Context) (*library, error) {
	var content []byte
	var hasOldLines bool
	err := rec.quiet(ctx, func() {
		content = rec.library.memory.copied()
		hasOldLines = rec.calls > 0 && rec.executions != nil
	})
	if err != nil {
		return nil, fmt.Errorf("toll: no moment was found between two events: %w", err)
	}
	l, err := newLibrary(ctx, rec.recorder, func() float64 { return float64(time.Since(rec.began)) })
	if err != nil {
		return nil, err
	}
	memory := l.module.Memory()
	if size := uint32(len(content)); size > memory.Size() {
		memory.Grow((size - memory.Size()) / wasmPage)
	}
	if !memory.Write(0, content) {
		l.close(ctx)
		return nil, errors.New("toll: no memory for a copy of the profile")
	}
	if hasOldLines {
		l.note("instances in a call: their lines are those of the last profile between two calls")
	}
	return l, nil
}

const wasmPage = 65536

// profile lets toll.wasm write the profile; with a base, the difference to that.
func (l *library) profile(ctx context.Context, what written, sink func([]byte) error) error {
	l.sink = sink
	return l.with(ctx, func(at ...uint64) error {
		switch {
		case what.isMoment:
			return l.check(ctx, "moment", profileFD)
		case what.base != nil:
			return l.check(ctx, "since", profileFD, at[0], at[1])
		}
		return l.check(ctx, "profile", profileFD, at[0], at[1], 0)
	}, cString(what.format), cString(what.value))
}
