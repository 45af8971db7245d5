// The entry of libFuzzer for programs with a main function of their own.
//
// Source: LLVM, "libFuzzer – a library for coverage-guided fuzz testing", section "Using libFuzzer
// as a library".

#ifndef STOA_CFUZZER_SHIM_H
#define STOA_CFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argc,
    char ***argv,
    int (*run)(const uint8_t *bytes, size_t count)
);

#endif
