#include <zlib.h>

// inflateInit2 is a macro, which Swift cannot call. 16 more than the widest window takes gzip only.
static inline int fresnel_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, 16 + MAX_WBITS);
}
