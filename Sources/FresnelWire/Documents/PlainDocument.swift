import FresnelKernels
import FresnelModel

// Most documents are what will be stored already, because a client of ours has made them: encoded
// as `DocumentCoding` would, valid, with nothing to fill in, of texts, numbers and dates. A worker
// sees that from the bytes and indexes them from there. What is anything else, or wrong, is
// decoded: that path says what is wrong, and does what is to be done. A test compares both.

/// An encoded document that is valid, stored as it is, and needs no decoding to be indexed.
///
/// It is a product that stands alone and names no expiration date.
package struct PlainDocument: Sendable {
    /// The place of the identifier's UTF-8.
    package let identifier: Range<Int>
    /// The place of the domain's UTF-8; nil for none.
    package let domain: Range<Int>?
    /// Where the attributes stand, behind their count.
    private let attributes: Range<Int>
    private let attributeCount: Int

    /// Names count where a document is measured, and are written as numbers: half is far from the
    /// limit.
    package static let byteLimit = Limits.documentBytes / 2

    /// Looks at the document in a part of `bytes`.
    ///
    /// - Returns: nil for every other document, right or wrong.
    package init?(_ bytes: Span<UInt8>, in range: Range<Int>, _ types: PlainTypes) {
        guard range.count <= Self.byteLimit, let reader = PlainReader(bytes, in: range) else {
            return nil
        }
        self.init(reader, types)
    }

    private init?(_ start: consuming PlainReader, _ types: PlainTypes) {
        var reader = start
        guard reader.byte() == DocumentLayout.version,
            reader.byte() == DocumentLayout.Form.product.rawValue,
            let presence = reader.byte(), presence <= 1,
            let identifier = reader.text(), identifier.count <= Limits.identifierBytes
        else { return nil }
        self.identifier = identifier
        var domain: Range<Int>?
        if presence == 1 {
            guard let place = reader.text(), place.count <= Limits.domainBytes,
                reader.isDomain(place)
            else { return nil }
            domain = place
        }
        self.domain = domain
        guard let count = reader.length(), count <= Limits.attributesPerDocument else { return nil }
        attributeCount = count
        attributes = reader.place..<reader.end
        var previous: PlainAttribute.Name?
        for _ in 0..<count {
            guard let attribute = reader.attribute(), types.takes(attribute, reader.bytes),
                previous.map({ types.isInOrder($0, attribute.name, reader.bytes) }) ?? true
            else { return nil }
            previous = attribute.name
        }
        guard reader.place == reader.end else { return nil }
    }

    /// Calls `body` with the attributes in the order of their names.
    ///
    /// - Parameter bytes: those the document was found in.
    package func forEachAttribute(
        in bytes: Span<UInt8>, _ body: (PlainAttribute) -> Void
    ) {
        guard var reader = PlainReader(bytes, in: attributes) else { return }
        for _ in 0..<attributeCount {
            guard let attribute = reader.attribute() else { return }
            body(attribute)
        }
    }
}

/// One attribute of a plain document, with places in its bytes.
package struct PlainAttribute: Sendable {
    /// What an attribute is called.
    package enum Name: Sendable {
        /// One that every index knows, by its number on the wire.
        case known(Int)
        /// One that the owner declared, by the place of its name.
        case custom(Range<Int>)
    }

    /// What stands in it.
    package enum Value: Sendable {
        /// One text.
        case text(Range<Int>)
        /// Several; `PlainAttribute.forEachText` finds them.
        case texts(Range<Int>)
        /// One finite number, never −0.
        case number(Double)
        /// Seconds since 2001.
        case date(Double)
    }

    package let name: Name
    package let value: Value

    /// Calls `body` with the places of the texts of a list.
    package static func forEachText(
        of list: Range<Int>, in bytes: Span<UInt8>, _ body: (Range<Int>) -> Void
    ) {
        guard var reader = PlainReader(bytes, in: list), let count = reader.length() else { return }
        for _ in 0..<count {
            guard let text = reader.slice() else { return }
            body(text)
        }
    }
}

extension PlainAttribute.Name {
    /// The name.
    ///
    /// - Parameter bytes: those the document stands in.
    package func text(in bytes: Span<UInt8>) -> String {
        switch self {
        case .known(let number): AttributeNumber.names[number - 1]
        case .custom(let place):
            // Names have letters, digits, `_` and `.` only.
            String(decoding: [UInt8](copying: bytes.extracting(place)), as: UTF8.self)
        }
    }

    /// Whether this is a name.
    package func isEqual(to name: String, in bytes: Span<UInt8>) -> Bool {
        compare(name, in: bytes) == 0
    }

    /// Whether this name comes behind another one.
    package func isBehind(_ name: ComparedName, in bytes: Span<UInt8>) -> Bool {
        switch self {
        case .known(let number): return name.isBefore[number]
        case .custom(let place):
            let name = name.text.utf8
            return ByteOrder.compare(bytes.extracting(place), name.span) > 0
        }
    }

    private func compare(_ name: String, in bytes: Span<UInt8>) -> Int {
        let name = name.utf8
        return switch self {
        case .known(let number): 0 - PlainTypes.compare(name.span, with: number)
        case .custom(let place): ByteOrder.compare(bytes.extracting(place), name.span)
        }
    }
}

/// A name that was compared with those of all known attributes.
package struct ComparedName: Sendable {
    let text: String
    /// By the number of a known attribute.
    let isBefore: [Bool]

    package init(_ text: String) {
        self.text = text
        let name = text.utf8
        isBefore =
            [false]
            + (1...AttributeNumber.last).map {
                PlainTypes.compare(name.span, with: $0) < 0
            }
    }
}
