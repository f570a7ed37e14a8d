import FresnelJSON
import FresnelWire

// The documents of most catalogues are texts, numbers and dates under known names. They are encoded
// from simdjson's tape, without a value, a name or a document in between. It says nothing about a
// line that it does not take: `JSONDocumentDecoder` reads that one, as it would read every other
// (a test compares both).

/// Makes plain documents of objects of JSON.
struct JSONPlainEncoder {
    /// The keys of a document that were seen, each of which may come once.
    private struct Fields: OptionSet {
        let rawValue: UInt8

        /// The bit of each is that of its place.
        static let names: [[UInt8]] = [
            "uniqueIdentifier", "attributes", "domainIdentifier", "kind", "isUpdate",
            "expirationDate", "activity",
        ].map { Array($0.utf8) }
        static let identifier = Fields(rawValue: 1)
        static let attributes = Fields(rawValue: 2)
        static let domain = Fields(rawValue: 4)
        static let kind = Fields(rawValue: 8)
        static let isUpdate = Fields(rawValue: 16)

        /// The field of a name; nil for none.
        init?(_ name: Span<UInt8>) {
            for (number, known) in Self.names.enumerated()
            where known.count == name.count && name.indices.allSatisfy({ name[$0] == known[$0] }) {
                self.init(rawValue: 1 << UInt8(number))
                return
            }
            return nil
        }

        init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    private static let product = Array(DocumentKind.product.rawValue.utf8)

    private var writer = PlainDocumentWriter()
    private var keys = PlainKeys()

    /// Encodes a document.
    ///
    /// - Returns: nil for a patch, and for a document that is wrong or not plain.
    mutating func document(_ line: Span<UInt8>, _ types: PlainTypes) -> EncodedDocument? {
        writer.begin()
        guard JSONTape.read(line, { write(&$0, types) }) else { return nil }
        return writer.finish(types)
    }

    private mutating func write(_ tape: inout JSONTape, _ types: PlainTypes) -> Bool {
        guard case .object(let end) = tape.kind else { return false }
        tape.step()
        var seen: Fields = []
        while tape.place < end {
            guard let field = Fields(tape.text), seen.insert(field).inserted else { return false }
            tape.step()
            guard write(&tape, field, types) else { return false }
        }
        return seen.contains(.identifier)
    }

    private mutating func write(
        _ tape: inout JSONTape, _ field: Fields, _ types: PlainTypes
    ) -> Bool {
        switch (field, tape.kind) {
        case (.identifier, .text): writer.setIdentifier(tape.text)
        case (.domain, .text):
            guard !tape.text.isEmpty else { return false }
            writer.setDomain(tape.text)
        case (.attributes, .object(let end)):
            tape.step()
            guard writeAttributes(&tape, through: end, types) else { return false }
        case (.kind, .text):
            let kind = tape.text
            guard kind.count == Self.product.count,
                kind.indices.allSatisfy({ kind[$0] == Self.product[$0] })
            else { return false }
        case (.isUpdate, .bool(false)): break
        case (.identifier, .null): return false
        case (_, .null): break
        default: return false
        }
        tape.step()
        return true
    }

    private mutating func writeAttributes(
        _ tape: inout JSONTape, through end: Int, _ types: PlainTypes
    ) -> Bool {
        var number = 0
        while tape.place < end {
            // As many as a document may have are counted before values are looked at.
            guard number < Limits.attributesPerDocument,
                let key = keys.key(tape.text, at: number, types),
                let place = writer.begin(key)
            else { return false }
            number += 1
            tape.step()
            guard write(&tape, key, at: place) else { return false }
        }
        return true
    }

    private mutating func write(
        _ tape: inout JSONTape, _ key: PlainTypes.Key, at place: Int
    ) -> Bool {
        // Dates of custom keys are left to who decodes: where the source's own schema does not know
        // the key, they are texts or numbers there, and refused.
        switch (tape.kind, key.type) {
        case (.null, _): break
        case (.text, .string), (.text, .url): writer.add(tape.text, at: place)
        case (.text, .strings):
            writer.beginList()
            writer.addToList(tape.text)
            writer.addList(at: place)
        case (.text, .date) where !key.isCustom:
            guard let date = Timestamp(iso8601: tape.string) else { return false }
            writer.add(date, at: place)
        case (.integer(let number), .date) where !key.isCustom:
            writer.add(Timestamp(wholeSeconds: number), at: place)
        case (.number(let number), .date) where !key.isCustom:
            guard let date = Timestamp(seconds: number) else { return false }
            writer.add(date, at: place)
        case (.integer(let number), .number), (.integer(let number), .boolean):
            writer.add(Double(number), at: place)
        case (.large(let number), .number): writer.add(Double(number), at: place)
        case (.number(let number), .number), (.number(let number), .boolean):
            writer.add(number, at: place)
        case (.bool(let truth), .number), (.bool(let truth), .boolean):
            writer.add(truth ? 1 : 0, at: place)
        case (.array(let end), .strings):
            tape.step()
            writer.beginList()
            while tape.place < end {
                switch tape.kind {
                case .text: writer.addToList(tape.text)
                case .null: break
                default: return false
                }
                tape.step()
            }
            writer.addList(at: place)
        default: return false
        }
        tape.step()
        return true
    }
}
