#include "CPlaces.h"

// '#embed' is of C23; clang has it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed("places.bin")
#error "The table of towns is not made: run Scripts/setup"
#endif

static const unsigned char places[] = {
#embed "places.bin"
};

const unsigned char *stoa_places_bytes(void) { return places; }
size_t stoa_places_length(void) { return sizeof places; }
