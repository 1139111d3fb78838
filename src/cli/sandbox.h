/* sandbox.h - a process gives rights up, for good: what it has not allowed beforehand, the system
 * refuses. sandbox_linux.c does it by Landlock, and sandbox_filter.c by seccomp; sandbox_none.c is
 * for systems other than Linux, where nothing is given up. Which files the command needs is for
 * confine.c. */
#ifndef TOLL_CLI_SANDBOX_H
#define TOLL_CLI_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

typedef enum toll_sandbox_right {
    TOLL_SANDBOX_READ = 1, /* read the file; or every file below the folder, and list folders */
    TOLL_SANDBOX_WRITE = 2 /* write the file; or write, make, rename and delete files below it */
} toll_sandbox_right;

typedef struct toll_sandbox {
    int rules;          /* descriptor of the Landlock rules; -1: none */
    int version;        /* of Landlock */
    bool has_forbidden; /* something was allowed here that file permissions forbid all the same */
    char text[100];     /* what confines the process, or why nothing does, for --version */
} toll_sandbox;

/* Begin a list of what stays allowed. Nothing here fails: what the system cannot do is said in
 * `text`, and the process goes on with the rights that it has. */
void toll_sandbox_begin(toll_sandbox *sandbox);

/* Let the process use what is at `path`. What is not there is passed over. */
void toll_sandbox_allow(toll_sandbox *sandbox, const char *path, unsigned rights);

/* From now on this thread, and each that it starts, can do no more than was allowed; nor use a
 * socket, start a program, or change another process or what is said of a file: its mode, owner,
 * times. `mode` is the one that it may give a file (-1: none), for that of an output that is
 * replaced. Call it while the process has no other thread. */
void toll_sandbox_enter(toll_sandbox *sandbox, int mode);

/* If `text` says that something was refused, and this process may have been so since it is
 * confined: what follows on it in a message; else "". */
const char *toll_sandbox_refused(const char *text);

/* In sandbox_filter.c: refuse the system calls that files have no part in. NULL: done; else why
 * not. */
const char *toll_sandbox_filter_calls(int mode);

#endif
