/* solana_folder.c - see solana_folder.h. */
#include "solana/solana_folder.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *name, const char *suffix)
{
    size_t size = strlen(name), n = strlen(suffix);
    return size > n && strcmp(name + size - n, suffix) == 0;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

bool toll_solana_folder_list(toll_solana_folder *out, toll_os_folder *folder, const char *path,
                             const char *suffix, toll_strtab *strings, toll_failure *failure)
{
    const char *name;
    while ((name = toll_os_folder_next(folder)) != NULL) {
        if (!ends_in(name, suffix))
            continue;
        uint32_t id = toll_strtab_add(strings, name, strlen(name));
        if (id == UINT32_MAX ||
            !toll_array_grow(&strings->mem, &out->names, &out->capacity, out->count, 1))
            return toll_no_memory(failure);
        out->names[out->count++] = toll_strtab_text(strings, id);
    }
    if (errno)
        return toll_ok(failure, toll_fail(failure->err, TOLL_E_IO, "%s: cannot read the folder: %s",
                                          path, strerror(errno)));
    if (out->count)
        qsort(out->names, out->count, sizeof *out->names, compare_names);
    return true;
}

void toll_solana_folder_free(toll_solana_folder *list, const toll_mem *mem)
{
    toll_mem_free(mem, list->names, list->capacity, sizeof *list->names);
    *list = (toll_solana_folder){ 0 };
}
