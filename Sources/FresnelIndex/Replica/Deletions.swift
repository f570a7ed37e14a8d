/// Which documents of one segment were deleted, and by which batch.
///
/// A value: changing it leaves the snapshots that hold the former one as they are.
package struct Deletions: Hashable, Sendable {
    private var sequences: [DocumentNumber: UInt64] = [:]
    /// The newest of all sequence numbers; 0 for none.
    private var newest: UInt64 = 0
    /// The oldest of all sequence numbers.
    private var oldest = UInt64.max

    package init() {}

    package var count: Int { sequences.count }
    package var isEmpty: Bool { sequences.isEmpty }

    /// The sequence number that deleted a document; nil while it lives.
    package func sequence(of document: DocumentNumber) -> UInt64? { sequences[document] }

    /// Deletes a document; a second deletion changes nothing.
    package mutating func insert(_ document: DocumentNumber, at sequence: UInt64) {
        guard sequences[document] == nil else { return }
        sequences[document] = sequence
        newest = max(newest, sequence)
        oldest = min(oldest, sequence)
    }

    /// Documents deleted up to a sequence number, in no order.
    package func documents(through sequence: UInt64) -> [DocumentNumber] {
        guard oldest <= sequence else { return [] }
        return sequences.compactMap { $0.value <= sequence ? $0.key : nil }
    }

    /// Documents deleted after one sequence number and up to another, in no order.
    package func documents(after former: UInt64, through sequence: UInt64) -> [DocumentNumber] {
        guard newest > former else { return [] }
        return sequences.compactMap {
            $0.value > former && $0.value <= sequence ? $0.key : nil
        }
    }

    /// All of them by document number.
    package var sorted: [(document: DocumentNumber, sequence: UInt64)] {
        sequences.sorted { $0.key < $1.key }.map { (document: $0.key, sequence: $0.value) }
    }
}
