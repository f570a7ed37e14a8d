#include "CSimdJSON.h"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>

// Nothing is thrown across this border: simdjson reports errors as values, and memory that cannot
// be had is one of them.

namespace {

/// A parser that has read a text of more bytes is freed: it holds some fourteen times as many.
constexpr size_t kept_bytes = 128 * 1024;

struct padded_parser {
    simdjson::dom::parser simd;
    // simdjson reads past a text's end, where the memory is not ours: texts are copied to here.
    std::unique_ptr<uint8_t[]> padded;
    size_t capacity = 0;

    bool reserve(size_t count)
    {
        if (count <= capacity) return true;
        padded.reset(new (std::nothrow) uint8_t[count + simdjson::SIMDJSON_PADDING]());
        capacity = padded ? count : 0;
        return padded != nullptr;
    }
};

// One for each thread, which ends with it: nothing is shared, so nothing has to be locked.
thread_local std::unique_ptr<padded_parser> parser;

}

bool json_parser_read(const uint8_t *bytes, size_t count, json_tape *result)
{
    if (!parser) parser.reset(new (std::nothrow) padded_parser);
    if (!parser || count == 0 || !parser->reserve(count)) return false;
    std::memcpy(parser->padded.get(), bytes, count);
    simdjson::dom::element root;
    if (parser->simd.parse(parser->padded.get(), count, false).get(root) != simdjson::SUCCESS)
        return false;
    const simdjson::dom::document &read = parser->simd.doc;
    result->tape = read.tape.get();
    // The first word says where the last one is.
    result->tape_count = size_t(read.tape[0] & simdjson::internal::JSON_VALUE_MASK);
    result->texts = read.string_buf.get();
    return true;
}

void json_parser_rest(void)
{
    if (parser && parser->capacity > kept_bytes) parser.reset();
}
