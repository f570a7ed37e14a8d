import FresnelModel
import FresnelSystem

/// What the attributes of one segment contribute to scores, looked up once for many documents.
@safe
struct FieldWeights: @unchecked Sendable {
    // Sendable because the lengths behind the pointers never change and live as long as `fields`.

    /// One attribute.
    @safe
    private struct Field {
        let weight: Double
        let reference: Double
        /// Tokens of each document, where every document has a row.
        let dense: UnsafePointer<UInt16>?
        /// The same in one byte (`FieldLengths.short`).
        let short: UnsafePointer<UInt8>?
        /// The same in bits (`FieldLengths.narrow`).
        let narrow: UnsafeRawPointer?
        let width: Int
        let count: Int
        /// Keeps both alive, and tells the tokens where few documents have any.
        let lengths: FieldLengths?
    }

    private let fields: [Field]

    /// Those of a segment under the schema of a view.
    init(_ view: SegmentView) { self = view.reading.weights }

    init(definitions: [AttributeDefinition?], lengths: [FieldLengths?]) {
        fields = zip(definitions, lengths).map { definition, lengths in
            let rows = lengths?.presence.isDense == true ? lengths : nil
            return unsafe Field(
                weight: definition?.weight ?? Relevance.unknownWeight,
                reference: definition?.referenceLength ?? Relevance.unknownLength,
                dense: rows.flatMap {
                    unsafe $0.lengths.count > 0 ? $0.lengths.unsafeElements : nil
                },
                short: rows.flatMap { unsafe $0.short.count > 0 ? $0.short.unsafeElements : nil },
                narrow: rows.flatMap { unsafe $0.narrow.unsafeBytes },
                width: rows?.narrow.width ?? 0,
                count: lengths?.count ?? 0, lengths: lengths)
        }
    }

    /// The number of attributes.
    var count: Int { fields.count }

    /// The weight of occurrences in one attribute of a document.
    @inline(__always)
    func weighted(
        _ count: Int, in attribute: AttributeOrdinal, of document: DocumentNumber
    ) -> Double {
        Relevance.weighted(
            occurrences: count, length: length(of: document, in: attribute),
            weight: fields[Int(attribute)].weight,
            reference: fields[Int(attribute)].reference)
    }

    /// The weight and the reference length of an attribute.
    func factors(of attribute: AttributeOrdinal) -> (weight: Double, reference: Double) {
        let field = fields[Int(attribute)]
        return (field.weight, field.reference)
    }

    /// Whether a table was made with these weights.
    ///
    /// - Parameter constants: weight and reference length of each attribute as the table has them;
    ///   0 for those that take no part in it.
    func agrees(with constants: PackedArray<Double>) -> Bool {
        for place in 0..<min(fields.count, constants.count / 2)
        where constants[2 * place + 1] > 0 {
            guard fields[place].weight == constants[2 * place],
                fields[place].reference == constants[2 * place + 1]
            else { return false }
        }
        return true
    }

    /// The tokens of a document in an attribute.
    @inline(__always)
    func length(of document: DocumentNumber, in attribute: AttributeOrdinal) -> Int {
        let place = Int(attribute)
        // Dense rows are documents; the number is checked against their count.
        let isInside = Int(document) < fields[place].count
        if let narrow = unsafe fields[place].narrow {
            guard isInside else { return 0 }
            let bit = Int(document) &* fields[place].width
            let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: fields[place].width) &- 1
            // Eight bytes are behind the last number, which has at most sixteen bits.
            let word = unsafe narrow.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
            let length = word &>> UInt64(truncatingIfNeeded: bit & 7) & mask
            return length == mask
                ? fields[place].lengths?.longLength(Int(document)) ?? 0
                : Int(truncatingIfNeeded: length)
        }
        if let short = unsafe fields[place].short {
            guard isInside else { return 0 }
            let length = unsafe short[Int(document)]
            return length == FieldLengths.long
                ? fields[place].lengths?.longLength(Int(document)) ?? 0 : Int(length)
        }
        guard let dense = unsafe fields[place].dense else {
            return fields[place].lengths?.length(of: document) ?? 0
        }
        return isInside ? unsafe Int(dense[Int(document)]) : 0
    }
}
