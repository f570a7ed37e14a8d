import FresnelKernels
import FresnelModel
import FresnelWire
import Synchronization

// Of what kind a document is stands in its second byte. A packed segment knows the first bytes of
// nearly all its documents (`DocumentBeginnings`), another has its documents plain: no block has to
// be unpacked for it, and no segment needs a column, those of earlier versions neither.

/// Of what kinds the documents of one segment are.
///
/// A class, since sorted columns take it along.
final class DocumentKinds: Sendable {
    /// The activities; all others are products.
    let activities: DocumentSet

    init(_ segment: Segment) {
        let count = segment.documentCount
        var list: [DocumentNumber] = []
        if let beginnings = segment.packedBeginnings {
            let isActivity = Self.isActivity(UInt8(truncatingIfNeeded: beginnings.head &>> 8))
            let others = (0..<beginnings.others.count).map { beginnings.others[$0] }
            let unusual = others.filter { Self.isActivity($0, in: segment) }
            if isActivity, others.count < count {
                var all = DocumentSet.all(of: count)
                all.subtract(DocumentSet(.list(others), of: count))
                all.formUnion(DocumentSet(.list(unusual), of: count))
                activities = all
                return
            }
            list = unusual
        } else {
            segment.stored.forEachEncoded(of: count) { document, bytes in
                if bytes.count > 1, Self.isActivity(bytes[1]) { list.append(document) }
            }
        }
        let isSparse = list.count < count / 32
        let set = DocumentSet(.list(list), of: count)
        activities =
            isSparse
            ? set
            : list.count == count
                ? .all(of: count) : DocumentSet(.bits(set.bitset), of: count)
    }

    private static func isActivity(_ document: DocumentNumber, in segment: Segment) -> Bool {
        segment.stored.withEncoded(document) { $0.count > 1 && isActivity($0[1]) }
    }

    private static func isActivity(_ byte: UInt8) -> Bool {
        DocumentCoding.kind(ofByte: byte) == .activity
    }

    /// The kind of a document.
    func kind(of document: DocumentNumber) -> DocumentKind {
        activities.contains(document) ? .activity : .product
    }
}

/// The kinds of one segment, found when they are first asked for.
final class LazyKinds: Sendable {
    private let known = Mutex<DocumentKinds?>(nil)

    func value(of segment: Segment) -> DocumentKinds {
        known.withLock { known in
            if let known { return known }
            let found = DocumentKinds(segment)
            known = found
            return found
        }
    }
}
