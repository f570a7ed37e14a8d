// Short strings that can be read one by one, yet take half: frequent pieces of up to eight bytes
// have a code of one byte each, whatever has none is written behind the code 255. Unpacking is a
// load and a store of eight bytes for each code, of which only the piece's own count.
//
// Source: P. Boncz, T. Neumann, V. Leis, "FSST: Fast Random Access String Compression" (2020). Ours
// learns from a sample that is always the same for the same strings, so that segments are.

/// The pieces that codes stand for.
package struct SymbolCode: ~Escapable {
    /// The most codes.
    package static let limit = 255
    /// The code of a byte that stands behind it.
    static let literal: UInt8 = 255
    /// Bytes that an unpacked string may have; a reader needs room for eight more.
    package static let textLimit = 255
    /// What an unpacked string takes at most.
    package static let roomBytes = textLimit + 8

    /// The bytes of each piece, the first lowest.
    package let pieces: Span<UInt64>
    /// How many of those count, 1...8.
    package let lengths: Span<UInt8>

    /// Looks at as many lengths as there are pieces.
    @_lifetime(copy pieces, copy lengths)
    package init(pieces: Span<UInt64>, lengths: Span<UInt8>) {
        precondition(pieces.count == lengths.count && pieces.count <= Self.limit, "too many pieces")
        self.pieces = pieces
        self.lengths = lengths
    }

    /// Unpacks a string; gives its length.
    ///
    /// Codes without a piece, and lengths above eight, give wrong bytes, never too many.
    ///
    /// - Parameters:
    ///   - codes: `count` bytes.
    ///   - target: has room for `roomBytes`.
    @inline(__always)
    @unsafe
    func unpack(
        _ codes: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutableRawPointer
    ) -> Int {
        unsafe pieces.withUnsafeBufferPointer { pieces in
            unsafe lengths.withUnsafeBufferPointer { lengths in
                var (offset, written) = (0, 0)
                while offset < count, written < Self.textLimit {
                    // Below the count, as the loop says.
                    let code = Int(unsafe codes[offset])
                    offset &+= 1
                    if code < pieces.count {
                        // Eight bytes from below the limit on are inside the room; there are as
                        // many lengths as pieces.
                        unsafe target.storeBytes(
                            of: pieces[code], toByteOffset: written, as: UInt64.self)
                        written &+= Int(unsafe lengths[code] & 15)
                    } else if offset < count {
                        let byte = unsafe codes[offset]
                        unsafe target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
                        offset &+= 1
                        written &+= 1
                    }
                }
                return min(written, Self.textLimit)
            }
        }
    }
}
