/* label_keys.c - see label_keys.h. */
#include "label_keys.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 16, LONGEST_VALUE = 40 };

typedef struct label_key {
    const char *name, *value; /* the first value found */
    uint32_t threads;
    bool differs; /* other values were found */
} label_key;

/* The first keys in order. */
typedef struct label_keys {
    label_key items[MOST_KEYS];
    unsigned count;
    bool more;
} label_keys;

static void count_label(label_keys *keys, toll_thread_label label)
{
    unsigned at = 0;
    int by = 1;
    while (at < keys->count && (by = strcmp(keys->items[at].name, label.key)) < 0)
        at++;
    if (at < keys->count && by == 0) {
        keys->items[at].threads++;
        keys->items[at].differs |= strcmp(keys->items[at].value, label.value) != 0;
        return;
    }
    if (keys->count == MOST_KEYS) {
        keys->more = true;
        if (at == MOST_KEYS)
            return;
        keys->count--;
    }
    memmove(&keys->items[at + 1], &keys->items[at], (keys->count - at) * sizeof *keys->items);
    keys->items[at] = (label_key){ label.key, label.value, 1, false };
    keys->count++;
}

static void put_keys(const label_keys *keys, uint32_t threads, char text[TOLL_LABEL_KEYS_SIZE])
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < keys->count + keys->more; i++) {
        const label_key *key = i < keys->count ? &keys->items[i] : NULL;
        bool has_value =
            key && !key->differs && key->threads == threads && strlen(key->value) <= LONGEST_VALUE;
        const char *comma = i ? ", " : "", *name = key ? key->name : "...";
        size_t size = strlen(comma) + strlen(name) + (has_value ? 1 + strlen(key->value) : 0);
        if (size >= TOLL_LABEL_KEYS_SIZE - used - sizeof ", ...") {
            strcpy(text + used, i ? ", ..." : "...");
            return;
        }
        used += (size_t)snprintf(text + used, TOLL_LABEL_KEYS_SIZE - used, "%s%s%s%s", comma, name,
                                 has_value ? "=" : "", has_value ? key->value : "");
    }
}

static bool has_key(const toll_profile *p, const char *key, size_t size)
{
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++)
        for (uint32_t i = 0; i < toll_profile_thread_label_count(p, t); i++) {
            const char *name = toll_profile_thread_label(p, t, i).key;
            if (strncmp(name, key, size) == 0 && !name[size])
                return true;
        }
    return false;
}

/* The first of the keys that some thread has, or that none has; NULL: none of them. That of the
 * names is passed over. */
static const char *find_key(const toll_profile *p, const char *keys, bool is_there, size_t *size)
{
    static const char thread[] = "thread";
    for (const char *key = keys; *key; key += *size + (key[*size] == ',')) {
        key += strspn(key, " \t");
        *size = strcspn(key, ",");
        bool is_name = *size == strlen(thread) && memcmp(key, thread, *size) == 0;
        if (*size && !is_name && has_key(p, key, *size) == is_there)
            return key;
    }
    return NULL;
}

const char *toll_unknown_label_key(const toll_profile *p, const char *keys, size_t *size)
{
    return find_key(p, keys, false, size);
}

bool toll_has_label_key(const toll_profile *p, const char *keys)
{
    size_t size;
    return find_key(p, keys, true, &size) != NULL;
}

void toll_label_keys_text(const toll_profile *p, char text[TOLL_LABEL_KEYS_SIZE])
{
    label_keys keys = { .count = 0 };
    for (uint32_t t = 0; t < toll_profile_thread_count(p); t++)
        for (uint32_t i = 0; i < toll_profile_thread_label_count(p, t); i++)
            count_label(&keys, toll_profile_thread_label(p, t, i));
    put_keys(&keys, toll_profile_thread_count(p), text);
}
