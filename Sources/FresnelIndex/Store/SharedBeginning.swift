import FresnelKernels
import FresnelWire
import Synchronization

// A hit without attributes is what its encoded document begins with: three bytes, the same for most
// documents of a segment, and the identifier, which stands with all others one behind the other. So
// a long answer need not touch the stored documents. Which documents begin otherwise is found out
// by who makes or opens a segment.

/// How the documents of a segment begin.
struct SharedBeginning: Sendable {
    /// The bytes before the identifier of most documents, behind which attributes follow.
    let head: [UInt8]
    /// The documents that begin otherwise, ascending.
    let others: [DocumentNumber]

    /// Nil when too many begin otherwise.
    ///
    /// A packed segment has it written down; of another all documents are looked at.
    init?(_ segment: Segment) {
        let count = segment.documentCount
        guard count > 0 else { return nil }
        if let packed = segment.packedBeginnings {
            guard packed.others.count <= 1024 + count / 64 else { return nil }
            head = (0..<3).map { UInt8(truncatingIfNeeded: packed.head >> UInt32(8 * $0)) }
            others = (0..<packed.others.count).map { packed.others[$0] }
            return
        }
        var head: [UInt8] = []
        var others: [DocumentNumber] = []
        segment.stored.forEachEncoded(of: count) { document, bytes in
            if head.isEmpty, let own = DocumentCoding.plainHead(of: bytes) { head = own }
            if !DocumentCoding.isPlain(bytes, withHead: head) { others.append(document) }
        }
        guard others.count <= 1024 + count / 64 else { return nil }
        self.head = head
        self.others = others
    }
}

/// How most documents of one segment begin, found when it is first asked for.
final class LazyBeginning: Sendable {
    private let known = Mutex<SharedBeginning??>(nil)

    func value(of segment: Segment) -> SharedBeginning? {
        known.withLock { known in
            if let known { return known }
            let found = SharedBeginning(segment)
            known = .some(found)
            return found
        }
    }
}
