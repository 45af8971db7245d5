#include <zlib.h>

// What zlib offers as a macro, which Swift does not see.

static inline int stoa_inflate_init(z_stream *stream, int is_gzip) {
    return inflateInit2(stream, is_gzip ? MAX_WBITS + 16 : MAX_WBITS);
}
