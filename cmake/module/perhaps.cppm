// SPDX-License-Identifier: BSL-1.0
//
// import perhaps; gives the public names of <perhaps/perhaps.hpp>. The entities are the header's own, so translation
// units that import and others that include go together in one program. Macros are not exported: PERHAPS_VERSION_MAJOR
// and its like are perhaps::version here. A test compares this list with the headers.
module;

#include <perhaps/perhaps.hpp>

export module perhaps;

export namespace perhaps {

// Filters
using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::ErasableFilter;
using perhaps::Filter;
using perhaps::MergeableFilter;

// Sizing
using perhaps::any_counter_reaches;
using perhaps::bloom_parameters;
using perhaps::BloomParameters;
using perhaps::BloomTarget;
using perhaps::collision_fpr;
using perhaps::counter_reaches;
using perhaps::counting_parameters;
using perhaps::CountingParameters;
using perhaps::cuckoo_fpr;
using perhaps::cuckoo_parameters;
using perhaps::CuckooParameters;
using perhaps::CuckooTarget;
using perhaps::current_fpr;
using perhaps::exact_fpr;
using perhaps::expected_fill;
using perhaps::expected_fpr;
using perhaps::fan_bound;
using perhaps::FilterKind;
using perhaps::fingerprint_bits_for;
using perhaps::max_fingerprint_bits;
using perhaps::max_hashes;
using perhaps::max_keys;
using perhaps::min_fingerprint_bits;
using perhaps::optimal_hashes;
using perhaps::Plan;
using perhaps::plan_filters;
using perhaps::try_bloom_parameters;
using perhaps::try_counting_parameters;
using perhaps::try_cuckoo_parameters;
using perhaps::try_fingerprint_bits_for;

// Estimates
using perhaps::estimate_sets;
using perhaps::estimated_keys;
using perhaps::SetEstimate;

// Hash policies, keys and digests
using perhaps::combine;
using perhaps::Digest;
using perhaps::digest_of;
using perhaps::EncodableKey;
using perhaps::HashPolicy;
using perhaps::HasPerhapsKey;
using perhaps::key_encoding_version;
using perhaps::mix_word;
using perhaps::MixedHash;
using perhaps::StatesItsWidth;
using perhaps::XxHash3;

// Probes, layouts, storage
using perhaps::DoubleHashing;
using perhaps::EnhancedDoubleHashing;
using perhaps::fast_range;
using perhaps::OwnedWords;
using perhaps::ProbeSequence;
using perhaps::RotatingDoubleHashing;
using perhaps::Scattered;
using perhaps::Storage;

using perhaps::Version;
using perhaps::version;

}  // namespace perhaps
