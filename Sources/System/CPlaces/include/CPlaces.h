#pragma once
#include <stddef.h>

/// The table of towns, which Scripts/places makes.
const unsigned char *stoa_places_bytes(void);

/// The length of the table, in bytes.
size_t stoa_places_length(void);
