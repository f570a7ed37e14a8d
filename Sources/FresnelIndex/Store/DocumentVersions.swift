import FresnelKernels

/// When each document of a segment was made and when it ends.
///
/// Deletions are not here: they happen after the segment was written. The replica keeps them.
package struct DocumentVersions: Sendable {
    /// How both are kept.
    enum Form: Sendable {
        case plain(created: PackedArray<UInt64>, expirations: PackedArray<Double>)
        case framed(created: FramedNumbers, expirations: FramedNumbers)
    }

    let form: Form
    /// The least created sequence of all; 0 for no documents.
    package let firstSequence: UInt64
    /// The greatest created sequence of all; 0 for no documents.
    package let lastSequence: UInt64
    /// The earliest expiration of all; `+infinity` when nothing expires.
    package let firstExpiration: Double

    /// The number of documents.
    var count: Int {
        switch form {
        case .plain(let created, _): created.count
        case .framed(let created, _): created.count
        }
    }

    /// The sequence number of the batch that made a document.
    package func createdSequence(of document: DocumentNumber) -> UInt64 {
        switch form {
        case .plain(let created, _): created[Int(document)]
        case .framed(let created, _): created[Int(document)]
        }
    }

    /// Adds what is kept of some documents to new contents.
    func append(_ documents: Bitset, to contents: inout SegmentContents) {
        switch form {
        case .plain(let created, let expirations):
            documents.forEach { document in
                contents.createdSequences.append(created[document])
                contents.expirations.append(expirations[document])
            }
        case .framed(let created, let expirations):
            documents.forEach { document in
                contents.createdSequences.append(created[document])
                contents.expirations.append(Double(bitPattern: expirations[document]))
            }
        }
    }

    /// Seconds since 2001 at which a document expires; `+infinity` for never.
    package func expiration(of document: DocumentNumber) -> Double {
        switch form {
        case .plain(_, let expirations): expirations[Int(document)]
        case .framed(_, let expirations): Double(bitPattern: expirations[Int(document)])
        }
    }
}

extension DocumentVersions {
    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        let isFramed = table.bytes(of: Section(.versionFrames)) != nil
        var reader = try table.reader(of: Section(isFramed ? .versionFrames : .versions))
        firstSequence = try reader.number()
        lastSequence = try reader.number()
        firstExpiration = Double(bitPattern: try reader.number())
        if isFramed {
            let created = try FramedNumbers(&reader, count: counts.documents)
            let expirations = try FramedNumbers(&reader, count: counts.documents)
            form = .framed(created: created, expirations: expirations)
        } else {
            let created: PackedArray<UInt64> = try reader.array(count: counts.documents)
            let expirations: PackedArray<Double> = try reader.array(count: counts.documents)
            form = .plain(created: created, expirations: expirations)
        }
        try reader.requireEnd()
    }
}
