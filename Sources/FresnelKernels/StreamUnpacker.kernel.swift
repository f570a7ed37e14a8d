import CZlib
import CZstd

// gzip (RFC 1952, zlib) and Zstandard (RFC 8878, libzstd), as streams of any length: bytes go in as
// they are read, and at most so many come out at once. Several members or frames one behind the
// other are one stream, as `gunzip` and `zstd -d` have it.

/// Unpacks a compressed stream, piece after piece.
package final class StreamUnpacker {
    /// How a stream is packed.
    package enum Form: String, CaseIterable, Sendable {
        /// RFC 1952.
        case gzip
        /// RFC 8878.
        case zstd

        /// How such a stream begins.
        package var mark: [UInt8] {
            switch self {
            case .gzip: [0x1F, 0x8B]
            case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
            }
        }
    }

    /// Why a stream cannot be unpacked any further.
    package struct Damage: Error, Equatable, Sendable {
        /// What is wrong; lower case, no full stop.
        package let reason: String
        /// Whether it is sound, but needs more memory than is lent to it.
        package var isTooLarge = false
    }

    /// What came out, and how many of the given bytes went in.
    package typealias Step = (bytes: [UInt8], taken: Int)

    /// Whether nothing has begun that has not ended.
    package var isAtEnd: Bool { codec.isAtEnd }
    private let codec: any StreamCodec

    /// Begins a stream.
    package init(_ form: Form) {
        codec =
            switch form {
            case .gzip: GzipCodec()
            case .zstd: ZstdCodec()
            }
    }

    /// Unpacks some of `bytes` from `start` on.
    ///
    /// Call it again with what was not taken, also with nothing left as long as bytes come out.
    ///
    /// - Parameter limit: the most bytes that come out, 1 at least.
    /// - Throws: `Damage` for bytes that are no such stream.
    package func unpack(
        _ bytes: [UInt8], from start: Int, limit: Int
    ) throws(Damage) -> Step {
        precondition(bytes.indices.contains(start) || start == bytes.count, "no byte at \(start)")
        precondition(limit > 0, "room for \(limit) bytes")
        return try codec.unpack(bytes, from: start, limit: limit)
    }
}

private protocol StreamCodec: AnyObject {
    var isAtEnd: Bool { get }
    func unpack(
        _ bytes: [UInt8], from start: Int, limit: Int
    ) throws(StreamUnpacker.Damage) -> StreamUnpacker.Step
}

@safe
private final class GzipCodec: StreamCodec {
    /// At one place for its life: zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private(set) var isAtEnd = true

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        isReady = unsafe fresnel_inflate_begin(stream) == Z_OK
    }

    deinit {
        // Does nothing where the beginning failed.
        _ = unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func unpack(
        _ bytes: [UInt8], from start: Int, limit: Int
    ) throws(StreamUnpacker.Damage) -> StreamUnpacker.Step {
        guard isReady else { throw StreamUnpacker.Damage(reason: "there is no memory for it") }
        guard start < bytes.count || !isAtEnd else { return ([], 0) }
        // Tapes and some programs fill up with zeros.
        if isAtEnd, bytes[start] == 0 { return ([], 1) }
        if isAtEnd { _ = unsafe inflateReset(stream) }
        isAtEnd = false
        let (input, room) = (UInt32(clamping: bytes.count - start), UInt32(clamping: limit))
        var answer = Z_OK
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: Int(room)) { target, filled in
            // zlib only reads the input, and no pointer outlives the call.
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
                    mutating: source.baseAddress.map { unsafe $0 + start })
                unsafe stream.pointee.avail_in = input
                unsafe stream.pointee.next_out = target.baseAddress
                unsafe stream.pointee.avail_out = room
                answer = unsafe inflate(stream, Z_NO_FLUSH)
            }
            filled = unsafe Int(room - stream.pointee.avail_out)
        }
        let taken = unsafe Int(input - stream.pointee.avail_in)
        switch answer {
        case Z_STREAM_END: isAtEnd = true
        case Z_OK, Z_BUF_ERROR: break
        default:
            let text = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            throw StreamUnpacker.Damage(reason: text ?? "error \(answer) of zlib")
        }
        return (unpacked, taken)
    }
}

@safe
private final class ZstdCodec: StreamCodec {
    private let stream: OpaquePointer?
    private(set) var isAtEnd = true

    init() { unsafe stream = ZSTD_createDStream() }

    deinit { _ = unsafe ZSTD_freeDStream(stream) }

    func unpack(
        _ bytes: [UInt8], from start: Int, limit: Int
    ) throws(StreamUnpacker.Damage) -> StreamUnpacker.Step {
        guard let stream = unsafe stream else {
            throw StreamUnpacker.Damage(reason: "there is no memory for it")
        }
        guard start < bytes.count || !isAtEnd else { return ([], 0) }
        var answer = 0
        var taken = 0
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: limit) { target, filled in
            // zstd reads only the input and writes at most `limit` bytes.
            unsafe bytes.withUnsafeBufferPointer { source in
                var input = unsafe ZSTD_inBuffer(
                    src: source.baseAddress, size: source.count, pos: start)
                var output = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: limit, pos: 0)
                answer = unsafe ZSTD_decompressStream(stream, &output, &input)
                taken = unsafe input.pos - start
                filled = unsafe output.pos
            }
        }
        guard ZSTD_isError(answer) == 0 else {
            throw StreamUnpacker.Damage(
                reason: unsafe String(cString: ZSTD_getErrorName(answer)),
                isTooLarge: ZSTD_getErrorCode(answer)
                    == ZSTD_error_frameParameter_windowTooLarge)
        }
        isAtEnd = answer == 0
        return (unpacked, taken)
    }
}
