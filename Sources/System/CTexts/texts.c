#include "CTexts.h"

// '#embed' is of C23; clang has it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char english[] = {
#embed "../../../Texts/en.json"
    , 0
};

const char *stoa_english_texts(void) { return english; }
