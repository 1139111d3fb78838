/* completion_words.c - prints the words of a profile for the completion of shells: functions, value
 * types, threads, keys of labels. */
#include "command.h"
#include "confine.h"
#include "console.h"
#include "job.h"

#include "base/buffer.h"
#include "base/os.h"
#include "base/printable.h"
#include "base/strtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The user waits for the answer: nothing is offered of a file that takes longer. */
enum { MOST_CALLS = 5 /* of the timer: two seconds */, MOST_WORDS = 10000 };

static void end_late(void)
{
    static int calls;
    if (++calls == MOST_CALLS)
        _Exit(TOLL_EXIT_OK);
}

const char *const toll_offer_names[] = {
    [TOLL_OFFER_VALUES] = "values",   [TOLL_OFFER_FUNCTIONS] = "functions",
    [TOLL_OFFER_THREADS] = "threads", [TOLL_OFFER_LABELS] = "labels",
    [TOLL_OFFER_NAMES] = "names",
};
enum { OFFERS = sizeof toll_offer_names / sizeof *toll_offer_names };

/* Shells show the words as they are: none has a character that controls a terminal. */
static bool is_word(const char *text)
{
    size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        toll_character c = toll_character_at(text + at, size - at);
        if (c.is_control || c.code == TOLL_NOT_UTF8)
            return false;
        at += c.size;
    }
    return size > 0;
}

static void add_word(toll_strtab *words, const char *text)
{
    if (words->count < MOST_WORDS && is_word(text))
        toll_strtab_add(words, text, strlen(text)); /* without memory there are fewer words */
}

/* Add the pattern that matches the name and what contains it. */
static void add_pattern(toll_strtab *words, toll_buffer *room, const char *name)
{
    toll_buffer_clear(room);
    for (const char *c = name; *c; c++) {
        if (strchr("\\^$.|?*+()[]{}", *c))
            toll_buffer_append_byte(room, '\\');
        toll_buffer_append_byte(room, (uint8_t)*c);
    }
    add_word(words, toll_buffer_cstr(room));
}

static void add_labels(toll_strtab *words, const toll_profile *p, toll_thread_id thread)
{
    for (uint32_t i = 0; i < toll_profile_thread_label_count(p, thread); i++)
        add_word(words, toll_profile_thread_label(p, thread, i).key);
}

static void add_words(toll_strtab *words, toll_buffer *room, const toll_profile *p,
                      toll_offer offer)
{
    if (offer == TOLL_OFFER_VALUES)
        for (uint32_t i = 0; i < toll_profile_column_count(p); i++)
            add_word(words, toll_profile_column(p, i).type);
    for (uint32_t i = 0; i < toll_profile_frame_count(p); i++) {
        if (offer == TOLL_OFFER_FUNCTIONS)
            add_pattern(words, room, toll_profile_frame(p, i).name);
        if (offer == TOLL_OFFER_NAMES)
            add_word(words, toll_profile_frame(p, i).name);
    }
    for (uint32_t i = 0; i < toll_profile_thread_count(p); i++) {
        if (offer == TOLL_OFFER_THREADS)
            add_pattern(words, room, toll_profile_thread_name(p, i));
        if (offer == TOLL_OFFER_LABELS)
            add_labels(words, p, i);
    }
}

static void print_words(const toll_profile *p, toll_offer offer)
{
    toll_allocator mem = toll_c_allocator();
    toll_strtab words;
    toll_buffer room;
    toll_strtab_init(&words, &mem);
    toll_buffer_init(&room, &mem);
    add_words(&words, &room, p, offer);
    for (uint32_t id = 1; id < words.count; id++)
        printf("%s\n", toll_strtab_text(&words, id));
    toll_buffer_free(&room);
    toll_strtab_free(&words);
}

int toll_print_words(const char *what, char *path)
{
    toll_settings settings = toll_default_settings();
    toll_job job;
    toll_profile *profile = NULL;
    toll_error err;
    unsigned offer = 1;
    while (offer < OFFERS && strcmp(what, toll_offer_names[offer]) != 0)
        offer++;
    if (offer == OFFERS)
        return toll_complain(TOLL_EXIT_USAGE, "no words of a profile are called '%s'", what);
    if (!toll_os_is_file(path))
        return TOLL_EXIT_OK;
    toll_console_start_timer(end_late);
    settings.quiet = true;
    toll_confine(TOLL_CMD_REPORT, &settings, 1, &path, NULL);
    toll_job_begin(&job, &settings);
    job.keeps_labels = true;
    if (toll_job_read(&job, path, NULL, &profile, &err) == TOLL_OK)
        print_words(profile, (toll_offer)offer);
    toll_console_stop_timer();
    toll_profile_free(profile);
    return TOLL_EXIT_OK;
}
