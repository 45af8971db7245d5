#include <zlib.h>

// What zlib offers as a macro, which Swift does not see.

static inline int stoa_inflate_init(z_stream *stream) { return inflateInit(stream); }
