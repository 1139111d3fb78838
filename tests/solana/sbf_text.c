/* sbf_text.c EXPECTED - instructions of Solana's virtual machine as text: each line of the file has
 * a version, the bytes of an instruction, and what the disassembler of the crate solana-sbpf 0.14.4
 * writes of it, with +N and -N for the labels that it is given for jumps. */
#include "sbf/sbf_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 40, PC = 20 };

static const char *name_at(void *user, uint64_t pc)
{
    (void)user;
    return pc == PC + 10 ? "work" : NULL;
}

static size_t read_bytes(const char *digits, uint8_t *bytes)
{
    size_t count = 0;
    for (; digits[0] && digits[1]; digits += 2) {
        char pair[3] = { digits[0], digits[1], 0 };
        bytes[count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}

/* Whether the instruction of a line has the text that is expected. */
static int check(char *line)
{
    uint8_t text[SLOTS * TOLL_SBF_SLOT_SIZE] = { 0 };
    char *digits = strchr(line, ' ') + 1, *expected = strchr(digits, ' ') + 1;
    toll_sbf_code code = { .text = text,
                           .slots = SLOTS,
                           .version = (unsigned)strtoul(line, NULL, 10),
                           .function_at = name_at };
    toll_mem mem = toll_c_allocator();
    toll_buffer out;
    expected[strcspn(expected, "\n")] = 0;
    expected[-1] = 0;
    size_t size = read_bytes(digits, text + PC * TOLL_SBF_SLOT_SIZE);
    toll_buffer_init(&out, &mem);
    int good = toll_sbf_append_text(&out, &code, PC) &&
               toll_sbf_slots_at(&code, PC) == size / TOLL_SBF_SLOT_SIZE &&
               strcmp(toll_buffer_cstr(&out), expected) == 0;
    if (!good)
        fprintf(stderr, "%s is '%s', not '%s'\n", digits, toll_buffer_cstr(&out), expected);
    toll_buffer_free(&out);
    return good;
}

int main(int argc, char **argv)
{
    char line[256];
    unsigned good = 0, bad = 0;
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    while (f && fgets(line, sizeof line, f))
        *(check(line) ? &good : &bad) += 1;
    if (f)
        fclose(f);
    printf("%u instructions as in solana-sbpf, %u others\n", good, bad);
    return good > 1000 && bad == 0 ? 0 : 1;
}
