import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelWire

/// What decides which documents an answer holds and in which order, as one number.
///
/// Query and filters in their canonical spelling, the order by canonical names, identifiers and
/// indexes. Not what pages may differ in: limit, attributes, delivery, credit, coverage, and the
/// instant, which the cursor carries itself.
struct QueryDigest {
    private var writer = ByteWriter()

    init(_ search: WireSearch, expressions: [Expression], schema: AttributeSchema) {
        append(expressions.map(\.description))
        let sort = search.sort.map { key in
            let name = schema.definition(named: key.attribute)?.name ?? key.attribute
            return (key.descending ? "-" : "+") + name
        }
        append(sort.isEmpty ? ["-"] : sort)  // best first
        append(search.identifiers)
        append(search.indexes.sorted())
    }

    /// The digest.
    var value: UInt64 { Hash.checksum(of: writer.bytes) }

    private mutating func append(_ texts: [String]) {
        writer.writeVarint(UInt64(texts.count))
        for text in texts {
            let bytes = Array(text.utf8)
            writer.writeVarint(UInt64(bytes.count))
            writer.writeRaw(bytes)
        }
    }
}
