/* toll.h - all of Toll's public headers.
 *
 * version.h   which version this is
 * error.h     how functions fail
 * memory.h    where memory comes from
 * profile.h   what every call stack cost: build, combine, look into
 * recorder.h  events in, profile out: what an adapter for a VM uses
 * sections.h  named stretches of a program: total, net and heap of each
 * svm.h       the two syscalls by which Solana programs name such stretches
 * timeline.h  the same events in order of time
 * stream.h    files, standard streams, memory
 * format.h    reading and writing files of other tools
 * report.h    text for people
 * wasm.h      WebAssembly modules that tell of their calls
 *
 * What holds for the arguments of every function, unless its own comment says otherwise:
 *
 *   Objects (a toll_profile *, toll_recorder *, toll_output *, ...) are what a function of Toll has
 *   made, and not freed yet. This is not checked. Only functions that end in _free take NULL; they
 *   then do nothing.
 *
 *   Ids and indexes (of columns, frames, threads, nodes, notes, formats, ...) are checked. One that
 *   the object does not have is TOLL_E_ARGUMENT, and nothing has changed. A function that returns
 *   no toll_status returns TOLL_NONE, 0, NULL or empty texts instead. An id means nothing to any
 *   other object than the one that gave it.
 *
 *   Texts and structs that are read: NULL is TOLL_E_ARGUMENT; without a toll_status, as above. But
 *   `options` may be NULL, which is as if all of its fields were 0, and `allocator` may: it is then
 *   the C library's. In a struct a text may be NULL where its comment says what that means.
 *
 *   Structs of options begin with their size, so that they can grow: set it, name the fields that
 * you want, and leave the others 0.
 *
 *       toll_recorder_options options = { .size = sizeof options, .counters = &time, ... };
 *
 *   In C++ before C++20: `toll_recorder_options options = {}; options.size = sizeof options;`. A
 *   program that was built when a struct was smaller gets the defaults of the fields that came
 *   later. A size of 0, or fields that the library does not know yet: TOLL_E_ARGUMENT.
 *
 *   out is where the result goes. A new object: `out` must not be NULL (TOLL_E_ARGUMENT); after a
 *   failure *out is NULL. An id or a number: `out` may be NULL, the result is then not wanted;
 *   after a failure an id is TOLL_NONE.
 *
 *   err may be NULL. It is set by every failure.
 *
 * Events of a recorder cannot fail: recorder.h says what is counted instead. */
#ifndef TOLL_TOLL_H
#define TOLL_TOLL_H

#include <toll/error.h>
#include <toll/format.h>
#include <toll/memory.h>
#include <toll/profile.h>
#include <toll/recorder.h>
#include <toll/report.h>
#include <toll/sections.h>
#include <toll/stream.h>
#include <toll/svm.h>
#include <toll/timeline.h>
#include <toll/version.h>
#include <toll/wasm.h>

#endif
