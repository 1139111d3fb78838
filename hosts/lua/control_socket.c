/* control_socket.c - see control_socket.h. */
#define _GNU_SOURCE /* accept4 */
#include "control_socket.h"

#include <errno.h>
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

enum {
    PATH_SIZE = sizeof((struct sockaddr_un *)NULL)->sun_path,
    COMMAND_SIZE = 64,
    ANSWER_SIZE = 8192, /* of one host_socket_send: a path, and more */
    CLIENT_SECONDS = 2, /* so long a client may let us wait */
    STACK_SIZE = 256 << 10,
    WAITING_CLIENTS = 16
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    char pattern[PATH_SIZE], path[PATH_SIZE]; /* the first is absolute; "": never opened */
    host_socket_answer *answer;
    pid_t pid; /* of the process that listens; 0: none does */
    int fd;
    dev_t device; /* of fd, which the program may close, and open another file that gets its
                     number */
    ino_t inode;
} server;

static bool fail(toll_error *err, const char *path, const char *why)
{
    err->status = TOLL_E_IO;
    snprintf(err->text, sizeof err->text, "socket: %s: %s", path, why);
    return false;
}

/* --- its path ----------------------------------------------------------------------------------*/

/* False: it is too long. */
static bool make_absolute(const char *path, char *out)
{
    char folder[PATH_SIZE] = "";
    if (*path != '/' && !getcwd(folder, sizeof folder))
        return false;
    return snprintf(out, PATH_SIZE, "%s%s%s", folder, *folder ? "/" : "", path) < PATH_SIZE;
}

static bool expand(const char *pattern, char *out)
{
    size_t n = 0;
    for (const char *c = pattern; *c; c++) {
        if (n + 24 > PATH_SIZE)
            return false;
        if (*c == '%' && c[1] == 'p')
            n += (size_t)snprintf(out + n, 24, "%ld", (long)getpid());
        else
            out[n++] = *c;
        if (*c == '%' && c[1])
            c++;
    }
    out[n] = 0;
    return true;
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
    fchmod(fd, S_IRUSR | S_IWUSR); /* Linux: of the file that bind makes */
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

void host_socket_send(int client, const char *format, ...)
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
            return;
        sent += n < 0 ? 0 : (size_t)n;
    }
}

/* Read a line, without its end. False: the client sends none. */
static bool read_command(int client, char *command)
{
    size_t n = 0;
    while (n + 1 < COMMAND_SIZE) {
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
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (read_command(client, command))
        server.answer(command, client);
    close(client);
}

static bool is_open(int fd)
{
    struct stat file;
    return !fstat(fd, &file) && file.st_dev == server.device && file.st_ino == server.inode;
}

/* Errors that go away: of a client, or because the program has too many files open. */
static bool may_go_on(int why)
{
    if (why == EINTR || why == ECONNABORTED)
        return true;
    nanosleep(&(struct timespec){ 0, 100L * 1000 * 1000 }, NULL);
    return why == EMFILE || why == ENFILE || why == ENOMEM || why == ENOBUFS;
}

static void remove_file(void)
{
    pthread_mutex_lock(&lock);
    if (server.pid == getpid()) {
        unlink(server.path);
        server.pid = 0;
    }
    pthread_mutex_unlock(&lock);
}

static void *serve(void *user)
{
    int fd = server.fd;
    bool goes_on = true;
    (void)user;
    while (goes_on && is_open(fd)) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0)
            serve_client(client);
        else
            goes_on = may_go_on(errno);
    }
    remove_file();
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
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    why = pthread_create(&thread, &attributes, serve, NULL);
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
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), why = 0;
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
        why = start_thread();
    }
    if (why) {
        server.pid = 0;
        unlink(server.path);
        close(fd);
        return fail(err, server.path, strerror(why));
    }
    if (!removes_at_exit)
        removes_at_exit = atexit(remove_file) == 0;
    return true;
}

bool host_socket_open(const char *path, host_socket_answer *answer, toll_error *err)
{
    char pattern[PATH_SIZE];
    if (!make_absolute(path, pattern))
        return fail(err, path, "the path is too long");
    pthread_mutex_lock(&lock);
    bool good = server.pid == getpid();
    if (good && strcmp(pattern, server.pattern) != 0) {
        good = fail(err, path, "the process has another one: ");
        size_t n = strlen(err->text);
        snprintf(err->text + n, sizeof err->text - n, "%s", server.path);
    } else if (!good) {
        strcpy(server.pattern, pattern);
        server.answer = answer;
        good = open_here(err);
    }
    pthread_mutex_unlock(&lock);
    return good;
}

void host_socket_after_fork(void)
{
    pthread_mutex_init(&lock, NULL); /* another thread may have held it */
    if (server.pid && is_open(server.fd))
        close(server.fd);
    server.pid = 0;
}

bool host_socket_reopen(toll_error *err)
{
    pthread_mutex_lock(&lock);
    bool good = server.pid == getpid() || !*server.pattern || open_here(err);
    pthread_mutex_unlock(&lock);
    return good;
}
