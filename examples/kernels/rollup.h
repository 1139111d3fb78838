/* rollup.h - the functions that a smart rollup's kernel may call, and the parts of a libc that it
 * needs. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("smart_rollup_core"), import_name(#name))) name
#define EXPORT(name) __attribute__((export_name(#name))) name

typedef struct input_info {
    int32_t level;
    int32_t id;
} input_info;

int32_t IMPORT(read_input)(input_info *info, void *to, uint32_t most);
int32_t IMPORT(write_output)(const void *from, uint32_t size);
void IMPORT(write_debug)(const char *text, uint32_t size);
int32_t IMPORT(store_has)(const char *key, uint32_t key_size);
int32_t IMPORT(store_read)(const char *key, uint32_t key_size, uint32_t offset, void *to,
                           uint32_t most);
int32_t IMPORT(store_write)(const char *key, uint32_t key_size, uint32_t offset, const void *from,
                            uint32_t size);
int32_t IMPORT(store_value_size)(const char *key, uint32_t key_size);
int32_t IMPORT(store_delete)(const char *key, uint32_t key_size);
int32_t IMPORT(store_copy)(const char *from, uint32_t from_size, const char *to, uint32_t to_size);
int32_t IMPORT(store_move)(const char *from, uint32_t from_size, const char *to, uint32_t to_size);
int64_t IMPORT(store_list_size)(const char *key, uint32_t key_size);
int32_t IMPORT(store_get_nth_key)(const char *key, uint32_t key_size, int64_t index, char *to,
                                  uint32_t most);
int32_t IMPORT(reveal_preimage)(const void *hash, uint32_t hash_size, void *to, uint32_t most);
int32_t IMPORT(reveal_metadata)(void *to, uint32_t most);

enum { MAX_MESSAGE = 4096, MAX_CHUNK = 2048, MAX_KEY = 240 };
enum { INTERNAL = 0, EXTERNAL = 1 };                               /* a message's first byte */
enum { START_OF_LEVEL = 1, END_OF_LEVEL = 2, INFO_PER_LEVEL = 3 }; /* an internal one's second */

/* A text, made piece by piece; what does not fit is omitted. */
typedef struct text {
    uint32_t size;
    char bytes[MAX_KEY];
} text;

void text_add(text *t, const char *piece);
void text_add_hex(text *t, const uint8_t *bytes, uint32_t count);
void text_add_number(text *t, uint64_t number);

void debug(const char *message);
/* A section of the profile, of that name, begins and ends here. */
void section_start(const char *name);
void section_end(const char *name);

/* Numbers in the store, of 8 bytes; 0 where there is none. */
uint64_t store_number(const text *key);
void store_set_number(const text *key, uint64_t number);

/* Ask for another kernel_run at this level. */
void ask_for_reboot(void);
