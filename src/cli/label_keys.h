/* label_keys.h - lists the keys of a profile's labels, for messages. */
#ifndef TOLL_CLI_LABEL_KEYS_H
#define TOLL_CLI_LABEL_KEYS_H

#include <stdbool.h>
#include <toll/profile.h>

enum { TOLL_LABEL_KEYS_SIZE = 200 };

/* Print the first keys in order, with the value if all threads have the same one: "commit=3f2a,
 * host"; "" if there are no labels. */
void toll_label_keys_text(const toll_profile *profile, char text[TOLL_LABEL_KEYS_SIZE]);

/* The first of these keys ("host,thread") that no thread has, *size bytes; NULL: all keys exist. */
const char *toll_unknown_label_key(const toll_profile *profile, const char *keys, size_t *size);

/* Has any thread one of these keys? */
bool toll_has_label_key(const toll_profile *profile, const char *keys);

#endif
