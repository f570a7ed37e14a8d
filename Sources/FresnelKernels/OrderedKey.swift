// A sort key as one byte string: comparing two keys byte by byte gives the order of the sort keys
// they were built from, so merging streams on the broker needs no knowledge of types.
//
// Each part begins with a presence byte, 0x01 present or 0x02 missing, which is never complemented:
// missing values come last in both directions. What follows a present byte:
//
//   number   8 bytes, big endian: bits of the double, sign flipped when positive, all flipped
//            when negative, -0 written as +0; NaN counts as missing
//   integer  8 bytes, big endian
//   bytes    the bytes with 00 written as 00 FF, then 00 00: a prefix sorts before its extensions
//
// Descending parts have every byte after the presence byte complemented. Keys compare only with
// keys built from the same list of parts. (Documentation/protocol.md, "Sort keys".)

/// A sort key whose byte order is the sort order.
package struct OrderedKey: Hashable, Sendable {
    /// The key; compare with `ByteOrder.compare` or `<`.
    package private(set) var bytes: [UInt8]

    /// The first byte of a part that has a value.
    package static let present: UInt8 = 0x01
    /// The first byte of a part whose value is missing.
    package static let missing: UInt8 = 0x02

    /// Starts with no parts.
    package init() { bytes = [] }

    /// Starts with no parts and room for some bytes.
    package init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Takes all parts away, and keeps the room they had.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Takes away what was added since there were so many bytes.
    package mutating func removeAll(from count: Int) { bytes.removeLast(bytes.count - count) }

    /// Makes room for some bytes in all.
    package mutating func reserveCapacity(_ capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Adds bytes as they are, of which the caller knows that they keep the order.
    package mutating func append(raw added: Span<UInt8>) { bytes.append(copying: added) }

    /// Takes a key that another process built.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Adds a relevance score; by custom descending, so that the best comes first.
    package mutating func append(score: Double, descending: Bool) {
        append(number: score, descending: descending)
    }

    /// Adds a number; nil and NaN are missing.
    package mutating func append(number: Double?, descending: Bool) {
        guard let number, !number.isNaN else { return appendMissing() }
        append(presentBits: Self.sortableBits(of: number), descending: descending)
    }

    /// Adds a whole number.
    package mutating func append(integer: UInt64?, descending: Bool) {
        guard let integer else { return appendMissing() }
        append(presentBits: integer, descending: descending)
    }

    /// Adds the UTF-8 of a string; fold it first when case should not matter.
    package mutating func append(string: String?, descending: Bool) {
        guard let string else { return appendMissing() }
        append(presentBytes: string.utf8, descending: descending)
    }

    /// Adds bytes.
    package mutating func append(bytes added: [UInt8]?, descending: Bool) {
        guard let added else { return appendMissing() }
        append(presentBytes: added, descending: descending)
    }

    /// Adds bytes, ascending, without a copy of them.
    ///
    /// - Returns: where in the key they stand as they are; nil where they were changed.
    @discardableResult
    package mutating func append(span added: Span<UInt8>) -> Range<Int>? {
        bytes.append(Self.present)
        let start = bytes.count
        let isChanged = ByteSearch.hasZero(added)
        if isChanged {
            for index in added.indices {
                bytes.append(added[index])
                if added[index] == 0 { bytes.append(0xFF) }
            }
        } else {
            bytes.append(copying: added)
        }
        let end = bytes.count
        bytes.append(0)
        bytes.append(0)
        return isChanged ? nil : start..<end
    }

    /// Adds a score and two strings at once, as the key of most hits is: score, document, index.
    ///
    /// - Returns: where in the key the first string stands as it is; nil where it was changed.
    package mutating func append(
        score: Double, descending: Bool, _ first: Span<UInt8>, _ second: Span<UInt8>
    ) -> Range<Int>? {
        guard !score.isNaN, !ByteSearch.hasZero(first), !ByteSearch.hasZero(second) else {
            append(score: score, descending: descending)
            let range = append(span: first)
            append(span: second)
            return range
        }
        let bits = Self.sortableBits(of: score)
        let start = bytes.count + 10
        bytes.append(addingCapacity: first.count + second.count + 15) { bytes in
            bytes.append(Self.present)
            bytes.append(littleEndian: (descending ? ~bits : bits).byteSwapped)
            bytes.append(Self.present)
            bytes.append(copying: first)
            bytes.append(0)
            bytes.append(0)
            bytes.append(Self.present)
            bytes.append(copying: second)
            bytes.append(0)
            bytes.append(0)
        }
        return start..<start + first.count
    }

    /// Adds a missing value of any type.
    package mutating func appendMissing() { bytes.append(Self.missing) }

    private mutating func append(presentBits bits: UInt64, descending: Bool) {
        bytes.append(Self.present)
        let written = descending ? ~bits : bits
        let ordered = InlineArray<8, UInt8> { place in
            UInt8(truncatingIfNeeded: written &>> UInt64(56 - 8 * place))
        }
        bytes.append(copying: ordered.span)
    }

    private mutating func append(presentBytes added: some Collection<UInt8>, descending: Bool) {
        let mask: UInt8 = descending ? 0xFF : 0
        bytes.reserveCapacity(bytes.count + added.count + 3)
        bytes.append(Self.present)
        for byte in added {
            bytes.append(byte ^ mask)
            if byte == 0 { bytes.append(0xFF ^ mask) }
        }
        bytes.append(mask)
        bytes.append(mask)
    }

    /// The bits of a double, so that unsigned order is numeric order.
    @inlinable @inline(__always)
    package static func sortableBits(of number: Double) -> UInt64 {
        let bits = (number == 0 ? 0.0 : number).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// The double that `sortableBits(of:)` gave these bits; +0 for −0.
    @inlinable @inline(__always)
    package static func number(fromSortableBits bits: UInt64) -> Double {
        Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }
}

extension OrderedKey: Comparable {
    /// The key that sorts first is the lesser.
    package static func < (lhs: OrderedKey, rhs: OrderedKey) -> Bool {
        ByteOrder.compare(lhs.bytes.span, rhs.bytes.span) < 0
    }
}
