package import FresnelModel

/// A state of a replica that can be read: what existed at a sequence number and had not expired at
/// an instant.
package struct ReadingPoint: Hashable, Sendable {
    /// The versions that exist at this number are seen.
    package let sequence: SequenceNumber
    /// What has expired by then is not.
    package let now: Timestamp

    /// Names a state.
    package init(sequence: SequenceNumber, now: Timestamp) {
        self.sequence = sequence
        self.now = now
    }
}

/// What differs in one segment between two states of its replica; each ascending.
package struct SegmentChanges: Hashable, Sendable {
    /// Documents that only the former state shows.
    package var removed: [DocumentNumber] = []
    /// Documents that only the newer state shows.
    package var added: [DocumentNumber] = []

    /// Whether both states show the same.
    package var isEmpty: Bool { removed.isEmpty && added.isEmpty }

    /// All of them, ascending.
    var documents: [DocumentNumber] {
        var documents = removed + added
        documents.sort()
        return documents
    }
}
