/// Why a segment could not be made, opened or merged.
package enum SegmentError: Error, Equatable, Sendable {
    /// The bytes do not begin or end as a segment does.
    case notASegment(count: Int)
    /// The format is of another version.
    case unknownVersion(UInt32)
    /// The footer does not have the checksum it names.
    case damagedFooter
    /// A section does not have the checksum the footer names.
    case damagedSection(Section, expected: UInt64, actual: UInt64)
    /// A section that must be there is missing.
    case missingSection(Section)
    /// A section breaks a rule of the format.
    case malformedSection(Section, rule: String)
    /// The name of a file is not that of its contents.
    case misnamed(expected: SegmentName, actual: SegmentName)
    /// A section would pass the 4 GiB that offsets reach.
    case tooLarge(Section, count: Int)
    /// More documents than a segment takes.
    case tooManyDocuments(Int, limit: Int)
    /// A stored document is none.
    case unreadableDocument(DocumentNumber, reason: String)
}

extension SegmentError: CustomStringConvertible {
    /// What happened, to what, and what to do.
    package var description: String {
        isDamage ? "\(fault); restore the segment from a backup" : fault
    }

    /// Whether bytes changed; else another version wrote them, or there are too many.
    package var isDamage: Bool {
        switch self {
        case .unknownVersion, .tooLarge, .tooManyDocuments: false
        case .notASegment, .damagedFooter, .damagedSection, .missingSection, .malformedSection,
            .misnamed, .unreadableDocument:
            true
        }
    }

    /// What happened, to what; and of sound bytes what to do.
    var fault: String {
        switch self {
        case .notASegment(let count):
            "these \(count) bytes are no segment or were cut short"
        case .unknownVersion(let version):
            "the segment has format \(version), this program reads \(SegmentFormat.version); "
                + "use the program that wrote it"
        case .damagedFooter:
            "the footer of the segment is damaged"
        case .damagedSection(let section, let expected, let actual):
            "section \(section) is damaged: the footer says \(String(expected, radix: 16)), "
                + "contents give \(String(actual, radix: 16))"
        case .missingSection(let section):
            "section \(section) is missing"
        case .malformedSection(let section, let rule):
            "section \(section) breaks the rule that \(rule)"
        case .misnamed(let expected, let actual):
            "the segment named \(expected) has the contents of \(actual)"
        case .tooLarge(let section, let count):
            "section \(section) would need \(count) bytes, at most \(SegmentFormat.sectionBytes) "
                + "fit; build segments of fewer documents"
        case .tooManyDocuments(let count, let limit):
            "\(count) documents in one segment, at most \(limit) fit; build several segments"
        case .unreadableDocument(let number, let reason):
            "stored document \(number) cannot be read: \(reason)"
        }
    }
}
