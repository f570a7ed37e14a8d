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

typedef struct json_parser json_parser;

/// What a text holds, until its parser reads another one or is freed.
typedef struct {
    const uint64_t *tape;
    /// Words of the tape, from its first to its last, which are both of type `r`.
    size_t tape_count;
    const uint8_t *texts;
} json_tape;

/// Makes a parser; NULL when there is no memory.
json_parser *json_parser_make(void);

void json_parser_free(json_parser *parser);

/// Bytes of the longest text that the parser has room for.
size_t json_parser_capacity(const json_parser *parser);

/// Reads one value from a whole text; returns false where simdjson finds none.
bool json_parser_read(
    json_parser *parser, const uint8_t *bytes, size_t count, json_tape *result);

#ifdef __cplusplus
}
#endif

#endif
