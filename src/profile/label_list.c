/* label_list.c - see label_list.h. */
#include "profile/label_list.h"

#include "base/array.h"
#include "base/fail.h"
#include "profile/thread_labels.h"

#include <string.h>

/* Add one piece, "KEY=VALUE", which is cut in two. */
static toll_status add_piece(toll_label_list *list, char *piece, toll_error *err)
{
    piece += strspn(piece, " \t\r");
    size_t size = strlen(piece);
    if (!size)
        return TOLL_OK;
    if (piece[size - 1] == '\r') /* a line end of Windows */
        piece[size - 1] = 0;
    char *equals = strchr(piece, '=');
    if (!equals || equals == piece || !equals[1])
        return toll_fail(err, TOLL_E_ARGUMENT, "a label is KEY=VALUE, and not '%.100s'", piece);
    if (!toll_array_grow(&list->mem, &list->items, &list->capacity, list->count, 1))
        return toll_fail_nomem(err);
    *equals = 0;
    list->items[list->count++] = (toll_thread_label){ piece, equals + 1 };
    return TOLL_OK;
}

toll_status toll_label_list_parse(toll_label_list *list, const toll_mem *mem, const char *text,
                                  toll_error *err)
{
    *list = (toll_label_list){ .mem = *mem, .text_size = strlen(text) + 1 };
    list->text = toll_mem_new(mem, list->text_size, 1);
    if (!list->text)
        return toll_fail_nomem(err);
    memcpy(list->text, text, list->text_size);
    const char *ends = strchr(text, '\n') ? "\n" : ",";
    toll_status status = TOLL_OK;
    for (char *piece = list->text, *next; !status && piece; piece = next) {
        next = strpbrk(piece, ends);
        if (next)
            *next++ = 0;
        status = add_piece(list, piece, err);
    }
    return status;
}

void toll_label_list_free(toll_label_list *list)
{
    toll_mem_free(&list->mem, list->text, list->text_size, 1);
    toll_mem_free(&list->mem, list->items, list->capacity, sizeof *list->items);
    *list = (toll_label_list){ .mem = list->mem };
}

toll_status toll_label_list_parse_set(toll_label_list *list, const toll_mem *mem, const char *text,
                                      toll_error *err)
{
    toll_status status = toll_label_list_parse(list, mem, text, err);
    for (size_t i = 0; !status && i < list->count; i++)
        status = toll_thread_label_check(&list->items[i], err);
    return status;
}

toll_status toll_labels_check(const char *labels, toll_error *err)
{
    const toll_mem mem = toll_mem_from(NULL);
    toll_label_list list;
    if (!labels)
        return toll_fail_null(err, "labels");
    toll_status status = toll_label_list_parse_set(&list, &mem, labels, err);
    toll_label_list_free(&list);
    return status;
}

bool toll_label_list_has(const toll_label_list *list, const char *key)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].key, key) == 0)
            return true;
    return false;
}

bool toll_label_list_matches(const toll_label_list *list,
                             bool (*has)(const void *of, toll_thread_label label), const void *of)
{
    for (size_t i = 0; i < list->count; i++) {
        bool found = false;
        for (size_t j = 0; !found && j < list->count; j++)
            found = strcmp(list->items[i].key, list->items[j].key) == 0 && has(of, list->items[j]);
        if (!found)
            return false;
    }
    return true;
}

/* Append the labels as lines, except those with keys in `except`, which may be NULL. */
static void put_lines(const toll_label_list *list, const toll_label_list *except,
                      toll_buffer *lines)
{
    for (size_t i = 0; i < list->count; i++) {
        if (except && toll_label_list_has(except, list->items[i].key))
            continue;
        toll_buffer_append_text(lines, list->items[i].key);
        toll_buffer_append_text(lines, "=");
        toll_buffer_append_text(lines, list->items[i].value);
        toll_buffer_append_text(lines, "\n");
    }
}

void toll_label_list_put(const toll_label_list *list, toll_buffer *lines)
{
    put_lines(list, NULL, lines);
}

toll_status toll_label_lists_join(const char *labels, const char *added, toll_buffer *lines,
                                  toll_error *err)
{
    toll_label_list before = { .mem = lines->mem }, set = { .mem = lines->mem };
    toll_status status = toll_label_list_parse_set(&before, &lines->mem, labels, err);
    if (!status)
        status = toll_label_list_parse_set(&set, &lines->mem, added, err);
    if (!status) {
        put_lines(&before, &set, lines);
        put_lines(&set, NULL, lines);
        toll_buffer_append_byte(lines, 0);
        status = lines->failed ? toll_fail_nomem(err) : TOLL_OK;
    }
    toll_label_list_free(&before);
    toll_label_list_free(&set);
    return status;
}
