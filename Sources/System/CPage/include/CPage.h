#pragma once
#include <stddef.h>

/// The archive of the page, which Scripts/page makes.
const unsigned char *stoa_page_bytes(void);

/// The length of the archive, in bytes.
size_t stoa_page_length(void);
