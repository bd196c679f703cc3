// simd.hpp: function multiversioning: loops over row masks, also compiled for wide vectors.
//
// A package is built for every x86 there is. What is marked is compiled three times, and the
// loader takes the one that suits the machine. Elsewhere the mark means nothing, nor under
// sanitizers, which start too late for it, nor in `make odr-check`, where GCC would take each
// function and its dispatcher for two definitions.
#pragma once

#include <cstdlib> // says whether this is glibc, whose loader can choose

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(REASONS_LTO_ODR)
#define REASONS_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define REASONS_WIDE
#endif
