import CHash

// The xxHash family (Y. Collet, https://xxhash.com, BSD). XXH3 for checksums and content names,
// because it runs at memory speed; XXH64 for routing, because its specification is frozen and
// every language has it. None of them resists an adversary who wants a collision.

/// Hashes of bytes, the same on every machine and for ever.
package enum Hash {
    /// XXH3 with 64 bits, for checksums.
    package static func checksum(of bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
        // The pointer is used only inside the closure; an empty span passes nil and length 0.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe XXH3_64bits_withSeed(buffer.baseAddress, buffer.count, seed)
        }
    }

    /// XXH3 with 64 bits, for checksums.
    package static func checksum(of bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        checksum(of: bytes.span, seed: seed)
    }

    /// XXH3 with 128 bits, for naming content.
    package static func digest(of bytes: Span<UInt8>) -> Hash128 {
        let value = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe XXH3_128bits(buffer.baseAddress, buffer.count)
        }
        return Hash128(high: value.high64, low: value.low64)
    }

    /// XXH3 with 128 bits, for naming content.
    package static func digest(of bytes: [UInt8]) -> Hash128 { digest(of: bytes.span) }

    /// XXH3 with 128 bits of a digest's 16 bytes, in canonical form, followed by `bytes`: the next
    /// link of a chain.
    package static func digest(of former: Hash128, then bytes: Span<UInt8>) -> Hash128 {
        let count = 16 + bytes.count
        return unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
            unsafe buffer.storeBytes(of: former.high.bigEndian, as: UInt64.self)
            unsafe buffer.storeBytes(of: former.low.bigEndian, toByteOffset: 8, as: UInt64.self)
            // The buffer holds exactly both; it is used only inside the closures.
            unsafe bytes.withUnsafeBytes { tail in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[16...])
                unsafe rest.copyMemory(from: tail)
            }
            let value = unsafe XXH3_128bits(buffer.baseAddress, count)
            return Hash128(high: value.high64, low: value.low64)
        }
    }

    /// The hash that chooses a shard: XXH64, seed 0, over the UTF-8 bytes of the routing key.
    ///
    /// Clients in other languages compute the same number; it can never change.
    package static func routingHash(of key: String) -> UInt64 {
        let view = key.utf8
        return routingHash(of: view.span)
    }

    /// The hash that chooses a shard, of a routing key given as UTF-8.
    package static func routingHash(of key: Span<UInt8>) -> UInt64 {
        // The pointer is used only inside the closure; an empty span passes nil and length 0.
        unsafe key.withUnsafeBufferPointer { buffer in
            unsafe XXH64(buffer.baseAddress, buffer.count, 0)
        }
    }
}
