/* version.h - the version of Toll: of the headers as macros, of the library as functions.
 *
 * The three numbers below are the one place where the version is written; CMake reads them here.
 *
 * Until 1.0 each minor version may change the interface, and the shared library is called
 * libtoll.so.0.MINOR; patch versions change nothing that a program can see. From 1.0 on it is
 * libtoll.so.MAJOR, and only a major version may break a program. What is stable and what is
 * experimental is said at the top of toll.h. */
#ifndef TOLL_VERSION_H
#define TOLL_VERSION_H

#include <stdint.h>
#include <toll/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TOLL_VERSION_MAJOR 0
#define TOLL_VERSION_MINOR 1
#define TOLL_VERSION_PATCH 0

/* One number to compare, such as 100 for 0.1.0 and 10203 for 1.2.3:
 * #if TOLL_VERSION_NUMBER >= 200 */
#define TOLL_VERSION_NUMBER                                                                        \
    (TOLL_VERSION_MAJOR * 10000 + TOLL_VERSION_MINOR * 100 + TOLL_VERSION_PATCH)

/* "0.1.0" */
#define TOLL_VERSION_QUOTE_(number) #number
#define TOLL_VERSION_JOIN_(major, minor, patch)                                                    \
    TOLL_VERSION_QUOTE_(major) "." TOLL_VERSION_QUOTE_(minor) "." TOLL_VERSION_QUOTE_(patch)
#define TOLL_VERSION_STRING                                                                        \
    TOLL_VERSION_JOIN_(TOLL_VERSION_MAJOR, TOLL_VERSION_MINOR, TOLL_VERSION_PATCH)

/* The version of the library that is linked, such as "0.1.0": TOLL_VERSION_STRING of the headers it
 * was built with, which may be other ones than the program's. Never NULL, static. Threads: any.
 * Since 0.1. */
TOLL_API const char *toll_version(void);

/* The same as TOLL_VERSION_NUMBER: a program that needs what a patch version mended compares this.
 * Threads: any. Since 0.1. */
TOLL_API uint32_t toll_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
