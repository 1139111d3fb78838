/* sandbox_filter.c - restricts the system calls of this process, by seccomp. See sandbox.h.
 *
 * Listed calls are refused with EPERM, as if permission were missing: those that the command does
 * not need, and Landlock does not cover. It is not a list of allowed calls: which calls a C library
 * makes for the same function differs between libraries and versions. So that new calls are not
 * allowed only because they are not listed, all calls that Linux added after 5.0 are refused with
 * ENOSYS, as by a kernel of that age, which every C library supports.
 *
 * A rule becomes a few instructions of a filter that the kernel runs before each call. */
#define _GNU_SOURCE
#include "sandbox.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__ && !defined __ILP32__
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined __aarch64__ && defined __AARCH64EL__
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#ifdef PROCESSOR

enum {
    FIRST_UNKNOWN = 424, /* the first of Linux 5.1; from here on all processors have the same
                          * numbers */
    MOST_INSTRUCTIONS = 256,
    NEW_NAMESPACES = 0x7e020000 /* the CLONE_NEW* flags that clone accepts */
};

static const uint32_t TERMIOS_2 = 0x802c542a; /* TCGETS2 of <asm/ioctls.h>; glibc 2.42's isatty */

/* Calls that are always refused. */
static const int refused[] = {
    /* programs */
    SYS_execve, SYS_execveat, SYS_memfd_create,
    /* networks, and other processes */
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_setsockopt, SYS_ptrace, SYS_process_vm_readv,
    SYS_process_vm_writev, SYS_kcmp, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_shmget,
    SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_msgget,
    SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_migrate_pages,
    SYS_move_pages, SYS_setpriority, SYS_ioprio_set, SYS_sched_setscheduler, SYS_sched_setparam,
    SYS_sched_setattr, SYS_setpgid, SYS_setsid, SYS_inotify_add_watch,
    /* file metadata: mode, owner, times, attributes; access not by path */
    SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate, SYS_mknodat,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init,
    /* the kernel, and the whole system */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_swapon,
    SYS_swapoff, SYS_quotactl, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_setup,
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_kexec_file_load, SYS_reboot, SYS_acct, SYS_sethostname, SYS_setdomainname,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_syslog, SYS_vhangup,
    SYS_personality,
    /* this process's own rights */
    SYS_prctl, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
    SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capset,
#ifdef __x86_64__ /* calls that newer processors never had */
    SYS_fork, SYS_vfork, SYS_creat, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes,
    SYS_futimesat, SYS_mknod, SYS_iopl, SYS_ioperm, SYS_modify_ldt
#endif
};

/* Newer calls that are allowed. */
static const int known[] = { SYS_close_range, SYS_faccessat2 };

/* A call that is refused unless one of its arguments passes a test: that it IS one of the values,
 * or HAS one of their bits, or that it is or has none of them. If a call has several rules, it must
 * pass all. The upper half of an argument is ignored, as the kernel ignores it in these calls. */
typedef enum test { IS, IS_NONE_OF, HAS, HAS_NONE_OF } test;

typedef struct rule {
    int call;
    unsigned argument;
    test test;
    uint32_t values[3];
} rule;

typedef struct program {
    struct sock_filter items[MOST_INSTRUCTIONS];
    unsigned short count;
} program;

static void put(program *p, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
    if (p->count < MOST_INSTRUCTIONS) /* else the filter has no last instruction, and the kernel
                                       * refuses it */
        p->items[p->count++] = (struct sock_filter){ code, if_true, if_false, k };
}

static void put_load(program *p, size_t place)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)place, 0, 0);
}

static void put_answer(program *p, uint32_t answer)
{
    put(p, BPF_RET | BPF_K, answer, 0, 0);
}

/* --- the parts of the filter; the number of the call is loaded where each begins
 * -----------------*/

static void put_unknown(program *p)
{
    const uint8_t count = sizeof known / sizeof *known;
    put(p, BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN, 0, count + 1);
    for (uint8_t i = 0; i < count; i++)
        put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)known[i], (uint8_t)(count - i), 0);
    put_answer(p, SECCOMP_RET_ERRNO | ENOSYS);
}

static void put_rule(program *p, const rule *r)
{
    const uint16_t op = r->test == IS || r->test == IS_NONE_OF ? BPF_JEQ : BPF_JSET;
    const uint8_t passes = r->test == IS || r->test == HAS; /* jump past the refusal, else to it */
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)r->call, 0, 6);
    put_load(p, offsetof(struct seccomp_data, args) + r->argument * sizeof(uint64_t));
    put(p, BPF_JMP | op | BPF_K, r->values[0], 2 + passes, 0);
    put(p, BPF_JMP | op | BPF_K, r->values[1], 1 + passes, 0);
    put(p, BPF_JMP | op | BPF_K, r->values[2], passes, !passes);
    put_answer(p, SECCOMP_RET_ERRNO | EPERM);
    put_load(p, offsetof(struct seccomp_data, nr));
}

/* A file gets one of the modes, and no other. */
static void put_modes(program *p, const toll_sandbox *s)
{
    const uint8_t count = (uint8_t)s->mode_count;
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_fchmod, 0, (uint8_t)(count + 3));
    put_load(p, offsetof(struct seccomp_data, args) + sizeof(uint64_t));
    for (uint8_t i = 0; i < count; i++)
        put(p, BPF_JMP | BPF_JEQ | BPF_K, s->modes[i], (uint8_t)(count - i), 0);
    put_answer(p, SECCOMP_RET_ERRNO | EPERM);
    put_load(p, offsetof(struct seccomp_data, nr));
}

static void put_rules(program *p)
{
    const uint32_t self = (uint32_t)getpid(), set_id = S_ISUID | S_ISGID;
    const rule rules[] = {
        { SYS_clone, 0, HAS, { CLONE_THREAD } }, /* only threads */
        { SYS_clone, 0, HAS_NONE_OF, { NEW_NAMESPACES } },
        { SYS_kill, 0, IS, { self, self, self } },
        { SYS_tkill, 0, IS, { self, self, self } },
        { SYS_tgkill, 0, IS, { self, self, self } },
        { SYS_prlimit64, 0, IS, { 0, self, self } },
        { SYS_sched_setaffinity, 0, IS, { 0, self, self } },
        { SYS_fcntl, 1, IS_NONE_OF, { F_SETOWN, F_SETSIG, F_SETOWN_EX } }, /* signal others */
        { SYS_ioctl, 1, IS, { TCGETS, TIOCGWINSZ, TERMIOS_2 } }, /* ask about a terminal */
        { SYS_openat, 3, HAS_NONE_OF, { set_id } },
#ifdef __x86_64__
        { SYS_open, 2, HAS_NONE_OF, { set_id } },
#endif
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        put_rule(p, &rules[i]);
}

/* All calls of the list jump to one refusal after it. */
static void put_refused(program *p)
{
    enum { COUNT = sizeof refused / sizeof *refused };
    _Static_assert(COUNT < 256, "a jump is a byte");
    for (size_t i = 0; i < COUNT; i++)
        put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[i], (uint8_t)(COUNT - i), 0);
    put_answer(p, SECCOMP_RET_ALLOW);
    put_answer(p, SECCOMP_RET_ERRNO | EPERM);
}

const char *toll_sandbox_filter_calls(const toll_sandbox *sandbox)
{
    program p = { .count = 0 };
    put_load(&p, offsetof(struct seccomp_data, arch));
    put(&p, BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0);
    put_answer(&p, SECCOMP_RET_KILL_PROCESS); /* another architecture, where numbers mean other
                                               * calls */
    put_load(&p, offsetof(struct seccomp_data, nr));
    put_unknown(&p);
    put_rules(&p);
    put_modes(&p, sandbox);
    put_refused(&p);
    const struct sock_fprog filter = { p.count, p.items };
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? NULL : strerror(errno);
}

#else

const char *toll_sandbox_filter_calls(const toll_sandbox *sandbox)
{
    (void)sandbox;
    return "not on this processor";
}

#endif
#endif
