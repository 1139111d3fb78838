/* control_socket.c - see control_socket.h. */
#define _GNU_SOURCE /* accept4 */
#include "control_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "system_clock.h"

enum {
    PATH_SIZE = sizeof((struct sockaddr_un *)NULL)->sun_path,
    PATTERN_SIZE = 2 * PATH_SIZE, /* %p and %% are two characters, and at least one in the path */
    COMMAND_SIZE = 64,
    ANSWER_SIZE = 8192, /* of one host_socket_send: a path, and more */
    CLIENT_SECONDS = 2, /* so long a client may let us wait */
    LOOK_MS = 2000,     /* so often: has the program closed the socket, are its threads gone? */
    WAITING_CLIENTS = 16
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    char pattern[PATTERN_SIZE], path[PATH_SIZE]; /* the first is absolute; "": never opened */
    host_socket_answer *answer;
    pid_t pid; /* of the process that listens; 0: none does */
    int fd;
    int client;     /* is served now; -1: none is */
    dev_t device;   /* of fd, which the program may close, and open another file that gets its */
    ino_t inode;    /* number */
    uint32_t opens; /* how often it was opened: a thread of before has no part in this one */
} server = { .client = -1 };

static bool fail(toll_error *err, const char *path, const char *why)
{
    err->status = TOLL_E_IO;
    snprintf(err->text, sizeof err->text, "socket: %s: %s", path, why);
    return false;
}

/* --- its path ----------------------------------------------------------------------------------*/

/* Append to a path, for which there is `room`. False: it becomes too long. */
static bool append(char *path, size_t room, const char *text, size_t size)
{
    size_t n = strlen(path);
    if (n + size >= room)
        return false;
    memcpy(path + n, text, size);
    path[n + size] = 0;
    return true;
}

/* Returns an error of the system, or 0. A percent sign in the name of a folder stands for itself.
 */
static int make_absolute(const char *path, char out[PATTERN_SIZE])
{
    char folder[PATH_SIZE] = "";
    bool fits = true;
    *out = 0;
    if (*path != '/' && !getcwd(folder, sizeof folder))
        return errno == ERANGE ? ENAMETOOLONG : errno;
    for (const char *c = folder; *c && fits; c++)
        fits = append(out, PATTERN_SIZE, *c == '%' ? "%%" : c, *c == '%' ? 2 : 1);
    fits = fits && (!*folder || append(out, PATTERN_SIZE, "/", 1)) &&
           append(out, PATTERN_SIZE, path, strlen(path));
    return fits ? 0 : ENAMETOOLONG;
}

/* False: it is too long. */
static bool expand(const char *pattern, char out[PATH_SIZE])
{
    char id[24];
    int digits = snprintf(id, sizeof id, "%ld", (long)getpid());
    bool fits = true;
    *out = 0;
    for (const char *c = pattern; *c && fits; c++) {
        bool is_id = *c == '%' && c[1] == 'p';
        fits = is_id ? append(out, PATH_SIZE, id, (size_t)digits) : append(out, PATH_SIZE, c, 1);
        if (is_id || (*c == '%' && c[1] == '%'))
            c++;
    }
    return fits;
}

/* Is it a socket without a listener: of a process that was killed, and had the same id? */
static bool is_stale(const struct sockaddr_un *address)
{
    struct stat file;
    if (lstat(address->sun_path, &file) || !S_ISSOCK(file.st_mode))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool refused = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) &&
                   errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return refused;
}

static bool bind_anew(int fd, const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const struct sockaddr *to = (const struct sockaddr *)&address;
    if (fchmod(fd, S_IRUSR | S_IWUSR)) /* Linux: of the file that bind makes */
        return false;
    if (!bind(fd, to, sizeof address))
        return true;
    if (errno != EADDRINUSE)
        return false;
    if (is_stale(&address) && !unlink(path))
        return !bind(fd, to, sizeof address);
    errno = EADDRINUSE;
    return false;
}

/* --- its thread --------------------------------------------------------------------------------*/

bool host_socket_send(int client, const char *format, ...)
{
    char text[ANSWER_SIZE];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    for (size_t sent = 0; sent < size;) {
        ssize_t n = send(client, text + sent, size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return false;
        sent += n < 0 ? 0 : (size_t)n;
    }
    return true;
}

/* Read a line, without its end. False: the client sends none. */
static bool read_command(int client, char *command)
{
    const uint64_t end =
        host_read_clock(CLOCK_MONOTONIC) + UINT64_C(1) * CLIENT_SECONDS * HOST_NS_A_SECOND;
    size_t n = 0;
    while (n + 1 < COMMAND_SIZE && host_read_clock(CLOCK_MONOTONIC) < end) {
        ssize_t got = recv(client, command + n, COMMAND_SIZE - 1 - n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        n += (size_t)got;
        command[n] = 0;
        if (got == 0 || strchr(command, '\n'))
            break;
    }
    command[strcspn(command, "\r\n")] = 0;
    return true;
}

static void serve_client(int client)
{
    const struct timeval most = { .tv_sec = CLIENT_SECONDS };
    char command[COMMAND_SIZE] = "";
    server.client = client;
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (read_command(client, command))
        server.answer(command, client);
    shutdown(client, SHUT_RDWR); /* a process that was forked meanwhile has it, too */
    server.client = -1;
    close(client);
}

/* Is the socket there, in this process? */
static bool is_open(void)
{
    struct stat file;
    return server.pid == getpid() && !fstat(server.fd, &file) && file.st_dev == server.device &&
           file.st_ino == server.inode;
}

/* Have all other threads ended? Then the process would go on only because of this one. The main
 * thread remains as a zombie (proc(5)). */
static bool is_alone(void)
{
    enum { LINKS_OF_TWO = 4 };
    char text[512];
    struct stat tasks;
    if (stat("/proc/self/task", &tasks) || tasks.st_nlink > LINKS_OF_TWO)
        return false;
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[size < 0 ? 0 : size] = 0;
    const char *name_end = strrchr(text, ')');
    return name_end && strncmp(name_end, ") Z", 3) == 0;
}

/* Errors that go away: of a client, or because the program has too many files open. */
static bool may_go_on(int why)
{
    if (why == EINTR || why == ECONNABORTED || why == EAGAIN)
        return true;
    nanosleep(&(struct timespec){ 0, 100L * 1000 * 1000 }, NULL);
    return why == EMFILE || why == ENFILE || why == ENOMEM || why == ENOBUFS;
}

/* The caller holds the lock. */
static void remove_file(void)
{
    if (server.pid == getpid())
        unlink(server.path);
    server.pid = 0;
}

static void at_exit(void)
{
    pthread_mutex_lock(&lock);
    remove_file();
    pthread_mutex_unlock(&lock);
}

/* Wait until a client comes; -1: none has. The number of the socket is only used while it is the
 * socket's. */
static int wait_for_client(void)
{
    struct pollfd one = { .fd = server.fd, .events = POLLIN };
    if (poll(&one, 1, LOOK_MS) <= 0)
        return -1;
    return is_open() ? accept4(server.fd, NULL, NULL, SOCK_CLOEXEC) : -1;
}

static void *serve(void *user)
{
    const uint32_t opens = (uint32_t)(uintptr_t)user;
    bool goes_on = true;
    while (goes_on && server.opens == opens && is_open() && !is_alone()) {
        errno = EINTR;
        int client = wait_for_client();
        if (client >= 0)
            serve_client(client);
        else
            goes_on = may_go_on(errno);
    }
    pthread_mutex_lock(&lock);
    if (server.opens == opens)
        remove_file();
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* A thread that handles no signal. Returns an error of the system, or 0. */
static int start_thread(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    int why = pthread_attr_init(&attributes);
    if (why)
        return why;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    why = pthread_create(&thread, &attributes, serve, (void *)(uintptr_t)server.opens);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return why;
}

/* --- opening -----------------------------------------------------------------------------------*/

/* At server.pattern. The caller holds the lock. */
static bool open_here(toll_error *err)
{
    static bool removes_at_exit;
    struct stat file;
    if (!expand(server.pattern, server.path))
        return fail(err, server.pattern, "the path is too long");
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), why = 0;
    if (fd < 0)
        return fail(err, server.path, strerror(errno));
    if (!bind_anew(fd, server.path)) {
        why = errno;
        close(fd);
        return fail(err, server.path,
                    why == EADDRINUSE ? "there is such a file, or another process's socket"
                                      : strerror(why));
    }
    server.fd = fd;
    if (listen(fd, WAITING_CLIENTS) || fstat(fd, &file)) {
        why = errno;
    } else {
        server.device = file.st_dev;
        server.inode = file.st_ino;
        server.pid = getpid();
        server.opens++;
        why = start_thread();
    }
    if (why) {
        server.pid = 0;
        unlink(server.path);
        close(fd);
        return fail(err, server.path, strerror(why));
    }
    if (!removes_at_exit)
        removes_at_exit = atexit(at_exit) == 0;
    return true;
}

bool host_socket_open(const char *path, host_socket_answer *answer, toll_error *err)
{
    char pattern[PATTERN_SIZE];
    int why = make_absolute(path, pattern);
    if (why)
        return fail(err, path, why == ENAMETOOLONG ? "the path is too long" : strerror(why));
    pthread_mutex_lock(&lock);
    bool good = is_open();
    if (good && strcmp(pattern, server.pattern) != 0) {
        good = fail(err, path, "the process has another one: ");
        size_t n = strlen(err->text);
        snprintf(err->text + n, sizeof err->text - n, "%s", server.path);
    } else if (!good) {
        remove_file(); /* of one that the program has closed */
        strcpy(server.pattern, pattern);
        server.answer = answer;
        good = open_here(err);
    }
    pthread_mutex_unlock(&lock);
    return good;
}

void host_socket_after_fork(void)
{
    pthread_mutex_init(&lock, NULL);        /* another thread may have held it */
    server.pid = server.pid ? getpid() : 0; /* for is_open */
    if (is_open())
        close(server.fd);
    if (server.pid && server.client >= 0)
        close(server.client);
    server.pid = 0;
    server.client = -1;
}

bool host_socket_reopen(toll_error *err)
{
    pthread_mutex_lock(&lock);
    bool good = is_open() || !*server.pattern;
    if (!good) {
        remove_file();
        good = open_here(err);
    }
    pthread_mutex_unlock(&lock);
    return good;
}
