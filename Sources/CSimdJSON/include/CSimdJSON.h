// The parser of simdjson (https://simdjson.org, libsimdjson-dev), as C sees it. Its result is read
// as it lies: a tape of 64-bit words and a buffer of texts, both documented in its doc/tape.md.

#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a text holds, until its thread reads another one or rests.
typedef struct {
    const uint64_t *tape;
    /// Words of the tape, from its first to its last, which are both of type `r`.
    size_t tape_count;
    const uint8_t *texts;
} json_tape;

/// Reads one value from a whole text by the thread's own parser; false where simdjson finds none.
bool json_parser_read(const uint8_t *bytes, size_t count, json_tape *result);

/// Frees the thread's parser if it has grown; what it has read last is gone then.
void json_parser_rest(void);

#ifdef __cplusplus
}
#endif

#endif
