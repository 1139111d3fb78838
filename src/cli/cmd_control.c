/* cmd_control.c - toll control: sends a command to processes that toll.control has prepared, by the
 * sockets of hosts/lua/control_socket.h, and prints what they answer. */
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/printable.h"

/* A process answers within two seconds, and other clients may be before us. */
enum { MOST_SECONDS = 20, LINE_SIZE = 8192 };

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

/* Print the answer, and close it. Returns an exit status. */
static int print_answer(FILE *answer, const char *path)
{
    char line[LINE_SIZE];
    int status = TOLL_EXIT_OK, lines = 0;
    for (; fgets(line, sizeof line, answer); lines++) {
        line[strcspn(line, "\n")] = 0;
        if (print_line(line))
            status = TOLL_EXIT_BAD_INPUT;
    }
    bool is_cut = ferror(answer) || !lines;
    fclose(answer);
    return is_cut ? toll_complain(TOLL_EXIT_BAD_INPUT, "control: %s: the process does not answer",
                                  path)
                  : status;
}

static int send_to(const char *command, const char *path)
{
    char line[16];
    int fd = connect_to(path), length = snprintf(line, sizeof line, "%s\n", command);
    if (fd < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "control: %s: %s", path,
                             errno == ECONNREFUSED ? "no process answers there any more"
                                                   : strerror(errno));
    FILE *answer = fdopen(fd, "r");
    if (answer && send(fd, line, (size_t)length, MSG_NOSIGNAL) == length)
        return print_answer(answer, path);
    int why = errno;
    if (answer)
        fclose(answer);
    else
        close(fd);
    return toll_complain(TOLL_EXIT_BAD_INPUT, "control: %s: %s", path, strerror(why));
}

int toll_cmd_control(toll_settings *s, int argc, char **argv)
{
    static const char *const commands[] = { "on", "off", "snapshot", "status" };
    const size_t count = sizeof commands / sizeof *commands;
    size_t i = 0;
    int status = TOLL_EXIT_OK;
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
    for (int path = 1; path < argc; path++)
        if (send_to(argv[0], argv[path]))
            status = TOLL_EXIT_BAD_INPUT;
    return status;
}
