// SPDX-License-Identifier: BSL-1.0
//
// import perhaps; gives the public names of <perhaps/perhaps.hpp> and <perhaps/files.hpp>. The entities are the
// headers' own, so translation units that import and others that include go together in one program. Macros are not
// exported: PERHAPS_VERSION_MAJOR and its like are perhaps::version here. A test compares this list with the headers.
module;

#include <perhaps/files.hpp>
#include <perhaps/perhaps.hpp>

export module perhaps;

export namespace perhaps {

// Filters
using perhaps::AnswerIterator;
using perhaps::any_may_contain;
using perhaps::BatchLookups;
using perhaps::BloomFilter;
using perhaps::BloomFilterView;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::ErasableFilter;
using perhaps::FastBloomFilter;
using perhaps::FastCountingBloomFilter;
using perhaps::Filter;
using perhaps::Insertions;
using perhaps::KeyIterators;
using perhaps::KeyRange;
using perhaps::MergeableFilter;
using perhaps::RollingBloomFilter;
using perhaps::ScalableFilter;
using perhaps::which_may_contain;
using perhaps::operator|;
using perhaps::operator&;
using perhaps::operator==;

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
using perhaps::KeysInMemory;
using perhaps::max_fingerprint_bits;
using perhaps::max_hashes;
using perhaps::max_keys;
using perhaps::min_fingerprint_bits;
using perhaps::optimal_hashes;
using perhaps::Plan;
using perhaps::plan_filters;
using perhaps::plan_lowest_fpr;
using perhaps::plan_most_keys;
using perhaps::RateInMemory;
using perhaps::rolling_parameters;
using perhaps::RollingTarget;
using perhaps::scalable_stage;
using perhaps::ScalableStage;
using perhaps::ScalableTarget;
using perhaps::try_bloom_parameters;
using perhaps::try_counting_parameters;
using perhaps::try_cuckoo_parameters;
using perhaps::try_fingerprint_bits_for;

// Estimates
using perhaps::estimate_sets;
using perhaps::estimated_blocked_keys;
using perhaps::estimated_keys;
using perhaps::set_estimate;
using perhaps::SetEstimate;
using perhaps::try_estimate_sets;

// Hash policies, keys and digests
using perhaps::combine;
using perhaps::default_digest_bits;
using perhaps::Digest;
using perhaps::digest;
using perhaps::digest_of;
using perhaps::EncodableKey;
using perhaps::HasDigestBits;
using perhaps::HashPolicy;
using perhaps::HasPerhapsKey;
using perhaps::key_encoding_version;
using perhaps::mix_word;
using perhaps::MixedHash;
using perhaps::object_bytes;
using perhaps::SipHash;
using perhaps::XxHash3;
using perhaps::XxHash3_128;

// Saving, loading, views
using perhaps::describe;
using perhaps::describe_filter_kind;
using perhaps::describe_hash;
using perhaps::describe_keys;
using perhaps::describe_layout;
using perhaps::describe_probes;
using perhaps::FileError;
using perhaps::FileFailure;
using perhaps::FileReason;
using perhaps::FormatError;
using perhaps::FormatFailure;
using perhaps::FormatReason;
using perhaps::from_bytes;
using perhaps::load;
using perhaps::load_into;
using perhaps::LoadResult;
using perhaps::MappedFilter;
using perhaps::read;
using perhaps::save;
using perhaps::StorableFilter;
using perhaps::stored_format_version;
using perhaps::stored_header_bytes;
using perhaps::stored_size;
using perhaps::StoredHeader;
using perhaps::to_bytes;
using perhaps::try_from_bytes;
using perhaps::try_load;
using perhaps::try_read;
using perhaps::try_save;
using perhaps::try_stored_header;
using perhaps::try_view_bytes;
using perhaps::try_write;
using perhaps::Verify;
using perhaps::view_bytes;
using perhaps::write;

// Parquet
using perhaps::from_parquet;
using perhaps::from_parquet_bits;
using perhaps::ParquetBlock;
using perhaps::ParquetFilter;
using perhaps::ParquetHash;
using perhaps::to_parquet;
using perhaps::to_parquet_bits;
using perhaps::try_from_parquet;
using perhaps::try_from_parquet_bits;

// Probes, layouts, storage, instruction sets
using perhaps::AllocatingStorage;
using perhaps::append_bits;
using perhaps::AtomicWords;
using perhaps::BasicAtomicWords;
using perhaps::BitLayout;
using perhaps::bits_may_contain;
using perhaps::Blocked;
using perhaps::BorrowedAtomicWords;
using perhaps::BorrowedWords;
using perhaps::CellLayout;
using perhaps::Classic;
using perhaps::ConcurrentBloomFilter;
using perhaps::ConcurrentStorage;
using perhaps::ContiguousStorage;
using perhaps::DoubleHashing;
using perhaps::embedded_parameters;
using perhaps::EnhancedDoubleHashing;
using perhaps::fast_range;
using perhaps::InstructionSet;
using perhaps::OwnedWords;
using perhaps::ProbeSequence;
using perhaps::ReadableStorage;
using perhaps::ReadOnlyWords;
using perhaps::RotatingDoubleHashing;
using perhaps::SplitBlock;
using perhaps::Storage;

namespace isa {
using perhaps::isa::Avx2;
using perhaps::isa::Avx512;
using perhaps::isa::Compiled;
using perhaps::isa::Native;
using perhaps::isa::Neon;
using perhaps::isa::Scalar;
}  // namespace isa

using perhaps::Version;
using perhaps::version;

}  // namespace perhaps
