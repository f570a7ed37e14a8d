import CSimdJSON

// What simdjson leaves (its doc/tape.md), read where it lies: whoever makes something else of a
// text than a tree of values needs no memory for one. It is well formed, because simdjson made it.

/// Walks over what one text of JSON holds, from front to back.
@safe
package struct JSONTape: ~Copyable {
    /// What stands at the place.
    package enum Kind {
        case null
        case bool(Bool)
        case integer(Int64)
        case number(Double)
        /// `JSONTape.text` is it.
        case text
        /// Keys with values up to the place where it ends.
        case object(end: Int)
        /// Values up to the place where it ends.
        case array(end: Int)
        /// A whole number from 2⁶³ to 2⁶⁴ − 1.
        case large(UInt64)
        /// Nothing that this walk knows.
        case other
    }

    private let words: UnsafeBufferPointer<UInt64>
    private let texts: UnsafePointer<UInt8>
    /// Where the walk stands; the first word is the root.
    package private(set) var place = 1

    /// Lends what a whole text holds.
    ///
    /// - Parameter body: reads no other JSON meanwhile, and says whether it could use this one.
    /// - Returns: what `body` says; false where jansson has to say what is wrong with the text.
    package static func read(
        _ bytes: Span<UInt8>, _ body: (inout JSONTape) -> Bool
    ) -> Bool {
        // Newer versions of simdjson pass over a byte order mark, which is no JSON.
        guard bytes.count > 0, bytes[0] != 0xEF else { return false }
        // The memory is the thread's, and this function stays on its thread until all is read.
        defer { json_parser_rest() }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            var tape = unsafe json_tape()
            guard unsafe json_parser_read(buffer.baseAddress, buffer.count, &tape) else {
                return false
            }
            var walk = unsafe JSONTape(
                UnsafeBufferPointer(start: tape.tape, count: tape.tape_count), tape.texts)
            return body(&walk)
        }
    }

    private init(_ words: UnsafeBufferPointer<UInt64>, _ texts: UnsafePointer<UInt8>) {
        unsafe self.words = words
        unsafe self.texts = texts
    }

    /// What stands at the place.
    package var kind: Kind {
        let word = unsafe words[place]
        return switch UInt8(truncatingIfNeeded: word >> 56) {
        case UInt8(ascii: "{"): .object(end: Self.end(word))
        case UInt8(ascii: "["): .array(end: Self.end(word))
        case UInt8(ascii: "\""): .text
        case UInt8(ascii: "l"): unsafe .integer(Int64(bitPattern: words[place + 1]))
        case UInt8(ascii: "u"): unsafe .large(words[place + 1])
        case UInt8(ascii: "d"): unsafe .number(Double(bitPattern: words[place + 1]))
        case UInt8(ascii: "t"): .bool(true)
        case UInt8(ascii: "f"): .bool(false)
        case UInt8(ascii: "n"): .null
        default: .other
        }
    }

    /// The text at the place, or the key: UTF-8, which simdjson has checked.
    package var text: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            // Four bytes of length, and as many of the text.
            let word = unsafe words[place]
            let start = unsafe UnsafeRawPointer(texts) + Int(word & 0x00FF_FFFF_FFFF_FFFF)
            let count = unsafe Int(start.loadUnaligned(as: UInt32.self))
            let bytes = unsafe UnsafeRawBufferPointer(start: start + 4, count: count)
            let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The text at the place, copied.
    package var string: String {
        let bytes = text
        return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Steps behind the value or key at the place: into an object or array, or out of one that ends
    /// there.
    package mutating func step() {
        let word = unsafe words[place]
        let tag = UInt8(truncatingIfNeeded: word >> 56)
        switch tag {
        case UInt8(ascii: "l"), UInt8(ascii: "d"), UInt8(ascii: "u"): place += 2
        default: place += 1
        }
    }

    /// The place of the word that ends an array or object: the one before that behind it.
    private static func end(_ word: UInt64) -> Int {
        Int(UInt32(truncatingIfNeeded: word)) - 1
    }
}
