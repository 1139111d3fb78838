/* pipes.c - a guest that uses pipes: `pipes copy` copies its input, `pipes poll` prints when there
 * is input, `pipes closed` writes until that fails. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int copy(void)
{
    char bytes[5000];
    ssize_t size, sum = 0;
    while ((size = read(0, bytes, sizeof bytes)) > 0) {
        for (ssize_t done = 0, step; done < size; done += step)
            if ((step = write(1, bytes + done, (size_t)(size - done))) < 0)
                return 2;
        sum += size;
    }
    fprintf(stderr, "%ld bytes%s\n", (long)sum, size < 0 ? strerror(errno) : "");
    return 0;
}

static int wait_for_input(void)
{
    struct pollfd one = { .fd = 0, .events = POLLIN };
    char bytes[100];
    for (int i = 0; i < 3; i++) {
        int ready = poll(&one, 1, i == 0 ? 20 : 20000);
        ssize_t size = ready > 0 ? read(0, bytes, sizeof bytes) : -1;
        printf("%d ready, %ld bytes\n", ready, (long)size);
        fflush(stdout);
    }
    return 0;
}

static int closed(void)
{
    char bytes[1000] = "x";
    for (;;)
        if (write(1, bytes, sizeof bytes) < 0) {
            fprintf(stderr, "%s\n", errno == EPIPE ? "EPIPE" : strerror(errno));
            return 7;
        }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    return strcmp(what, "copy") == 0   ? copy()
           : strcmp(what, "poll") == 0 ? wait_for_input()
                                       : closed();
}
