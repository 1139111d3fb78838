/* cmd_control.c - toll control: sends a command to processes that toll.control has prepared, by the
 * sockets of hosts/lua/control_socket.h, and prints what they answer. */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/printable.h"

/* A process answers within two seconds, and other clients may be before us. */
enum { MOST_SECONDS = 20, LINE_SIZE = 8192, MOST_LINES = 100000 };

static const char failed_mark[] = "error: "; /* a line of the answer begins so */

/* Returns a descriptor; or -1, and errno says why. */
static int connect_to(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    const struct timeval most = { .tv_sec = MOST_SECONDS };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (!connect(fd, (const struct sockaddr *)&address, sizeof address))
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

static void put(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

/* Returns an exit status. */
static int print_line(const char *line)
{
    const size_t mark = sizeof failed_mark - 1;
    if (strncmp(line, failed_mark, mark) == 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "control: %s", line + mark);
    toll_put_printable(line, strlen(line), put, stdout);
    putchar('\n');
    return TOLL_EXIT_OK;
}

/* Print the answer, and close the connection. Returns an exit status. */
static int print_answer(int fd, const char *path)
{
    char line[LINE_SIZE];
    int status = TOLL_EXIT_OK, lines = 0;
    FILE *answer = fdopen(fd, "r");
    for (; answer && lines < MOST_LINES && fgets(line, sizeof line, answer); lines++) {
        line[strcspn(line, "\n")] = 0;
        if (print_line(line))
            status = TOLL_EXIT_BAD_INPUT;
    }
    bool is_whole = answer && feof(answer) && lines;
    if (answer)
        fclose(answer);
    else
        close(fd);
    return is_whole
               ? status
               : toll_complain(TOLL_EXIT_BAD_INPUT,
                               "control: %s: the process does not answer, or not to the end", path);
}

/* Connect and send. Returns a descriptor, from which the answer comes; or -1, and errno says why.
 */
static int send_to(const char *command, const char *path)
{
    char line[16];
    int fd = connect_to(path), length = snprintf(line, sizeof line, "%s\n", command);
    if (fd < 0 || send(fd, line, (size_t)length, MSG_NOSIGNAL) == length)
        return fd;
    int why = errno;
    close(fd);
    errno = why;
    return -1;
}

/* Send to all, and then print what they answer: processes wait for their states at the same time.
 * A socket that a process has left is no failure if another one answers. */
static int send_to_all(const char *command, char **paths, int count)
{
    int *fds = calloc((size_t)count, sizeof *fds), status = TOLL_EXIT_OK, sent = 0, left = 0;
    if (!fds)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    for (int i = 0; i < count; i++) {
        fds[i] = send_to(command, paths[i]);
        sent += fds[i] >= 0;
        if (fds[i] < 0 && errno == ECONNREFUSED) {
            left++;
            toll_complain(TOLL_EXIT_OK, "control: %s: no process answers there any more: remove it",
                          paths[i]);
        } else if (fds[i] < 0) {
            status =
                toll_complain(TOLL_EXIT_BAD_INPUT, "control: %s: %s", paths[i], strerror(errno));
        }
    }
    for (int i = 0; i < count; i++)
        if (fds[i] >= 0 && print_answer(fds[i], paths[i]))
            status = TOLL_EXIT_BAD_INPUT;
    free(fds);
    return left && !sent ? TOLL_EXIT_BAD_INPUT : status;
}

int toll_cmd_control(toll_settings *s, int argc, char **argv)
{
    static const char *const commands[] = { "on", "off", "snapshot", "status" };
    const size_t count = sizeof commands / sizeof *commands;
    size_t i = 0;
    (void)s;
    if (!argc)
        return toll_complain(TOLL_EXIT_USAGE,
                             "control: which command? on, off, snapshot or status");
    while (i < count && strcmp(argv[0], commands[i]) != 0)
        i++;
    if (i == count)
        return toll_complain(TOLL_EXIT_USAGE,
                             "control: '%s' is no command: on, off, snapshot or status", argv[0]);
    if (argc < 2)
        return toll_complain(TOLL_EXIT_USAGE,
                             "control: which sockets? toll control %s SOCKET..., those that "
                             "toll.control has named",
                             argv[0]);
    return send_to_all(argv[0], argv + 1, argc - 1);
}
