/* toll_luau.h - samples the scripts of a Luau virtual machine. For programs that embed one: compile
 * toll_luau.c with the program, and link libtoll.
 *
 *     toll_luau *samples;
 *     toll_error err;
 *     if (toll_luau_start(L, NULL, &samples, &err))
 *         fprintf(stderr, "%s\n", err.text);
 *     ...                                        scripts run
 *     toll_luau_stop(samples, L, "run.pb.gz", &err);
 *
 * Luau has no hooks for calls, so there are no counts: a sample is taken `hz` times a second, at
 * the next safe point of the virtual machine (a call, a return, a loop's next round, a step of the
 * garbage collector). Its stack is charged with the thread's CPU time since the sample before, so
 * that the sum is the CPU time of the recording, without what the program waits. A function in C
 * has no safe points; its time is charged to the function that has called it, or to the one that
 * runs next.
 *
 * A program that does other work in that thread between its scripts, as a game does, says where
 * they begin and end: toll_luau_enter and toll_luau_leave. That work is then charged to no
 * function. Without this it is charged to the script that runs next.
 *
 * Between samples scripts run at full speed: nothing is called, and no code differs. A thread of
 * the adapter sets lua_callbacks(L)->interrupt at each interval, which Luau allows, and a sample
 * takes that back. The program may have an interrupt of its own, which is then called after each
 * sample, and at all other safe points as without the adapter.
 *
 * Needs POSIX threads. C++ programs whose Luau has C++ names (it was built without LUAU_EXTERN_C)
 * compile toll_luau.c as C++, and include this file after Luau's lua.h in any case.
 *
 * All functions are for the thread that runs the virtual machine. The machine may move to another
 * thread; what it used there before its first sample is then not charged. Several machines may be
 * sampled at once, each with a recording of its own. Experimental: see toll.h. */
#ifndef TOLL_LUAU_H
#define TOLL_LUAU_H

#include <toll/error.h>

#include "lua.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toll_luau toll_luau;

typedef struct toll_luau_options {
    uint32_t hz;  /* samples a second of wall time, 1 to 10000; 0: 250 */
    int no_lines; /* 1: functions only; 0: also the line at which each function is */
} toll_luau_options;

/* Start to take samples of all scripts and coroutines of L's machine.
 *   options  NULL: as if all fields were 0; else all of its bytes must be set
 *   out      freed by toll_luau_stop; NULL after a failure
 * Errors: TOLL_E_ARGUMENT (hz; the machine is sampled already), TOLL_E_NOMEM, TOLL_E_UNSUPPORTED
 * (no clock of CPU time, or no thread can be started). */
toll_status toll_luau_start(lua_State *L, const toll_luau_options *options, toll_luau **out,
                            toll_error *err);

/* The program runs scripts from here on. What passed since toll_luau_leave is charged to no
 * function. May be nested. With NULL nothing happens; takes the time of a system call. */
void toll_luau_enter(toll_luau *luau);

/* The outermost of the scripts has ended, or has yielded. */
void toll_luau_leave(toll_luau *luau);

/* Write what was recorded so far to a file, whose name says the format: run.pb.gz, run.folded,
 * run.html. Sampling goes on.
 *   L  the running coroutine, or the machine's main one: the time since the last sample is charged
 *      to its stack
 * Errors: as toll_profile_save. */
toll_status toll_luau_save(toll_luau *luau, lua_State *L, const char *path, toll_error *err);

/* The same, and end the recording. NULL is fine. Call it before lua_close.
 *   path  NULL: nothing is written
 * Errors: as toll_profile_save; the recording is freed in any case. */
toll_status toll_luau_stop(toll_luau *luau, lua_State *L, const char *path, toll_error *err);

#ifdef __cplusplus
}
#endif
#endif
