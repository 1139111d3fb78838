/* facts.c - see facts.h. */
#include "facts.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "modules.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <toll/embedder.h>

enum { MOST_FACTS = 16, MOST_MODULES = 8 };

static struct {
    toll_thread_label set[MOST_FACTS]; /* by the embedder: our copies */
    uint32_t count;
} facts;

int host_set_fact(const char *key, const char *value)
{
    uint32_t i = 0;
    while (i < facts.count && strcmp(facts.set[i].key, key) != 0)
        i++;
    if (!*key || key[strspn(key, "abcdefghijklmnopqrstuvwxyz_")])
        return toll_fail(host_error(), TOLL_E_ARGUMENT,
                         "a fact's key has the letters a to z and _, not '%.60s'", key);
    if (i == MOST_FACTS)
        return toll_fail(host_error(), TOLL_E_LIMIT, "more than %d facts", MOST_FACTS);
    char *new_value = strdup(value), *new_key = i < facts.count ? NULL : strdup(key);
    if (!new_value || (i == facts.count && !new_key)) {
        free(new_value);
        free(new_key);
        return toll_fail_nomem(host_error());
    }
    if (i < facts.count) {
        free((char *)facts.set[i].value);
        facts.set[i].value = new_value;
    } else {
        facts.set[facts.count++] = (toll_thread_label){ new_key, new_value };
    }
    return TOLL_OK;
}

/* Append "app.wasm 3f2a..." or a table's name, and a NUL. Returns where it begins. */
static size_t put(toll_buffer *texts, toll_wasm_bytes name, toll_wasm_bytes more)
{
    size_t begin = texts->size;
    toll_buffer_append(texts, name.data, name.size);
    if (more.size) {
        toll_buffer_append_byte(texts, ' ');
        toll_buffer_append(texts, more.data, more.size);
    }
    toll_buffer_append_byte(texts, 0);
    return begin;
}

toll_status host_add_run(toll_profile *p)
{
    static const char *const keys[] = { "costs", "module", "compiler" };
    enum { KEYS = sizeof keys / sizeof *keys };
    toll_thread_label all[MOST_FACTS + KEYS * MOST_MODULES + 1];
    size_t at[KEYS * MOST_MODULES];
    const toll_mem mem = toll_mem_from(NULL);
    const toll_wasm_bytes none = { NULL, 0 };
    toll_buffer texts;
    uint32_t count = 0, modules = 0;
    toll_buffer_init(&texts, &mem);
    for (const host_module *m = host_modules(); m && modules < MOST_MODULES; m = m->next) {
        size_t *of_module = at + (size_t)KEYS * modules++;
        of_module[0] = put(&texts, m->info.costs, none);
        of_module[1] = put(&texts, m->info.file, m->info.build_id);
        of_module[2] = put(&texts, m->info.compilers, none);
    }
    if (texts.failed) {
        toll_buffer_free(&texts);
        return toll_fail_nomem(host_error());
    }
    for (uint32_t i = 0; i < KEYS * modules; i++)
        all[count++] = (toll_thread_label){ keys[i % KEYS], (const char *)texts.data + at[i] };
    for (uint32_t i = 0; i < facts.count; i++)
        all[count++] = facts.set[i];
    all[count++] = (toll_thread_label){ "toll", TOLL_VERSION_STRING };
    toll_status status = toll_profile_add_run(p, all, count, host_error());
    toll_buffer_free(&texts);
    return status;
}
