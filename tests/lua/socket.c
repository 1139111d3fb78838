/* socket.c - a program with Lua whose states are recorded by commands at a socket: one of its main
 * thread, of a forked process, and of two threads. Each calls work(7), step by step, until there is
 * a file "stop".
 *   socket SOCKET OUTPUT FORKS   writes "ready-PID" when the states of a process work; a file is at
 *                                the socket's path before, as a killed process leaves it
 *   socket SOCKET OUTPUT closed  closes all files that it has not opened itself, and makes 8
 * sockets of its own: prints how many of them get the client that connects socket SOCKET OUTPUT
 * reset   sets all signals back, and goes on socket SOCKET OUTPUT leaves  its main thread ends, and
 * no other is there
 */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 2, FILES = 64 };

static const char *socket_path, *output;
static atomic_int ready;

static void fail(const char *what)
{
    fprintf(stderr, "FAILED: %s\n", what);
    exit(1);
}

static void run(lua_State *L, const char *code)
{
    if (luaL_loadstring(L, code) || lua_pcall(L, 0, 0, 0))
        fail(lua_tostring(L, -1));
}

static lua_State *new_state(void)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_pushstring(L, socket_path);
    lua_setglobal(L, "socket");
    lua_pushstring(L, output);
    lua_setglobal(L, "output");
    run(L, "toll = require 'toll'\n"
           "function leaf() end\n"
           "function work(n) for i = 1, n do leaf() end end\n"
           "assert(toll.control { socket = socket, output = output, clock = 'none' })");
    return L;
}

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ 0, ms * 1000000L }, NULL);
}

static void work(lua_State *L)
{
    atomic_fetch_add(&ready, 1);
    while (access("stop", F_OK)) {
        run(L, "work(7)");
        sleep_ms(1);
    }
    lua_close(L);
}

static void *serve(void *user)
{
    (void)user;
    work(new_state());
    return NULL;
}

static void say_ready(void)
{
    char name[64];
    snprintf(name, sizeof name, "ready-%ld", (long)getpid());
    FILE *file = fopen(name, "w");
    if (!file || fclose(file))
        fail(name);
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) || listen(fd, 4))
        fail(path);
    return fd;
}

static void connect_to(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address))
        fail(path);
}

static int work_in_threads(lua_State *L)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, serve, NULL))
            fail("a thread");
    while (atomic_load(&ready) < THREADS)
        sleep_ms(1);
    say_ready();
    work(L);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int run_forked(void)
{
    char stale[64];
    snprintf(stale, sizeof stale, "socket-%ld", (long)getpid());
    close(listen_at(stale));
    lua_State *L = new_state();
    pid_t child = fork();
    if (child == 0) {
        run(L, "work(1)");
        say_ready();
        work(L);
        exit(0);
    }
    pid_t idle = fork(); /* runs no Lua: it has no socket */
    if (idle == 0) {
        sleep_ms(10);
        _exit(0);
    }
    int status = work_in_threads(L), of_child = 1;
    waitpid(idle, NULL, 0);
    return waitpid(child, &of_child, 0) == child ? status : 1;
}

/* Our own socket gets the number that Toll's had. */
static int run_closed(void)
{
    int clients = 0;
    lua_State *L = new_state();
    for (int fd = 3; fd < FILES; fd++)
        close(fd);
    int own[FILES];
    for (int i = 0; i < 8; i++) {
        char name[16];
        snprintf(name, sizeof name, "own-%d", i);
        own[i] = listen_at(name);
    }
    say_ready();
    work(L);
    for (int i = 0; i < 8; i++) {
        struct timeval no_time = { 0, 1000 };
        char name[16];
        snprintf(name, sizeof name, "own-%d", i);
        connect_to(name);
        sleep_ms(20); /* Toll's thread could take the client now */
        setsockopt(own[i], SOL_SOCKET, SO_RCVTIMEO, &no_time, sizeof no_time);
        clients += accept(own[i], NULL, NULL) >= 0;
    }
    printf("%d\n", clients);
    return 0;
}

static void own_handler(int number)
{
    (void)number;
}

/* A call that is refused leaves no socket. */
static int run_reset(void)
{
    char name[64];
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    signal(SIGUSR1, own_handler);
    run(L, "local good, why = require 'toll'.control { socket = 'refused-%p', signal = 'USR1', "
           "output = 'o-%p.pb.gz' }\n"
           "assert(not good and why:find('the program itself handles signal', 1, true), why)");
    lua_close(L);
    snprintf(name, sizeof name, "refused-%ld", (long)getpid());
    if (!access(name, F_OK))
        fail("a refused call leaves a socket");
    L = new_state();
    for (int number = 1; number <= SIGRTMAX; number++)
        signal(number, SIG_DFL);
    say_ready();
    work(L);
    return 0;
}

static int run_left(void)
{
    new_state();
    say_ready();
    pthread_exit(NULL);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    socket_path = argv[1];
    output = argv[2];
    if (strcmp(argv[3], "reset") == 0)
        return run_reset();
    if (strcmp(argv[3], "leaves") == 0)
        return run_left();
    return strcmp(argv[3], "closed") == 0 ? run_closed() : run_forked();
}
