/* old_library.c - what a shared library needs that is made of Lua's archive: the code there reaches
 * variables of other libraries in ways that only a program can have. Nobody reads or writes them.
 */
__attribute__((visibility("hidden"))) void *stdin, *stdout, *stderr;
