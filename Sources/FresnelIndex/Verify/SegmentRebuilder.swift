import FresnelModel
import FresnelSystem
import FresnelWire

// The same documents in the same order, packed or not, give the same bytes, whether they were
// indexed or merged.
// So a segment is right exactly when its own stored documents make it again: every posting, every
// column and every table is compared at once, by the builder that also serves writes.

/// Compares a segment with the index that its stored documents give.
package enum SegmentRebuilder {
    /// What the comparison found.
    package enum Verdict: Hashable, Sendable {
        case equal
        /// The segment has another format than this program writes, so bytes cannot be compared.
        case otherFormat(UInt32)
        /// Why it is another one.
        case different(String)
    }

    /// Builds the segment again; costs as much as indexing its documents, and their memory.
    package static func compare(_ segment: Segment) -> Verdict {
        let version: UInt32
        do throws(SegmentError) {
            version = try SectionTable(segment.bytes).version
        } catch {
            return .different("\(error)")
        }
        // Which are packed is for who wrote them to choose.
        var packing = SegmentPacking.standard
        switch version {
        case SegmentFormat.version: packing.documents = .max
        case SegmentFormat.packedVersion: packing.documents = 0
        // Of texts without a column this version has none.
        case SegmentFormat.plainVersion: (packing.documents, packing.columnDocuments) = (.max, .max)
        default: return .otherFormat(version)
        }
        let built: SegmentBlob
        do throws(SegmentError) {
            let all = 0..<DocumentNumber(segment.documentCount)
            built = try rebuilt(segment, all, packing: packing)
            let bytes = segment.bytes
            guard built.name != SegmentName(of: bytes.bytes) else { return .equal }
            return .different(try difference(of: built, from: segment))
        } catch {
            return .different("\(error)")
        }
    }

    /// The segment that some stored documents of another make, in the same order.
    ///
    /// Costs as much as indexing them, and their memory.
    static func rebuilt(
        _ segment: Segment, _ range: Range<DocumentNumber>, packing: SegmentPacking
    ) throws(SegmentError) -> SegmentBlob {
        var documents: [IncomingDocument] = []
        documents.reserveCapacity(range.count)
        for number in range {
            let encoded = segment.stored.encoded(number)
            let document: Document
            do throws(WireError) {
                document = try DocumentCoding.decode(encoded)
            } catch {
                throw .unreadableDocument(number, reason: "\(error)")
            }
            documents.append(
                IncomingDocument(
                    encoded: encoded, document: document,
                    createdSequence: segment.versions.createdSequence(of: number),
                    expiration: segment.versions.expiration(of: number)))
        }
        return try SegmentBuilder.build(documents: documents, packing: packing)
    }

    /// Names the sections that differ.
    private static func difference(
        of built: SegmentBlob, from segment: Segment
    ) throws(SegmentError) -> String {
        let expected = try SectionTable(built.content).entries
        let found = try SectionTable(segment.bytes).entries
        var differing: [String] = []
        for entry in expected {
            let same = found.first { $0.section == entry.section }
            if same?.checksum != entry.checksum { differing.append("\(entry.section)") }
        }
        let names = differing.isEmpty ? "its layout" : differing.joined(separator: ", ")
        return "its stored documents give another index: \(names)"
    }
}
