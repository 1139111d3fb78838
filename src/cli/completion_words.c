/* completion_words.c - prints the words of a profile for the completion of shells: functions, value
 * types, threads, keys of labels. */
#include "command.h"
#include "confine.h"
#include "job.h"

#include "base/os.h"
#include "base/strtab.h"

#include <stdio.h>
#include <string.h>

/* Completion must answer while the user waits: nothing is offered of a file that takes longer. */
enum { MOST_BYTES = 16 << 20, MOST_WORDS = 10000 };

const char *const toll_offer_names[] = {
    [TOLL_OFFER_VALUES] = "values",
    [TOLL_OFFER_FUNCTIONS] = "functions",
    [TOLL_OFFER_THREADS] = "threads",
    [TOLL_OFFER_LABELS] = "labels",
};
enum { OFFERS = sizeof toll_offer_names / sizeof *toll_offer_names };

/* Words are lines: a name with a line end or another control character is none. */
static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    return *text != 0;
}

static void add_word(toll_strtab *words, const char *text)
{
    if (words->count < MOST_WORDS && is_word(text))
        toll_strtab_add(words, text, strlen(text)); /* without memory there are fewer words */
}

static void add_labels(toll_strtab *words, const toll_profile *p, toll_thread_id thread)
{
    for (uint32_t i = 0; i < toll_profile_thread_label_count(p, thread); i++)
        add_word(words, toll_profile_thread_label(p, thread, i).key);
}

static void add_words(toll_strtab *words, const toll_profile *p, toll_offer offer)
{
    if (offer == TOLL_OFFER_VALUES)
        for (uint32_t i = 0; i < toll_profile_column_count(p); i++)
            add_word(words, toll_profile_column(p, i).type);
    if (offer == TOLL_OFFER_FUNCTIONS)
        for (uint32_t i = 0; i < toll_profile_frame_count(p); i++)
            add_word(words, toll_profile_frame(p, i).name);
    for (uint32_t i = 0; i < toll_profile_thread_count(p); i++) {
        if (offer == TOLL_OFFER_THREADS)
            add_word(words, toll_profile_thread_name(p, i));
        if (offer == TOLL_OFFER_LABELS)
            add_labels(words, p, i);
    }
}

static void print_words(const toll_profile *p, toll_offer offer)
{
    toll_allocator mem = toll_c_allocator();
    toll_strtab words;
    toll_strtab_init(&words, &mem);
    add_words(&words, p, offer);
    for (uint32_t id = 1; id < words.count; id++)
        printf("%s\n", toll_strtab_text(&words, id));
    toll_strtab_free(&words);
}

int toll_print_words(const char *what, char *path)
{
    toll_settings settings = toll_default_settings();
    toll_os_info info;
    toll_job job;
    toll_profile *profile = NULL;
    toll_error err;
    unsigned offer = 1;
    while (offer < OFFERS && strcmp(what, toll_offer_names[offer]) != 0)
        offer++;
    if (offer == OFFERS)
        return toll_complain(TOLL_EXIT_USAGE, "no words of a profile are called '%s'", what);
    if (!toll_os_look(path, &info) || info.kind != TOLL_OS_REGULAR || info.size > MOST_BYTES)
        return TOLL_EXIT_OK;
    settings.quiet = true;
    toll_confine(TOLL_CMD_REPORT, &settings, 1, &path, NULL);
    toll_job_begin(&job, &settings);
    job.keeps_labels = true;
    if (toll_job_read(&job, path, NULL, &profile, &err) == TOLL_OK)
        print_words(profile, (toll_offer)offer);
    toll_profile_free(profile);
    return TOLL_EXIT_OK;
}
