/* browser.h - opens a page in the user's browser. browser_posix.c has it, browser_windows.c
 * and browser_wasi.c; each is empty elsewhere. */
#ifndef TOLL_CLI_BROWSER_H
#define TOLL_CLI_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

/* Make a folder that only this user may open, in the one for temporary files: its absolute path
 * into path[size]. False: errno says why. */
bool toll_browser_make_folder(char *path, size_t size);

typedef enum toll_browser_result {
    TOLL_BROWSER_STARTED,
    TOLL_BROWSER_NO_DISPLAY, /* nothing can show a page here, and $BROWSER names nothing */
    TOLL_BROWSER_NOT_FOUND
} toll_browser_result;

/* Start a browser with the file of that absolute path, and do not wait for it. No shell sees the
 * path. */
toll_browser_result toll_browser_open(const char *path);

/* A page that will be opened: whoever makes it may have given up the right to start programs by
 * then. So on POSIX systems a process of its own waits for the page, and can do nothing but open
 * this one. */
typedef struct toll_browser {
    const char *folder, *path; /* the page's own folder, and the page; absolute */
    int ask, answer;           /* ends of pipes to that process */
    int helper;                /* its id; 0 or less: there is none */
} toll_browser;

/* The paths must stay. */
void toll_browser_begin(toll_browser *browser, const char *folder, const char *path);

/* Open the page; or open nothing, and delete the folder unless something is in it. */
toll_browser_result toll_browser_end(toll_browser *browser, bool opens);

#endif
