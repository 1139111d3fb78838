/* setjmp.h - for bench/wasm/programs.sh: Lua includes it, but the program never fails, so that the
 * libc's lack of it does not matter. */
#include <stdlib.h>

#define luai_jmpbuf int
#define LUAI_THROW(L, c) abort()
#define LUAI_TRY(L, c, a)                                                                          \
    {                                                                                              \
        a                                                                                          \
    }
