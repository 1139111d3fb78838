/* fuzz_solana_idl_code.c - fuzzes IDLs of Solana's programs: any bytes are an IDL, or refused with
 * a message. A name that is found by data exists in the IDL. */
#include "fuzz_format.h"

#include "solana/solana.h"

static void look_up(const toll_solana_names *names)
{
    static const char id[] = "Swap111111111111111111111111111111111111111";
    const toll_solana_idl_program *idl = toll_solana_idl_find(&names->idls, id, sizeof id - 1);
    for (unsigned i = 0; idl && i < 256; i++) {
        const uint8_t data[SOLANA_DATA_HEAD] = { (uint8_t)i, 2, 3, 4, 5, 6, 7, 8 };
        toll_solana_word word =
            toll_solana_idl_instruction(&names->idls, idl, data, i % (SOLANA_DATA_HEAD + 1));
        fuzz_see("words", word.text, word.size);
        fuzz_require(strlen(word.text) >= word.size, "a name beyond its end");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    toll_budget budget = { .limit = FUZZ_BUDGET };
    toll_allocator a = toll_budget_allocator(&budget);
    toll_mem mem = toll_mem_from(&a);
    const toll_format_options options = { .size = sizeof options };
    toll_error err = { TOLL_OK, "" };
    toll_failure failure = { .err = &err };
    toll_solana_names names;
    toll_input *in;
    if (toll_input_from_memory(&a, data, size, "idl.json", &in, NULL))
        return 0;
    toll_solana_names_init(&names, &mem);
    if (toll_solana_idl_read(&names.idls, in, NULL, "idl.json", &options, &failure))
        look_up(&names);
    else
        fuzz_require(failure.status && err.text[0], "a failure without a message");
    fuzz_see_failure(failure.status, &err);
    toll_solana_names_free(&names);
    toll_input_free(in);
    fuzz_require(budget.used == 0, "a leak");
    return 0;
}
