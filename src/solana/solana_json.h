/* solana_json.h - reads logs and transactions from the JSON of RPC nodes. Called by solana_log.c
 * only. */
#ifndef TOLL_SOLANA_SOLANA_JSON_H
#define TOLL_SOLANA_SOLANA_JSON_H

#include "base/json_read.h"
#include "solana/solana.h"

/* Read documents to the end of the input. As toll_solana_read_log. */
bool toll_solana_read_json(toll_input *in, const toll_solana_log *log,
                           toll_solana_message *message);

/* Reads the value of a transaction's key into the message (solana_json_message.c). *t is the first
 * token of the value; an array or object is read to its end. False: a failure. */
typedef bool toll_solana_read_member(toll_json *json, toll_json_token t,
                                     toll_solana_message *message);
toll_solana_read_member toll_solana_read_transaction; /* ["DATA", "ENCODING"] or "DATA" */
toll_solana_read_member toll_solana_read_keys;        /* accountKeys */
toll_solana_read_member toll_solana_read_loaded;      /* loadedAddresses */
toll_solana_read_member toll_solana_read_outer;       /* instructions */
toll_solana_read_member toll_solana_read_inner;       /* innerInstructions */
toll_solana_read_member toll_solana_read_signatures;  /* signatures */
toll_solana_read_member toll_solana_read_name;        /* a string */

#endif
