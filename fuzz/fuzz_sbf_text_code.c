/* fuzz_sbf_text_code.c - fuzzes the disassembler of Solana's instructions. The first byte is the
 * machine's version, the others are code: each instruction has a printable text of bounded size,
 * and instructions fill the code without gaps. Then asks for names of functions of that code: by
 * its shape, by its system calls, and by what they log. */
#include "fuzz_format.h"

#include "sbf/sbf_evidence.h"
#include "sbf/sbf_library.h"
#include "sbf/sbf_logged.h"
#include "sbf/sbf_text.h"

#include <string.h>

static void see(const char *what, const char *name)
{
    if (name)
        fuzz_see(what, name, strlen(name));
}

static void name_functions(const toll_mem *mem, const uint8_t *text, size_t size)
{
    enum { MOST = 16 }; /* asked for: each may read all the code */
    toll_sbf_starts starts = { 0 };
    fuzz_require(toll_sbf_starts_find(&starts, mem, text, size), "no memory for starts");
    for (size_t pc = 0; pc < starts.slots && pc < MOST; pc++) {
        see("shapes", toll_sbf_library_name(text, size, pc));
        see("system calls", toll_sbf_evidence(&starts, text, pc));
    }
    toll_sbf_starts_free(&starts, mem);
}

/* Constants are at address 1, and then the code itself. */
static void name_logging(const toll_mem *mem, const uint8_t *text, size_t size)
{
    static const char begin[] = "Instruction: TransferInstruction: Burn";
    toll_buffer data;
    toll_sbf_logged logged;
    toll_buffer_init(&data, mem);
    fuzz_require(toll_buffer_append(&data, begin, sizeof begin - 1) &&
                     toll_buffer_append(&data, text, size),
                 "no memory for constants");
    const toll_sbf_constants constants = { data.data, data.size, 1 };
    fuzz_require(toll_sbf_logged_find(&logged, mem, text, size, &constants), "no memory");
    for (size_t i = 0; i < logged.count; i++) {
        fuzz_require(logged.items[i].slot < size / TOLL_SBF_SLOT_SIZE, "a function elsewhere");
        fuzz_require(!i || logged.items[i - 1].slot < logged.items[i].slot, "no order");
        see("logged", toll_sbf_logged_name(&logged, logged.items[i].slot));
    }
    toll_sbf_logged_free(&logged);
    toll_buffer_free(&data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_mem mem = toll_c_allocator();
    toll_buffer text;
    if (size == 0)
        return 0;
    toll_sbf_code code = { .text = data + 1,
                           .slots = (size - 1) / TOLL_SBF_SLOT_SIZE,
                           .version = data[0] % 5 };
    uint64_t pc = 0;
    toll_buffer_init(&text, &mem);
    for (; pc < code.slots; pc += toll_sbf_slots_at(&code, pc)) {
        toll_buffer_clear(&text);
        fuzz_require(toll_sbf_append_text(&text, &code, pc), "no memory for a text");
        fuzz_require(text.size >= 4 && text.size < 100, "a text too short or too long");
        fuzz_see("texts", text.data, text.size);
        for (size_t i = 0; i < text.size; i++)
            fuzz_require(text.data[i] >= ' ' && text.data[i] < 0x7f, "no printable text");
    }
    fuzz_require(pc == code.slots, "an instruction beyond the code");
    toll_buffer_free(&text);
    name_functions(&mem, data + 1, size - 1);
    name_logging(&mem, data + 1, size - 1);
    return 0;
}
