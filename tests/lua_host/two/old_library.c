/* old_library.c - variables that a shared library needs if it is linked from Lua's archive: that
 * code refers to variables of other libraries in a way that only works in programs. No code reads
 * or writes them. */
__attribute__((visibility("hidden"))) void *stdin, *stdout, *stderr;
