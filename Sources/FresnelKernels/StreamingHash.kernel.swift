import CHash

/// Hashes bytes that arrive in pieces; the result is that of all pieces joined.
///
/// Fixed-size values are fed little endian, so the digest of a result list is the same everywhere.
@safe
package struct StreamingHash: ~Copyable {
    /// Owned: made in `init`, freed in `deinit`, never copied because the struct is not.
    private let state: OpaquePointer

    /// Starts with no bytes.
    package init() {
        // xxHash returns nil only when 576 bytes cannot be allocated: nothing could go on then.
        guard let made = unsafe XXH3_createState() else {
            preconditionFailure("no memory for the 576 bytes of a hash state")
        }
        let status = unsafe XXH3_128bits_reset(made)
        precondition(status == XXH_OK, "a fresh hash state refused its reset: \(status)")
        unsafe state = made
    }

    deinit {
        _ = unsafe XXH3_freeState(state)
    }

    /// Feeds bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard buffer.count > 0 else { return }
            _ = unsafe XXH3_128bits_update(state, buffer.baseAddress, buffer.count)
        }
    }

    /// Feeds bytes.
    package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

    /// Feeds the UTF-8 of a string, without its length.
    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            guard buffer.count > 0 else { return }
            _ = unsafe XXH3_128bits_update(state, buffer.baseAddress, buffer.count)
        }
    }

    /// Feeds eight bytes, little endian.
    package mutating func update(_ value: UInt64) {
        var littleEndian = value.littleEndian
        unsafe withUnsafeBytes(of: &littleEndian) { buffer in
            _ = unsafe XXH3_128bits_update(state, buffer.baseAddress, buffer.count)
        }
    }

    /// The hash of everything fed so far; more may be fed afterwards.
    package func digest() -> Hash128 {
        let value = unsafe XXH3_128bits_digest(state)
        return Hash128(high: value.high64, low: value.low64)
    }
}
