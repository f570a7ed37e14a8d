import FresnelKernels
import FresnelModel

/// One reading of highlights.
struct HighlightDecoder {
    private var reader: WireReader
    private let limits: WireLimits
    private var entries: [AttributeHighlights] = []
    private var rangesLeft = Limits.highlightsPerDocument

    init(reader: WireReader, limits: WireLimits) {
        self.reader = reader
        self.limits = limits
    }

    /// Everything, to the end of the bytes.
    mutating func highlights() throws(WireError) -> [AttributeHighlights] {
        // Name, count, element, part, count, gap and length take at least seven bytes.
        for _ in 0..<(try reader.count(limit: rangesLeft, bytesEach: 7)) {
            let name = try name()
            if let last = entries.last, !last.attribute.precedes(name) {
                throw reader.broken("highlights of \(name) stand after \(last.attribute)")
            }
            let count = try reader.count(limit: rangesLeft, bytesEach: 5)
            guard count > 0 else { throw reader.broken("highlights of \(name) without a text") }
            for _ in 0..<count { try append(try entry(name)) }
        }
        try reader.requireEnd()
        return entries
    }

    private mutating func append(_ entry: AttributeHighlights) throws(WireError) {
        guard entries.last?.precedes(entry) ?? true else {
            throw reader.broken("highlights of \(entry.attribute) stand out of order")
        }
        entries.append(entry)
    }

    private mutating func name() throws(WireError) -> String {
        let number = try reader.varint()
        guard number > 0 else {
            let range = try reader.slice(limit: limits.attributeNameBytes)
            let name = try AttributeScanner.name(in: range, of: reader)
            guard AttributeNumber.number(of: name) == nil else {
                throw reader.broken("attribute \(name) is written out; send its number")
            }
            return name
        }
        guard let name = Int(exactly: number).flatMap(AttributeNumber.name) else {
            throw reader.broken("attribute number \(number) is unknown; send the name")
        }
        return name
    }

    private mutating func entry(_ name: String) throws(WireError) -> AttributeHighlights {
        let element = try number()
        let kind = try reader.byte()
        let part: AttributeHighlights.Part
        switch kind & 0x7F {
        case 0: part = .text
        case 1: part = .variant(language: try reader.text(limit: limits.attributeNameBytes))
        case 2: part = .displayName
        case 3: part = .handle(try number())
        default: throw reader.broken("part \(kind) of a value; 0 to 3 are defined")
        }
        return AttributeHighlights(
            attribute: name, element: element, part: part, ranges: try ranges(),
            isComplete: kind & 0x80 == 0)
    }

    private mutating func ranges() throws(WireError) -> [Range<Int>] {
        let limit = min(rangesLeft, Limits.highlightsPerText)
        let count = try reader.count(limit: limit, bytesEach: 2)
        guard count > 0 else { throw reader.broken("a text without ranges among highlights") }
        rangesLeft -= count
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(count)
        for position in 0..<count {
            let gap = try number()
            let length = try number()
            guard length > 0, gap > 0 || position == 0 else {
                throw reader.broken("highlight \(position) is empty or touches the one before")
            }
            let start = (ranges.last?.upperBound ?? 0) + gap
            ranges.append(start..<start + length)
        }
        return ranges
    }

    /// A number of texts or bytes; no document holds more than 32 bits can count.
    private mutating func number() throws(WireError) -> Int {
        let number = try reader.varint()
        guard let number = UInt32(exactly: number) else {
            throw reader.broken("\(number) texts or bytes in one document")
        }
        return Int(number)
    }
}
