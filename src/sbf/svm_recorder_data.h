/* svm_recorder_data.h - the state of a toll_svm_recorder, shared by svm_recorder.c (programs),
 * svm_recorder_events.c (events) and svm_recorder_profile.c (profiles).
 *
 * Whether an invocation failed, and often the name of its instruction, are known only at its end.
 * So each has a frame of its own, which gets its name then: the recorder's tree has a subtree for
 * each invocation, until these are merged by name into `kept`, every TOLL_SVM_UNNAMED invocations.
 * That bounds the memory. */
#ifndef TOLL_SBF_SVM_RECORDER_DATA_H
#define TOLL_SBF_SVM_RECORDER_DATA_H

#include "sbf/sbf_programs.h"
#include "sbf/sbf_walk.h"

#include <toll/svm_recorder.h>

enum { TOLL_SVM_UNNAMED = 256 };

typedef struct toll_svm_open {
    uint32_t program;
    uint32_t instruction; /* its name in the strings; 0: not known by its data */
    toll_frame_id frame;
    uint64_t depth;      /* frames outside it */
    uint64_t heap_units; /* to be charged before the first instruction */
    uint64_t left;       /* remaining units at its last event */
    uint64_t first_done; /* instructions before the ones that are being walked, */
    uint64_t first_left; /* and the units at that moment */
    uint64_t end_left;   /* units after them */
    uint32_t syscalls;   /* open ones */
    bool has_run;
    toll_sbf_walk walk;
} toll_svm_open;

struct toll_svm_recorder {
    toll_mem mem;
    toll_failure failure; /* of the current call */
    toll_svm_options syscalls;
    toll_solana_options own;
    toll_format_options format;
    toll_strtab strings;
    toll_solana_names names;
    toll_sbf_programs programs;
    toll_recorder *recorder;
    toll_svm *svm;
    toll_sbf_events events;
    toll_sbf_counts counts;
    uint64_t unexplained; /* units that no instruction and no system call explains */
    toll_svm_open *open;
    uint32_t depth;
    uint32_t lost; /* open invocations inside these for which there was no memory */
    size_t capacity;
    toll_frame_id
        *frames; /* of invocations; the first `used` have had theirs since the last merge */
    size_t used, frame_count, frame_capacity;
    toll_frame_id heap, rest;
    uint32_t costs;     /* the table of costs, in the strings; 0: not known */
    toll_profile *kept; /* or NULL */
};

/* Set `events` (svm_recorder_events.c). */
void toll_svm_recorder_begin_events(toll_svm_recorder *recorder);

/* Merge what the recorder has into `kept`, and empty it. No invocation must be open. */
bool toll_svm_recorder_keep(toll_svm_recorder *r);

#endif
