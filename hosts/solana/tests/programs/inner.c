/* inner.c - what outer.c invokes: a section of the same name as one of its caller's. Fails if the
 * data says so. */
#include "solana.h"

u64 entrypoint(const u8 *bytes)
{
    program_input input = read_input(bytes);
    work(15);
    toll_start("inner");
    work(25);
    toll_end("inner");
    work(35);
    return input.data_size > 0 && input.data[0] ? 7 : 0;
}
