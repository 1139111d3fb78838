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

enum { TOLL_SANDBOX_MODES = 8 };

typedef struct toll_sandbox {
    int rules;                          /* descriptor of the Landlock rules; -1: no rules */
    int version;                        /* Landlock's version */
    bool has_forbidden;                 /* a path was allowed here that file permissions forbid */
    uint32_t modes[TOLL_SANDBOX_MODES]; /* that files may be given */
    unsigned mode_count;
    char text[100]; /* what confines the process, or why nothing does, for --version */
} toll_sandbox;

/* Begin a list of allowed paths. This cannot fail: `text` says what the system does not support,
 * and the process continues with the rights that it has. */
void toll_sandbox_begin(toll_sandbox *sandbox);

/* Allow the process to use the file or folder at `path`. A path that does not exist is ignored. */
void toll_sandbox_allow(toll_sandbox *sandbox, const char *path, unsigned rights);

/* Allow the process to give a file this mode: that of an output which is replaced. At most
 * TOLL_SANDBOX_MODES of them; further ones stay forbidden. */
void toll_sandbox_allow_mode(toll_sandbox *sandbox, uint32_t mode);

/* Confine this thread, and each that it starts later: they can do only what was allowed; and cannot
 * use a socket, start a program, or change another process or a file's mode, owner or times. Call
 * it while the process has only one thread. */
void toll_sandbox_enter(toll_sandbox *sandbox);

/* Text to append to a message, if `text` reports a refusal that confinement may have caused; else
 * "". */
const char *toll_sandbox_refused(const char *text);

/* Refuse the system calls that have nothing to do with files (sandbox_filter.c). NULL: done; else
 * why not. */
const char *toll_sandbox_filter_calls(const toll_sandbox *sandbox);

#endif
