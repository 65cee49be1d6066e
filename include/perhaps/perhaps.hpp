// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// All of perhaps: approximate-membership filters for C++20. A filter answers one question about a set too big to keep,
/// "is this key in it?": "no" with certainty, "perhaps" with a known error rate.
#ifndef PERHAPS_PERHAPS_HPP
#define PERHAPS_PERHAPS_HPP

#include <perhaps/batch.hpp>                    // IWYU pragma: export
#include <perhaps/bloom_filter.hpp>             // IWYU pragma: export
#include <perhaps/cardinality.hpp>              // IWYU pragma: export
#include <perhaps/concurrent_bloom_filter.hpp>  // IWYU pragma: export
#include <perhaps/counting_bloom_filter.hpp>    // IWYU pragma: export
#include <perhaps/cuckoo_filter.hpp>            // IWYU pragma: export
#include <perhaps/digest.hpp>                   // IWYU pragma: export
#include <perhaps/embedded.hpp>                 // IWYU pragma: export
#include <perhaps/fast_filters.hpp>             // IWYU pragma: export
#include <perhaps/filter_concepts.hpp>          // IWYU pragma: export
#include <perhaps/hashing.hpp>                  // IWYU pragma: export
#include <perhaps/insertion.hpp>                // IWYU pragma: export
#include <perhaps/instruction_set.hpp>          // IWYU pragma: export
#include <perhaps/key_encoding.hpp>             // IWYU pragma: export
#include <perhaps/layout/blocked.hpp>           // IWYU pragma: export
#include <perhaps/layout/classic.hpp>           // IWYU pragma: export
#include <perhaps/layout/layout.hpp>            // IWYU pragma: export
#include <perhaps/layout/split_block.hpp>       // IWYU pragma: export
#include <perhaps/many_filters.hpp>             // IWYU pragma: export
#include <perhaps/parquet.hpp>                  // IWYU pragma: export
#include <perhaps/planner.hpp>                  // IWYU pragma: export
#include <perhaps/probing.hpp>                  // IWYU pragma: export
#include <perhaps/serialization.hpp>            // IWYU pragma: export
#include <perhaps/set_estimate.hpp>             // IWYU pragma: export
#include <perhaps/sizing.hpp>                   // IWYU pragma: export
#include <perhaps/sizing/counting.hpp>          // IWYU pragma: export
#include <perhaps/sizing/cuckoo.hpp>            // IWYU pragma: export
#include <perhaps/storage.hpp>                  // IWYU pragma: export
#include <perhaps/storage/atomic_words.hpp>     // IWYU pragma: export
#include <perhaps/stored/format.hpp>            // IWYU pragma: export
#include <perhaps/stored/storable.hpp>          // IWYU pragma: export
#include <perhaps/version.hpp>                  // IWYU pragma: export
#include <perhaps/xxhash.hpp>                   // IWYU pragma: export

#include <perhaps/rolling_bloom_filter.hpp>  // IWYU pragma: export
#include <perhaps/scalable_filter.hpp>       // IWYU pragma: export
#include <perhaps/siphash.hpp>               // IWYU pragma: export
#include <perhaps/sizing/scalable.hpp>       // IWYU pragma: export
#include <perhaps/stored/chains.hpp>         // IWYU pragma: export
#include <perhaps/stored/keyed.hpp>          // IWYU pragma: export

#include <tuple>  // std::tie, which a perhaps_key is mostly made with

#endif
