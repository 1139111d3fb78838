/* output_name.h - the name of the file that toll.start's `output` names: two Lua states of a
 * process never have the same one.
 *
 * In `output`, %p is the process's id, %n the number of the state among those of the process that
 * have named the same file, from 1 on, %t the kernel's number of the thread that has named it, and
 * %% a percent sign. Without %n the second state's file is NAME-2.EXTENSION, and so on. A state
 * that names a file again writes the same one, unless toll.control turns its recordings on and off:
 * then each of them has a number. */
#ifndef TOLL_LUA_OUTPUT_NAME_H
#define TOLL_LUA_OUTPUT_NAME_H

#include "lua_profiler.h"

/* Set p->kept to the absolute path of the output of `o`, since the program may change its working
 * directory; NULL: there is no output. False: no memory. */
bool host_set_output(profiler *p, const host_options *o);

/* Does the name contain the process's id? */
bool host_names_process(const char *name);

/* In a forked process, whose files have other names by %p: let the numbers begin anew; and give p,
 * which has an output, its new one. */
void host_forget_numbers(void);
void host_number_again(profiler *p);

/* Write the name of the file to `path`. May be called in a signal's handler. False: it is too
 * long. */
bool host_output_path(const profiler *p, char *path, size_t size);

#endif
