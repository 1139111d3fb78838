/* solana_folder.h - lists the names of the files in a folder, sorted. */
#ifndef TOLL_SOLANA_SOLANA_FOLDER_H
#define TOLL_SOLANA_SOLANA_FOLDER_H

#include "base/fail.h"
#include "base/os.h"
#include "base/strtab.h"

typedef struct toll_solana_folder {
    const char **names; /* in the strings */
    size_t count, capacity;
} toll_solana_folder;

/* Add the names that end in `suffix`, sorted. *out is empty before. The caller frees it, also on
 * failure: TOLL_E_NOMEM, TOLL_E_IO. */
bool toll_solana_folder_list(toll_solana_folder *out, toll_os_folder *folder, const char *path,
                             const char *suffix, toll_strtab *strings, toll_failure *failure);
void toll_solana_folder_free(toll_solana_folder *list, const toll_mem *mem);

#endif
