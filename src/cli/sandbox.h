/* sandbox.h - makes a process give up rights for good: the system then refuses what was not allowed
 * before. sandbox_linux.c uses Landlock, sandbox_filter.c seccomp; sandbox_none.c is for other
 * systems, where nothing is given up. confine.c decides which files the command needs. */
#ifndef TOLL_CLI_SANDBOX_H
#define TOLL_CLI_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

typedef enum toll_sandbox_right {
    TOLL_SANDBOX_READ = 1, /* read the file; or, in a folder, read every file and list folders */
    TOLL_SANDBOX_WRITE = 2 /* write the file; or, in a folder, write, make, rename and delete
                            * files */
} toll_sandbox_right;

typedef struct toll_sandbox {
    int rules;          /* descriptor of the Landlock rules; -1: no rules */
    int version;        /* Landlock's version */
    bool has_forbidden; /* a path was allowed here that file permissions forbid */
    char text[100];     /* what confines the process, or why nothing does, for --version */
} toll_sandbox;

/* Begin a list of allowed paths. This cannot fail: `text` says what the system does not support,
 * and the process continues with the rights that it has. */
void toll_sandbox_begin(toll_sandbox *sandbox);

/* Allow the process to use the file or folder at `path`. A path that does not exist is ignored. */
void toll_sandbox_allow(toll_sandbox *sandbox, const char *path, unsigned rights);

/* Confine this thread, and each that it starts later: they can do only what was allowed; and cannot
 * use a socket, start a program, or change another process or a file's mode, owner or times. `mode`
 * is the one mode that it may set (-1: none), that of an output that is replaced. Call it while the
 * process has only one thread. */
void toll_sandbox_enter(toll_sandbox *sandbox, int mode);

/* Text to append to a message, if `text` reports a refusal that confinement may have caused; else
 * "". */
const char *toll_sandbox_refused(const char *text);

/* Refuse the system calls that have nothing to do with files (sandbox_filter.c). NULL: done; else
 * why not. */
const char *toll_sandbox_filter_calls(int mode);

#endif
