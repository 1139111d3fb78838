/* sandbox_linux.c - restricts the files that this process may use, by Landlock. See sandbox.h.
 *
 * A set of rules handles some rights; Landlock refuses each of these unless a rule grants it for
 * the file or for a folder that contains it. A kernel cannot handle rights that it does not know:
 * each of its versions adds some, and the newer ones are given by number here, since the system's
 * header may be older. Landlock does not restrict asking whether a file exists (stat, access,
 * readlink). */
#define _GNU_SOURCE /* O_PATH, syscall */
#include "sandbox.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The sanitizers need to read /proc and to trace in order to look for leaks. */
#ifdef __has_feature
#define HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define HAS_ADDRESS_SANITIZER 1
#else
#define HAS_ADDRESS_SANITIZER 0
#endif

#ifdef SYS_landlock_create_ruleset
#include <linux/landlock.h>

/* From <linux/landlock.h> of later kernels; the number is the version that added it. */
#define REFER_2 (UINT64_C(1) << 13)
#define TRUNCATE_3 (UINT64_C(1) << 14)
#define IOCTL_DEV_5 (UINT64_C(1) << 15)
#define TCP_4 UINT64_C(3)    /* bind, connect */
#define SCOPED_6 UINT64_C(3) /* abstract sockets, signals */

typedef struct handled {
    uint64_t files, net, scoped;
} handled;

static handled handled_by(int version)
{
    uint64_t first = (UINT64_C(1) << 13) - 1; /* all rights of version 1 */
    return (handled){ .files = first | (version >= 2 ? REFER_2 : 0) |
                               (version >= 3 ? TRUNCATE_3 : 0) | (version >= 5 ? IOCTL_DEV_5 : 0),
                      .net = version >= 4 ? TCP_4 : 0,
                      .scoped = version >= 6 ? SCOPED_6 : 0 };
}

/* The Landlock rights for ours. A rule for a file must not have rights of folders. */
static uint64_t rights_of(const toll_sandbox *s, unsigned rights, bool is_folder)
{
    uint64_t read = LANDLOCK_ACCESS_FS_READ_FILE,
             write = LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE_3;
    if (is_folder) {
        read |= LANDLOCK_ACCESS_FS_READ_DIR;
        write |= LANDLOCK_ACCESS_FS_READ_DIR /* to sync it */ | LANDLOCK_ACCESS_FS_MAKE_REG |
                 LANDLOCK_ACCESS_FS_REMOVE_FILE;
    }
    return ((rights & TOLL_SANDBOX_READ ? read : 0) | (rights & TOLL_SANDBOX_WRITE ? write : 0)) &
           handled_by(s->version).files;
}

void toll_sandbox_begin(toll_sandbox *s)
{
    *s = (toll_sandbox){ .rules = -1 };
    s->version =
        (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (s->version > 0) {
        handled all = handled_by(s->version);
        s->rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    }
    if (s->rules < 0)
        snprintf(s->text, sizeof s->text, "no Landlock (%s)", strerror(errno));
}

void toll_sandbox_allow(toll_sandbox *s, const char *path, unsigned rights)
{
    struct stat st;
    int fd = s->rules >= 0 ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    int mode = (rights & TOLL_SANDBOX_READ ? R_OK : 0) | (rights & TOLL_SANDBOX_WRITE ? W_OK : 0);
    if (access(path, mode) != 0)
        s->has_forbidden = true;
    if (fstat(fd, &st) == 0) { /* Landlock refuses rules for pipes, which it never restricts */
        struct landlock_path_beneath_attr rule = { .allowed_access =
                                                       rights_of(s, rights, S_ISDIR(st.st_mode)),
                                                   .parent_fd = fd };
        syscall(SYS_landlock_add_rule, s->rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(fd);
}

static void enter_files(toll_sandbox *s)
{
    if (s->rules < 0)
        return;
    if (syscall(SYS_landlock_restrict_self, s->rules, 0) == 0)
        snprintf(s->text, sizeof s->text, "Landlock %d", s->version);
    else
        snprintf(s->text, sizeof s->text, "no Landlock (%s)", strerror(errno));
    close(s->rules);
    s->rules = -1;
}

#else

void toll_sandbox_begin(toll_sandbox *s)
{
    *s = (toll_sandbox){ .rules = -1, .text = "no Landlock (built for an older kernel)" };
}

void toll_sandbox_allow(toll_sandbox *s, const char *path, unsigned rights)
{
    (void)s;
    (void)path;
    (void)rights;
}

static void enter_files(toll_sandbox *s)
{
    (void)s;
}

#endif

/* Has this process given up rights to files that it had? */
static bool has_confined_files;

const char *toll_sandbox_refused(const char *text)
{
    return has_confined_files && strstr(text, strerror(EACCES))
               ? "; toll confines itself to the files that its command line names, and "
                 "--no-confine lifts that"
               : "";
}

void toll_sandbox_allow_mode(toll_sandbox *s, uint32_t mode)
{
    if (s->mode_count < TOLL_SANDBOX_MODES)
        s->modes[s->mode_count++] = mode;
}

void toll_sandbox_enter(toll_sandbox *s)
{
    if (HAS_ADDRESS_SANITIZER) {
        strcpy(s->text, "no, built with AddressSanitizer");
        return;
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); /* both need it */
    has_confined_files = s->rules >= 0 && !s->has_forbidden;
    enter_files(s);
    const char *why = toll_sandbox_filter_calls(s);
    size_t used = strlen(s->text);
    if (why)
        snprintf(s->text + used, sizeof s->text - used, ", no seccomp (%s)", why);
    else
        snprintf(s->text + used, sizeof s->text - used, ", seccomp");
}

#endif
