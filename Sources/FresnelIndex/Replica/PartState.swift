import FresnelModel
import FresnelWire

/// What parts leave behind beside segments and deletions.
///
/// Only the writer changes it; merging takes a serial from it, and then replaces the snapshot.
struct PartState: Sendable {
    var applied = AppliedBatches()
    var holdsRelated = false
    /// What documents may hold that are not decoded.
    var types = PlainTypes(AttributeSchema())
    /// When the newest parts were applied.
    var marks = VersionMarks()
    private var nextSerial: UInt64 = 0

    /// Gives a segment its number in this process.
    ///
    /// - Parameter irregular: its documents with irregular characters; looked for where not given.
    mutating func publish(
        _ segment: Segment, _ schema: AttributeSchema, irregular: IrregularDocuments? = nil,
        deletions: Deletions = Deletions()
    ) -> PublishedSegment {
        nextSerial += 1
        segment.prepare()
        let view = SegmentView(
            segment, irregular: irregular ?? IrregularDocuments(of: segment), schema: schema)
        return PublishedSegment(serial: nextSerial, view: view, deletions: deletions)
    }
}
