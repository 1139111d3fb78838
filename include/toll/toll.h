/* toll.h - includes all of Toll's public headers, and states the rules for all of them.
 *
 * version.h   which version this is
 * error.h     how functions fail
 * memory.h    where memory comes from
 * clock.h     nanoseconds that are cheap to read
 * profile.h   what every call stack cost: build, combine, look into
 * recorder.h  events in, profile out: what an adapter for a VM uses
 * embed.h     the same for a VM in ten lines: begin, call, return, end
 * sections.h  named stretches of a program: total, net and heap of each
 * svm.h       the two syscalls by which Solana programs name such stretches
 * timeline.h  the same events in order of time
 * stream.h    files, standard streams, memory
 * format.h    reading and writing files of other tools
 * folded.h    options of the reader of folded stacks: what their numbers are
 * solana.h    options of the readers of Solana's logs and register traces
 * supcom.h    options of the reader of logs of Supreme Commander
 * report.h    text for people
 * tables.h    many profiles as tables for SQL, by way of Apache Arrow
 * debug.h     functions, lines and inlined calls by the address of a program's code
 * wasm.h      WebAssembly modules rewritten so that they report their calls
 *
 * One is for other languages, and not included: embedder.h, what toll.wasm exports.
 *
 * Rules for the arguments of every function, unless its own comment says otherwise:
 *
 *   Objects (a toll_profile *, toll_recorder *, toll_output *, ...) must have been made by a
 *   function of Toll, and not freed yet. This is not checked. Only functions that end in _free,
 *   and those of recorder.h and embed.h, accept NULL; they then do nothing: see there.
 *
 *   Ids and indexes (of columns, frames, threads, nodes, notes, formats, ...) are checked. One that
 *   the object does not have is TOLL_E_ARGUMENT, and nothing has changed. A function that returns
 *   no toll_status returns TOLL_NONE, 0, NULL or empty texts instead. An id is valid
 *   only for the object that returned it.
 *
 *   Texts and structs that are read: NULL is TOLL_E_ARGUMENT; without a toll_status, as above. But
 *   `options` may be NULL, which is as if all of its fields were 0, and `allocator` may: it is then
 *   the C library's. In a struct a text may be NULL where its comment says what that means.
 *
 *   Structs of options begin with their size, so that they can grow. TOLL_..._INIT, the struct's
 *   name in capitals, sets it and leaves all else 0, in C and in C++ from C++11 on:
 *
 *       toll_recorder_options options = TOLL_RECORDER_OPTIONS_INIT;
 *       options.counters = &time;
 *
 *   In C, naming the fields does the same: `{ .size = sizeof options, .counters = &time }`. A
 *   program that was built when a struct was smaller gets the defaults of the fields that came
 *   later. A size of 0, or fields that the library does not know yet: TOLL_E_ARGUMENT.
 *
 *   out is where the result goes. A new object: `out` must not be NULL (TOLL_E_ARGUMENT); after a
 *   failure *out is NULL. An id or a number: `out` may be NULL, the result is then not wanted;
 *   after a failure an id is TOLL_NONE. A function that makes an object is TOLL_MUST_CHECK: the
 *   compiler warns where its status is ignored.
 *
 *   err may be NULL. It is set by every failure.
 *
 * Events of a recorder cannot fail: recorder.h says what is counted instead.
 *
 * Threads: functions may be called by any number of threads at once, as long as no two of them use
 * the same object. An object may move from one thread to another.
 *
 * The comment of each function names the version that introduced it, and any change of its
 * behaviour.
 *
 * Stable are error.h, memory.h, version.h, profile.h, recorder.h, timeline.h, stream.h, format.h,
 * report.h and sections.h: from 1.0 on a program that uses nothing else compiles and runs with
 * every 1.x. Until then each minor version may change them, the changelog says how, and the shared
 * library's name changes.
 *
 * Experimental are clock.h, debug.h, embed.h, embedder.h, folded.h, solana.h, supcom.h, svm.h,
 * tables.h and wasm.h: they may change, or go, in any minor version, also after 1.0, when the
 * shared library's name stays. A program that uses them needs the minor version that it was built
 * with; toll_version_number says which one is loaded.
 *
 * Within one name of the shared library the stable part keeps what a compiled program relies on:
 * functions stay as they are, and structs keep their fields and places. Structs that begin with
 * their size may get new fields at their end; the others do not grow. */
#ifndef TOLL_TOLL_H
#define TOLL_TOLL_H

#include <toll/clock.h>
#include <toll/debug.h>
#include <toll/embed.h>
#include <toll/error.h>
#include <toll/folded.h>
#include <toll/format.h>
#include <toll/memory.h>
#include <toll/profile.h>
#include <toll/recorder.h>
#include <toll/report.h>
#include <toll/sections.h>
#include <toll/solana.h>
#include <toll/stream.h>
#include <toll/supcom.h>
#include <toll/svm.h>
#include <toll/svm_recorder.h>
#include <toll/tables.h>
#include <toll/timeline.h>
#include <toll/version.h>
#include <toll/wasm.h>

#endif
