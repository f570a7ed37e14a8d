import CZstd
import Synchronization

// Zstandard (RFC 8878, libzstd), for many small blocks that are read one by one. What blocks share
// is learnt once from some of them and kept beside them as a dictionary: blocks of 2 KiB then take
// less room than blocks of 32 KiB without one, and are unpacked in 3 µs, not 25.

/// What many blocks of one kind have in common.
package enum BlockCompression {
    /// Learns a dictionary from samples; empty when they are too few or too unlike.
    ///
    /// The same samples always give the same dictionary.
    ///
    /// - Parameters:
    ///   - samples: the samples, one behind the other.
    ///   - lengths: the length of each.
    ///   - capacity: the most bytes of the dictionary.
    package static func dictionary(
        of samples: [UInt8], lengths: [Int], capacity: Int
    ) -> [UInt8] {
        precondition(lengths.reduce(0, +) == samples.count, "lengths of other samples")
        guard capacity > 0, lengths.count >= 8 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            // The samples are as long as their lengths together, the target as `capacity` says.
            let written = unsafe samples.withUnsafeBytes { source in
                unsafe ZDICT_trainFromBuffer(
                    target.baseAddress, capacity, source.baseAddress, lengths.map { $0 },
                    UInt32(lengths.count))
            }
            count = ZDICT_isError(written) != 0 ? 0 : written
        }
    }
}

/// Packs blocks with one dictionary.
@safe
package final class BlockCompressor {
    private let context: OpaquePointer?
    private let dictionary: OpaquePointer?
    private let level: Int32

    /// - Parameters:
    ///   - dictionary: as `BlockCompression` made it; may be empty.
    ///   - level: zstd's, 1 for fast to 19 for small.
    package init(dictionary: [UInt8], level: Int32) {
        unsafe context = ZSTD_createCCtx()
        self.level = level
        guard !dictionary.isEmpty else {
            unsafe self.dictionary = nil
            return
        }
        // zstd copies the dictionary.
        unsafe self.dictionary = dictionary.withUnsafeBytes {
            unsafe ZSTD_createCDict($0.baseAddress, $0.count, level)
        }
    }

    deinit {
        unsafe ZSTD_freeCDict(dictionary)
        unsafe ZSTD_freeCCtx(context)
    }

    /// Appends a packed block to `bytes`.
    package func append(_ block: [UInt8], to bytes: inout [UInt8]) {
        let bound = ZSTD_compressBound(block.count)
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            // The target has room for the worst case.
            let written = unsafe block.withUnsafeBytes { source in
                if let dictionary = unsafe dictionary {
                    unsafe ZSTD_compress_usingCDict(
                        context, target.baseAddress, bound, source.baseAddress, source.count,
                        dictionary)
                } else {
                    unsafe ZSTD_compressCCtx(
                        context, target.baseAddress, bound, source.baseAddress, source.count,
                        level)
                }
            }
            precondition(
                ZSTD_isError(written) == 0, "zstd packs no block of \(block.count) bytes")
            count = written
        }
        bytes.append(contentsOf: packed)
    }
}

/// Unpacks blocks with one dictionary; many threads may use it at once.
@safe
package final class BlockDecompressor: @unchecked Sendable {
    // Sendable because zstd only reads a dictionary once it is made.
    private let dictionary: OpaquePointer?

    /// - Returns: nil when the dictionary is none.
    package init?(dictionary: Span<UInt8>) {
        guard dictionary.count > 0 else {
            unsafe self.dictionary = nil
            return
        }
        // zstd copies the dictionary.
        let made = unsafe dictionary.withUnsafeBufferPointer {
            unsafe ZSTD_createDDict($0.baseAddress, $0.count)
        }
        guard let made = unsafe made else { return nil }
        unsafe self.dictionary = made
    }

    deinit { unsafe ZSTD_freeDDict(dictionary) }

    /// A block's bytes, exactly `count`; nil for everything else.
    package func unpacked(_ block: Span<UInt8>, count: Int) -> [UInt8]? {
        let context = DecompressionContext.take()
        defer { context.give() }
        var written = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            // zstd writes at most `count` bytes and reads only the block.
            let answer = unsafe block.withUnsafeBufferPointer { source in
                if let dictionary = unsafe dictionary {
                    unsafe ZSTD_decompress_usingDDict(
                        context.pointer, target.baseAddress, count, source.baseAddress,
                        source.count, dictionary)
                } else {
                    unsafe ZSTD_decompressDCtx(
                        context.pointer, target.baseAddress, count, source.baseAddress,
                        source.count)
                }
            }
            written = ZSTD_isError(answer) != 0 ? 0 : answer
            filled = written
        }
        return written == count ? bytes : nil
    }
}

/// What zstd needs while it unpacks, some 100 KiB; kept for the next block.
@safe
private struct DecompressionContext: @unchecked Sendable {
    // Sendable because one thread has it at a time: it is out of the pool while it is used.
    let pointer: OpaquePointer?

    /// As many as there were threads at once.
    private static let idle = Mutex<[DecompressionContext]>([])

    static func take() -> DecompressionContext {
        unsafe idle.withLock { $0.popLast() } ?? DecompressionContext(pointer: ZSTD_createDCtx())
    }

    func give() { Self.idle.withLock { $0.append(self) } }
}
