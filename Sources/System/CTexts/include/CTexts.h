#pragma once

/// The bytes of Texts/en.json, ended by a zero.
const char *stoa_english_texts(void);
