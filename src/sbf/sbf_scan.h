/* sbf_scan.h - scans the files of one register trace, and compares them with code. */
#ifndef TOLL_SBF_SBF_SCAN_H
#define TOLL_SBF_SBF_SCAN_H

#include "base/input.h"
#include "sbf/sbf_elf.h"
#include "sbf/sbf_walk.h"

/* Scan both files to their ends; they are not freed. `code` may be NULL: then instructions are not
 * compared with it. Failures: TOLL_E_NOMEM, TOLL_E_IO, TOLL_E_TRUNCATED (no instruction, or half of
 * one), TOLL_E_SYNTAX (files that disagree), and those of the events. Cost: one byte is examined
 * for each instruction that is not a call or return (nor, with memory, a load or store), with code
 * all eight. Memory: 8 bytes for each level of calls. */
bool toll_sbf_scan(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code,
                   const toll_sbf_events *events, toll_sbf_counts *counts, toll_failure *failure);

/* Is every instruction that ran in the code, beginning where the code begins? Reads up to the first
 * that is not. Failures: TOLL_E_NOMEM, TOLL_E_IO. */
bool toll_sbf_compare(toll_input *regs, toll_input *insns, const toll_sbf_symbols *code, bool *out,
                      toll_failure *failure);

#endif
