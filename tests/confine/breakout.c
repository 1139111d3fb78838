/* breakout.c - tries what an attacker would try who has taken control of the command by a file that
 * it reads.
 *
 * It is linked into a command of its own, in place of toll_input_open: the first input is about to
 * be opened, and nothing of it has been read. It writes a line "NAME done" or "NAME refused ERROR"
 * for each attempt to the file `results` in the folder that TOLL_BREAKOUT names, and ends the
 * process. breakout.sh makes that folder, and describes its content. Attempts that destroy the
 * input come last: without confinement all of them succeed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>

int __wrap_toll_input_open(const void *allocator, const char *path, void *out, void *err);

static FILE *results;
static int terminal = -1; /* opened before */
static pid_t victim;
static char input[4096]; /* named on the command line */

static void report(const char *name, long result)
{
    if (result >= 0)
        fprintf(results, "%s done\n", name);
    else
        fprintf(results, "%s refused %s\n", name, strerrorname_np(errno));
    fflush(results);
}

/* What the command itself has to do, confined or not: "NAME works" or "NAME fails". */
static void report_need(const char *name, long result)
{
    fprintf(results, "%s %s\n", name, result >= 0 ? "works" : "fails");
    fflush(results);
}

static int opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0600);
    char byte;
    if (fd >= 0 && (flags & O_ACCMODE) == O_RDONLY && !(flags & O_DIRECTORY) &&
        read(fd, &byte, 1) < 0)
        return -1;
    return fd;
}

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("TOLL_BREAKOUT"), *pid = getenv("TOLL_BREAKOUT_VICTIM");
    if (!folder) /* toll_breakout --version */
        return;
    if (!pid || chdir(folder) != 0 || !(results = fopen("results", "we")))
        _exit(99);
    victim = (pid_t)atoi(pid);
    snprintf(input, sizeof input, "%s/in/input", folder);
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master >= 0 && unlockpt(master) == 0)
        terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
}

/* --- files -------------------------------------------------------------------------------------*/

/* A descriptor that can only be passed on, opened again through /proc. */
static int opens_again(const char *path)
{
    char self[40];
    int fd = open(path, O_PATH | O_CLOEXEC);
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return fd < 0 ? fd : opens(self, O_RDONLY);
}

static int opens_by_handle(void)
{
    union {
        struct file_handle handle;
        char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } h = { .handle = { .handle_bytes = MAX_HANDLE_SZ } };
    int mount, at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (name_to_handle_at(AT_FDCWD, input, &h.handle, &mount, 0) != 0)
        return -1;
    int fd = open_by_handle_at(at, &h.handle, O_RDONLY);
    return fd >= 0 || errno != EPERM ? 0 : -1; /* the kernel was asked */
}

static void read_others(void)
{
    char memory[40];
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)victim);
    report("read:/etc/passwd", opens("/etc/passwd", O_RDONLY));
    report("read:outside", opens("outside/secret", O_RDONLY));
    report("read:by-parent", opens("in/../outside/secret", O_RDONLY));
    report("read:by-link", opens("out/link", O_RDONLY));
    report("read:by-root", opens("/proc/self/root/etc/passwd", O_RDONLY));
    report("read:again", opens_again("outside/secret"));
    report("read:by-handle", opens_by_handle());
    report("read:environ", opens("/proc/self/environ", O_RDONLY));
    report("read:memory-of-other", open(memory, O_RDWR | O_CLOEXEC));
    report("list:outside", opens("outside", O_RDONLY | O_DIRECTORY));
    report("watch:outside", inotify_add_watch(inotify_init1(IN_CLOEXEC), "outside", IN_ALL_EVENTS));
    report("list:/", opens("/", O_RDONLY | O_DIRECTORY));
}

static void write_others(void)
{
    report("write:new", opens("outside/new", O_WRONLY | O_CREAT | O_EXCL));
    report("write:old", opens("outside/secret", O_WRONLY));
    report("write:by-link", opens("out/link", O_WRONLY | O_APPEND));
    report("write:input", opens(input, O_WRONLY | O_APPEND));
    report("write:tmp", opens("/tmp", O_RDWR | O_TMPFILE));
    report("write:self-memory", open("/proc/self/mem", O_RDWR | O_CLOEXEC));
    report("make:folder", mkdir("out/folder", 0700));
    report("make:link", symlink("/etc/passwd", "out/made"));
    report("make:hard-link", link("outside/secret", "out/hard"));
    report("make:pipe", mkfifo("out/pipe", 0600));
    report("make:device", mknod("out/null", S_IFCHR | 0600, 0x103));
    report("make:set-id", open("out/set-id", O_WRONLY | O_CREAT | O_CLOEXEC, 04700));
    report("move:outside", rename("outside/other", "out/other"));
    report("remove:outside", unlink("outside/third"));
    report("remove:folder", rmdir("outside/empty"));
}

static void change_input(void)
{
    int fd = open(input, O_RDONLY | O_CLOEXEC);
    struct stat st = { .st_uid = 0 };
    fstat(fd, &st);
    report("mode:path", chmod(input, 0640));
    report("mode:descriptor", fchmod(fd, 0604));
    report("mode:set-id", fchmod(fd, 04755));
    report("mode:everything", fchmod(fd, (mode_t)-1));
    report("owner:path", chown(input, st.st_uid, st.st_gid));
    report("owner:descriptor", fchown(fd, st.st_uid, st.st_gid));
    report("times:path", utime(input, NULL));
    report("times:descriptor", futimens(fd, NULL));
    report("attribute:path", setxattr(input, "user.toll", "x", 1, 0));
    report("attribute:descriptor", fsetxattr(fd, "user.toll", "y", 1, 0));
    report("size:path", truncate(input, 1));
    report("move:input", rename(input, "in/moved"));
    rename("in/moved", input);
    report("remove:input", unlink(input));
}

/* --- other processes, programs, networks -------------------------------------------------------*/

static int connects(void)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX, .sun_path = "outside/socket" };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        return errno == ENOENT ? 0 : -1; /* nobody listens: it was asked */
    return fd;
}

static int starts(bool by_descriptor)
{
    char name[] = "env", *argv[] = { name, NULL }, *environment[] = { NULL };
    int status = 0;
    pid_t child = fork(); /* if that is refused, this process itself would become the program */
    if (child > 0) {
        waitpid(child, &status, 0);
        return status == 0 ? 0 : -1;
    }
    if (by_descriptor) {
        int fd = open("in/program", O_PATH | O_CLOEXEC);
        syscall(SYS_execveat, fd, "", argv, environment, AT_EMPTY_PATH);
    } else {
        execve("in/program", argv, environment);
    }
    if (child == 0)
        _exit(1);
    return -1;
}

static int forks(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child;
}

static void reach_others(void)
{
    int pair[2];
    char byte;
    struct iovec here = { &byte, 1 }, there = { (void *)0x400000, 1 };
    report("socket:inet", socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    report("socket:unix", socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    report("socket:netlink", socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0));
    report("socket:pair", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
    report("connect", connects());
    report("fork", forks());
    report("exec:path", starts(false));
    report("exec:descriptor", starts(true));
    report("exec:memory", syscall(SYS_memfd_create, "x", 1u));
    report("ptrace", ptrace(PTRACE_SEIZE, victim, NULL, NULL));
    long got = process_vm_readv(victim, &here, 1, &there, 1, 0);
    report("memory-of-other", got < 0 && errno == EFAULT ? 0 : got);
    report("signal:other", kill(victim, 0));
    report("signal:thread", syscall(SYS_tgkill, victim, victim, 0));
    report("signal:by-descriptor", syscall(SYS_pidfd_open, victim, 0));
    struct f_owner_ex owner = { F_OWNER_PID, victim };
    report("signal:by-pipe", pipe(pair) == 0 ? fcntl(pair[0], F_SETOWN, victim) : -1);
    report("signal:which-by-pipe", fcntl(pair[0], F_SETSIG, SIGUSR1));
    report("signal:by-pipe-of-thread", fcntl(pair[0], F_SETOWN_EX, &owner));
    report("limits:other", syscall(SYS_prlimit64, victim, 7, NULL, &(uint64_t[2]){ 0 }));
    cpu_set_t processors;
    sched_getaffinity(victim, sizeof processors, &processors);
    report("processors:other", sched_setaffinity(victim, sizeof processors, &processors));
    report("shared-memory", shmget(IPC_PRIVATE, 4096, 0600));
    report("terminal", ioctl(terminal, TIOCSTI, "x"));
}

/* The same calls for this process, and for a terminal. */
static void reach_self(void)
{
    const pid_t self = getpid();
    uint64_t limit[2];
    cpu_set_t processors;
    struct termios settings;
    struct winsize size;
    report_need("self:signal", kill(self, 0));
    report_need("self:signal-thread", syscall(SYS_tgkill, self, gettid(), 0));
    report_need("self:limits", syscall(SYS_prlimit64, 0, 7, NULL, limit));
    report_need("self:limits-by-id", syscall(SYS_prlimit64, self, 7, NULL, limit));
    sched_getaffinity(0, sizeof processors, &processors);
    report_need("self:processors", sched_setaffinity(0, sizeof processors, &processors));
    report_need("self:processors-by-id", sched_setaffinity(self, sizeof processors, &processors));
    report_need("self:descriptor", fcntl(terminal, F_GETFD));
    report_need("terminal:settings", tcgetattr(terminal, &settings));
    report_need("terminal:size", ioctl(terminal, TIOCGWINSZ, &size));
}

/* --- the kernel --------------------------------------------------------------------------------*/

static void reach_kernel(void)
{
    char room[256] = { 0 };
    report("mount", mount("none", "outside/empty", "tmpfs", 0, NULL));
    umount2("outside/empty", MNT_DETACH);
    report("unshare", unshare(CLONE_NEWNS));
    report("chroot", chroot("/"));
    report("io_uring", syscall(SYS_io_uring_setup, 1, room));
    report("bpf", syscall(SYS_bpf, 0, &(uint32_t[16]){ 2, 4, 4, 1 }, 64));
    report("perf", syscall(SYS_perf_event_open, &(uint32_t[32]){ 1, 128 }, 0, -1, -1, 0));
    report("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC | 1));
    report("keyring", syscall(SYS_keyctl, 0, -3, 1)); /* the session's id */
    report("openat2", syscall(SYS_openat2, AT_FDCWD, input, &(uint64_t[3]){ 0 }, 24));
    report("personality", syscall(SYS_personality, 0));
    report("user-id", setuid(getuid()));
    report("prctl", prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
}

int __wrap_toll_input_open(const void *allocator, const char *path, void *out, void *err)
{
    (void)allocator;
    (void)path;
    (void)out;
    (void)err;
    static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&first); /* of merge's threads one tries, and the others wait for the end */
    read_others();
    reach_others();
    reach_self();
    reach_kernel();
    write_others();
    change_input();
    fputs("end done\n", results);
    fclose(results);
    _exit(42);
}
