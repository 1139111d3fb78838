/* toll.h - all of Toll's public headers.
 *
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
 * sbf.h       folders of register traces of Solana programs */
#ifndef TOLL_TOLL_H
#define TOLL_TOLL_H

#include <toll/error.h>
#include <toll/format.h>
#include <toll/memory.h>
#include <toll/profile.h>
#include <toll/recorder.h>
#include <toll/report.h>
#include <toll/sbf.h>
#include <toll/sections.h>
#include <toll/stream.h>
#include <toll/svm.h>
#include <toll/timeline.h>
#include <toll/wasm.h>

#endif
