/* solana_run_logged.c - handles what programs log themselves: stretches between lines of
 * sol_log_compute_units, the instruction's name, sections. See solana_run_state.h. */
#include "solana/solana_run_state.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_LABELS = 1024, /* distinct names of stretches; further ones are numbered */
    MOST_NUMBERED = 100 /* distinct numbers of stretches */
};

static bool name_stretch(toll_solana_run *r, const toll_solana_open *v, uint32_t *name)
{
    char label[SOLANA_LABEL_SIZE];
    size_t n = toll_solana_label(label, v->log, v->log_size);
    bool known = n && toll_strtab_find(&r->tree.strings, label, n) != UINT32_MAX;
    if (n && !known && r->labels < MOST_LABELS) {
        r->labels++;
        known = true;
    }
    if (!known)
        n = (size_t)(v->stretches < MOST_NUMBERED
                         ? snprintf(label, sizeof label, "units %u", (unsigned)v->stretches)
                         : snprintf(label, sizeof label, "units %u+", (unsigned)MOST_NUMBERED));
    return toll_solana_tree_string(&r->tree, label, n, name);
}

bool toll_solana_read_remaining(toll_solana_run *r, const toll_solana_line *line)
{
    toll_solana_open *v = toll_solana_innermost(r);
    if (!v) {
        r->tree.notes[SOLANA_NOTE_STRAY]++;
        return true;
    }
    if (v->stretch != TOLL_NONE) {
        toll_solana_item *ended = &r->tree.items[v->stretch];
        ended->spent.total = v->remaining - line->number;
        if (ended->spent.total < 0) {
            ended->left_out = true;
            r->tree.notes[SOLANA_NOTE_STRETCH]++;
        }
    }
    toll_solana_item item = { .parent = v->item, .kind = ITEM_STRETCH, .spent.is_logged = true };
    v->remaining = line->number;
    v->stretches++;
    return name_stretch(r, v, &item.name) && toll_solana_tree_add(&r->tree, &item, &v->stretch);
}

static bool may_be_section(const char *text, size_t size)
{
    while (size && (*text == ' ' || *text == '\t' || *text == '"')) {
        text++;
        size--;
    }
    return size > 2 && (*text == '#' || *text == 'C' || *text == 'H');
}

/* Parse the line's text as sections, if it may contain some. */
static bool read_text(toll_solana_run *r, const toll_solana_line *line, bool *any)
{
    const toll_solana_open *v = toll_solana_section_owner(r);
    *any = false;
    return (!may_be_section(line->text, line->text_size) && !(v && v->expects_place)) ||
           toll_solana_read_sections(r, line->text, line->text_size, any);
}

/* The first line `Instruction: NAME` of an invocation names it. */
static bool name_instruction(toll_solana_run *r, const toll_solana_open *v,
                             const toll_solana_line *line)
{
    uint32_t *name = &r->tree.items[v->item].instruction;
    toll_solana_word word = toll_solana_logged_instruction(line->text, line->text_size);
    return !word.size || *name ||
           toll_solana_tree_instruction(&r->tree, word.text, word.size, name);
}

bool toll_solana_read_logged(toll_solana_run *r, const toll_solana_line *line)
{
    bool any;
    if (!read_text(r, line, &any) || (!any && !toll_solana_complete(r)))
        return false;
    toll_solana_open *v = toll_solana_innermost(r);
    if (v && !any && !name_instruction(r, v, line))
        return false;
    if (v && !any) {
        v->log_size = (uint32_t)toll_solana_label_cut(line->text, line->text_size);
        memcpy(v->log, line->text, v->log_size);
    }
    return true;
}

bool toll_solana_read_noise(toll_solana_run *r, const toll_solana_line *line)
{
    bool any;
    bool good = read_text(r, line, &any);
    r->tree.notes[SOLANA_NOTE_NOISE] += !any && line->text_size;
    return good;
}
