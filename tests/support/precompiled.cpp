// SPDX-License-Identifier: BSL-1.0
//
// Nothing: the target of this file precompiles the headers that tests share.
