#include "CPage.h"

// '#embed' is of C23; clang has it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed("page.bin")
#error "The page is not built: run Scripts/setup"
#endif

static const unsigned char page[] = {
#embed "page.bin"
};

const unsigned char *stoa_page_bytes(void) { return page; }
size_t stoa_page_length(void) { return sizeof page; }
