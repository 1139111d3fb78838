/* guest.c - prints its arguments and its input, and fails. */
#include <stdio.h>

static int words(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%d: %s\n", i, argv[i]);
    return argc;
}

int main(int argc, char **argv)
{
    char line[80];
    if (fgets(line, sizeof line, stdin))
        fputs(line, stdout);
    return words(argc, argv);
}
