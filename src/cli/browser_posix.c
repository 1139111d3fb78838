/* browser_posix.c - starts a browser on POSIX systems: $BROWSER, or the desktop's command that
 * opens files. See browser.h. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "browser.h"

#include "path_programs.h"

#include "base/os.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_WORDS = 32, /* of a command */
    COMMAND_SIZE = 1024,
    URL_SIZE = sizeof "file://" + (size_t)3 * TOLL_OS_PATH_SIZE
};

bool toll_browser_make_folder(char *path, size_t size)
{
    const char *place = getenv("TMPDIR");
    size_t n =
        (size_t)snprintf(path, size, "%s/toll-XXXXXX", place && *place == '/' ? place : "/tmp");
    if (n >= size) {
        errno = ENAMETOOLONG;
        return false;
    }
    return mkdtemp(path) != NULL;
}

/* Make the URL of an absolute path. It begins with "file:", so that no program takes it for an
 * option. False: the path is longer than any that the system opens. */
static bool make_url(const char *path, char url[URL_SIZE])
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/";
    char *end = url + sprintf(url, "file://");
    if (strlen(path) >= TOLL_OS_PATH_SIZE)
        return false;
    for (; *path; path++)
        end += sprintf(end, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    return true;
}

/* In the child: execute the program, without input and output. */
static void become(char **argv, int report)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    setsid(); /* it survives the end of the terminal */
    for (int fd = 0; fd <= 2 && null >= 0; fd++)
        dup2(null, fd);
    execvp(argv[0], argv);
    _exit((int)write(report, "", 1)); /* the pipe says it, and not the status */
}

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Start a program. A pipe that a successful exec closes shows whether the program exists. */
static bool start(char **argv)
{
    int ends[2];
    char failed;
    if (!make_pipe(ends))
        return false;
    pid_t child = fork();
    if (child == 0)
        become(argv, ends[1]);
    close(ends[1]);
    bool started = child > 0 && read(ends[0], &failed, 1) == 0;
    close(ends[0]);
    if (child > 0 && !started)
        waitpid(child, NULL, 0);
    return started;
}

/* Start one of the commands in $BROWSER: words, in which %s is the URL; without %s the URL is the
 * last word. */
static bool start_command(const char *command, size_t size, char *url)
{
    char text[COMMAND_SIZE], *words[MOST_WORDS + 2], *rest = NULL;
    int count = 0;
    bool has_url = false;
    if (size >= sizeof text)
        return false;
    memcpy(text, command, size);
    text[size] = 0;
    for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        if (count == MOST_WORDS)
            return false;
        bool is_url = strcmp(word, "%s") == 0;
        words[count++] = is_url ? url : word;
        has_url |= is_url;
    }
    if (count == 0)
        return false;
    if (!has_url)
        words[count++] = url;
    words[count] = NULL;
    return start(words);
}

/* Commands are separated by colons. The first one that can be started is used. */
static bool start_one(const char *commands, char *url)
{
    while (*commands) {
        size_t n = strcspn(commands, ":");
        if (start_command(commands, n, url))
            return true;
        commands += n + (commands[n] == ':');
    }
    return false;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

static bool has_display(void)
{
#ifdef __APPLE__
    return true;
#else
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("WSL_DISTRO_NAME");
#endif
}

#ifdef __APPLE__
static const char desktop_commands[] = "open";
#else
static const char desktop_commands[] =
    "wslview:xdg-open:gio open:x-www-browser:firefox:chromium:google-chrome";
#endif

/* The first of the commands whose program is installed, in name[size]; NULL: none. */
static const char *first_installed(const char *commands, char *name, size_t size)
{
    while (*commands) {
        size_t n = strcspn(commands, ":");
        if (n < size && toll_path_has_program(commands, strcspn(commands, ": \t"))) {
            memcpy(name, commands, n);
            name[n] = 0;
            return name;
        }
        commands += n + (commands[n] == ':');
    }
    return NULL;
}

const char *toll_browser_name(void)
{
    static char name[COMMAND_SIZE];
    const char *own =
        is_set("BROWSER") ? first_installed(getenv("BROWSER"), name, sizeof name) : NULL;
    return own ? own : has_display() ? first_installed(desktop_commands, name, sizeof name) : NULL;
}

toll_browser_result toll_browser_open(const char *path)
{
    char url[URL_SIZE];
    if (!make_url(path, url))
        return TOLL_BROWSER_NOT_FOUND;
    if (is_set("BROWSER") && start_one(getenv("BROWSER"), url))
        return TOLL_BROWSER_STARTED;
    if (!has_display())
        return is_set("BROWSER") ? TOLL_BROWSER_NOT_FOUND : TOLL_BROWSER_NO_DISPLAY;
    return start_one(desktop_commands, url) ? TOLL_BROWSER_STARTED : TOLL_BROWSER_NOT_FOUND;
}

/* --- a page that is opened later ---------------------------------------------------------------*/

/* In the helper: a byte is the request to open the page; an end of file without one means that
 * there is no page. */
static void wait_for_page(const toll_browser *b, int ask, int answer)
{
    char byte, result = TOLL_BROWSER_NOT_FOUND;
    ssize_t got;
    do
        got = read(ask, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1)
        result = (char)toll_browser_open(b->path);
    else
        rmdir(b->folder);
    _exit((int)write(answer, &result, 1)); /* the status is not used */
}

void toll_browser_begin(toll_browser *b, const char *folder, const char *path)
{
    int ask[2], answer[2];
    *b = (toll_browser){ .folder = folder, .path = path };
    if (!make_pipe(ask))
        return;
    if (!make_pipe(answer)) {
        close(ask[0]);
        close(ask[1]);
        return;
    }
    b->helper = fork();
    if (b->helper == 0) {
        close(ask[1]);
        wait_for_page(b, ask[0], answer[1]);
    }
    close(ask[0]);
    close(answer[1]);
    b->ask = ask[1];
    b->answer = answer[0];
}

toll_browser_result toll_browser_end(toll_browser *b, bool opens)
{
    char result = 0;
    if (b->helper <= 0) {
        if (!opens)
            remove(b->folder);
        return opens ? toll_browser_open(b->path) : TOLL_BROWSER_NOT_FOUND;
    }
    bool asked = !opens || write(b->ask, "", 1) == 1;
    close(b->ask);
    bool answered = asked && read(b->answer, &result, 1) == 1;
    close(b->answer);
    waitpid(b->helper, NULL, 0);
    return answered ? (toll_browser_result)result : TOLL_BROWSER_NOT_FOUND;
}

#endif
