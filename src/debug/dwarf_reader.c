/* dwarf_reader.c - failures, those of libdw among them, and what is kept of each unit. See
 * dwarf_reader.h. */
#if TOLL_HAVE_LIBDW

#include "debug/dwarf_reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool toll_dwarf_no_memory(toll_dwarf_reader *r)
{
    r->no_memory = true;
    return false;
}

bool toll_dwarf_damaged(toll_dwarf_reader *r, const char *what)
{
    if (errno == ENOMEM)
        return toll_dwarf_no_memory(r);
    if (!r->result->damage[0])
        snprintf(r->result->damage, sizeof r->result->damage, "%s", what);
    return false;
}

/* --- no memory in libdw ------------------------------------------------------------------------*/

/* When memory runs out, libdw calls a handler that must not return; its own ends the process. Ours
 * leaves libdw by a jump to who entered it, after which libdw is only closed. It gets no argument,
 * so that where to jump is kept for each thread, and only meanwhile. */
static _Thread_local jmp_buf *out_of_memory;

void toll_dwarf_leave_to(jmp_buf *where)
{
    out_of_memory = where;
}

static void leave_libdw(void)
    __attribute__((noreturn)); /* as libdw declares it: part of the type */

static void leave_libdw(void)
{
    longjmp(*out_of_memory, 1);
}

Dwarf *toll_dwarf_begin(toll_dwarf_reader *r, Elf *elf)
{
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (dwarf)
        dwarf_new_oom_handler(dwarf, leave_libdw);
    else
        toll_dwarf_damaged(r, dwarf_errmsg(-1));
    return dwarf;
}

/* For each unit libdw makes tables of which it does not check that there was memory for them: it
 * then reads where there is none (elfutils 0.188: Dwarf_Abbrev_Hash_init), or ends the process. So
 * make sure before each unit that there is memory for these. */
bool toll_dwarf_reserve(toll_dwarf_reader *r)
{
    enum { RESERVE = 1 << 16 }; /* the tables of some thousand abbreviations; most have a hundred */
    toll_mem c_library = toll_mem_from(NULL);
    void *block = toll_mem_new(&c_library, 1, RESERVE);
    toll_mem_free(&c_library, block, 1, RESERVE);
    return block || toll_dwarf_no_memory(r);
}

/* --- what is kept ------------------------------------------------------------------------------*/

bool toll_dwarf_work(toll_dwarf_reader *r, uint64_t amount)
{
    if (amount > r->work_left)
        return toll_dwarf_damaged(r, "it refers to the same bytes again and again");
    r->work_left -= amount;
    return true;
}

uint32_t toll_dwarf_text(toll_dwarf_reader *r, const char *text)
{
    if (!text)
        text = "";
    size_t most = r->work_left < SIZE_MAX ? (size_t)r->work_left : SIZE_MAX;
    size_t size = strnlen(text, most);
    if (!toll_dwarf_work(r, size + 1))
        return TOLL_MAP_NONE;
    uint32_t id = toll_address_map_text(r->map, text, size);
    if (id == TOLL_MAP_NONE)
        toll_dwarf_no_memory(r);
    return id;
}

bool toll_dwarf_add_live(toll_dwarf_reader *r, uint64_t begin, uint64_t end)
{
    return toll_code_ranges_add(&r->live, &r->map->mem, begin, end) || toll_dwarf_no_memory(r);
}

#else
typedef int toll_no_dwarf_reader; /* ISO C wants something in each file */
#endif
