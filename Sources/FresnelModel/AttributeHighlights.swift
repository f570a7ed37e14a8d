/// What of one text of a document a query matched, to be marked where it is shown.
///
/// A document has one of these for each text in which something matched.
public struct AttributeHighlights: Hashable, Sendable {
    /// Which text of a value.
    public enum Part: Hashable, Sendable {
        /// The text itself, the default text of a localised one.
        case text
        /// A localised text's variant, by its BCP 47 tag.
        case variant(language: String)
        /// A person's name.
        case displayName
        /// One of a person's handles, counted from 0.
        case handle(Int)
    }

    /// The canonical name of the attribute, or `uniqueIdentifier` or `domainIdentifier`.
    public let attribute: String
    /// Which value of a multi-valued attribute, counted from 0; 0 for a single value.
    public let element: Int
    /// Which text of that value.
    public let part: Part
    /// UTF-8 offsets in that text, each range of whole characters: ascending, disjoint, not
    /// touching, none empty, at most `Limits.highlightsPerText`.
    public let ranges: [Range<Int>]
    /// Whether all that matched is given up to the next entry; false where a limit left out ranges
    /// of this text or of texts behind it.
    public let isComplete: Bool

    /// Makes the highlights of one text from ranges in any order, also overlapping ones.
    public init(
        attribute: String, element: Int = 0, part: Part = .text, ranges: [Range<Int>],
        isComplete: Bool = true
    ) {
        precondition(element >= 0, "element \(element) of \(attribute)")
        let joined = Self.joined(ranges)
        self.attribute = attribute
        self.element = element
        self.part = part
        self.ranges = Array(joined.prefix(Limits.highlightsPerText))
        self.isComplete = isComplete && joined.count <= Limits.highlightsPerText
    }

    /// The same places as few ascending ranges.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            precondition(range.lowerBound >= 0, "a highlight at \(range)")
            if let last = joined.last, last.upperBound >= range.lowerBound {
                let end = max(last.upperBound, range.upperBound)
                joined[joined.count - 1] = last.lowerBound..<end
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}

extension Limits {
    /// Ranges given for one text; more would serve no reader.
    public static let highlightsPerText = 64
    /// Ranges given for all texts of one document, so that a hit with them fits its batch.
    public static let highlightsPerDocument = 1024
}
