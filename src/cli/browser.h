/* browser.h - opens a page in the user's browser. Implemented by browser_posix.c, browser_windows.c
 * and browser_wasi.c; each is empty on other systems. */
#ifndef TOLL_CLI_BROWSER_H
#define TOLL_CLI_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

/* Make a folder that only this user may open, inside the folder for temporary files; path[size]
 * becomes its absolute path. False: see errno. */
bool toll_browser_make_folder(char *path, size_t size);

typedef enum toll_browser_result {
    TOLL_BROWSER_STARTED,
    TOLL_BROWSER_NO_DISPLAY, /* no display for a browser, and $BROWSER is not set */
    TOLL_BROWSER_NOT_FOUND
} toll_browser_result;

/* Start a browser with the file at an absolute path, and do not wait for it. No shell interprets
 * the path. */
toll_browser_result toll_browser_open(const char *path);

/* The command that toll_browser_open would start: $BROWSER, or one that is installed; NULL: none,
 * or there is no display. The text is valid until the next call. */
const char *toll_browser_name(void);

/* A page that will be opened later. By then the process may have given up the right to start
 * programs. So on POSIX systems a helper process waits for the page, and can do nothing but open
 * it. */
typedef struct toll_browser {
    const char *folder, *path; /* the page's own folder, and the page; absolute */
    int ask, answer;           /* ends of pipes to the helper */
    int helper;                /* its process id; 0 or less: no helper */
} toll_browser;

/* The paths must remain valid. */
void toll_browser_begin(toll_browser *browser, const char *folder, const char *path);

/* Open the page; or, if `opens` is false, delete the folder unless something is in it. */
toll_browser_result toll_browser_end(toll_browser *browser, bool opens);

#endif
