/* guest_options.c - see guest_options.h. */
#include "guest_options.h"

#include <stdio.h>

#if TOLL_HAVE_SOLANA
/* The Solana options on the command line, for the warning that they are not used. */
static const char *given_of_solana(const toll_settings *s, char *text, size_t size)
{
    const struct {
        const char *name;
        bool is_given;
    } options[] = { { "--idl", s->idls.count != 0 },
                    { "--by-transaction", s->solana.by_transaction != 0 },
                    { "--elf", s->elfs.count != 0 },
                    { "--logs", s->solana.logs != NULL },
                    { "--costs", s->costs != NULL } };
    size_t used = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].is_given)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     options[i].name);
    return used ? text : NULL;
}

static toll_reader_options of_solana(toll_settings *s)
{
    toll_solana_options *o = &s->solana;
    o->size = sizeof *o;
    o->elfs = s->elfs.items;
    o->elf_count = s->elfs.count;
    o->project = ".";
    o->idls = s->idls.items;
    o->idl_count = s->idls.count;
    o->costs = s->costs;
    o->lines = s->lines;
    return (toll_reader_options){ "solana", o, given_of_solana(s, s->unused, sizeof s->unused) };
}
#endif

/* Folded stacks have no name for their value. With --unit, --value names it; without, --value
 * selects a column, and must match its name. */
static toll_reader_options of_folded(toll_settings *s)
{
    s->folded.size = sizeof s->folded;
    s->folded.value = s->folded.unit ? s->format.value : NULL;
    return (toll_reader_options){ "folded", &s->folded, s->folded.unit ? "--unit" : NULL };
}

size_t toll_choose_guest_options(toll_settings *s)
{
    size_t count = 0;
    s->readers[count++] = of_folded(s);
#if TOLL_HAVE_SOLANA
    s->readers[count++] = of_solana(s);
#endif
#if TOLL_HAVE_SUPCOM
    s->supcom.size = sizeof s->supcom;
    s->readers[count++] = (toll_reader_options){ "supcom", &s->supcom, NULL };
#endif
    return count;
}
