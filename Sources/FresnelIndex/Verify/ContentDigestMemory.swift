import FresnelKernels
package import FresnelModel
import FresnelSystem

/// What was summed up of each segment of a replica, so that the next digest reads only documents
/// that came or went since.
///
/// A segment's documents never change, and which of them can be seen is a set: the difference of
/// two sets is what has to be read. A bit a document is kept, and nothing else.
package struct ContentDigestMemory: Sendable {
    private struct Sum: Sendable {
        var visible: Bitset
        var digest: ContentDigest
    }

    /// By the number that segments have inside the process.
    private var sums: [UInt64: Sum] = [:]
    private let salt: UInt64
    /// Documents that were read so far.
    package private(set) var readDocuments: UInt64 = 0

    /// - Parameter salt: as of `ContentDigest`.
    package init(salt: UInt64 = 0) { self.salt = salt }

    /// The digest of what a query at a sequence number and an instant could find.
    package mutating func digest(
        of snapshot: IndexSnapshot, at sequence: SequenceNumber, now: Timestamp
    ) -> ContentDigest {
        let live = Set(snapshot.segments.map(\.serial))
        sums = sums.filter { live.contains($0.key) }
        var digest = ContentDigest(salt: salt)
        let visible = snapshot.visible(at: sequence, now: now)
        for (published, documents) in zip(snapshot.segments, visible) {
            let sum = update(sums[published.serial], of: published.segment, to: documents.bitset)
            sums[published.serial] = sum
            digest.add(sum.digest)
        }
        return digest
    }

    private mutating func update(
        _ former: Sum?, of segment: Segment, to visible: Bitset
    ) -> Sum {
        var sum =
            former
            ?? Sum(visible: Bitset(count: visible.count), digest: ContentDigest(salt: salt))
        let identifiers = segment.identifiers
        for (number, word) in visible.words.enumerated() where word != sum.visible.words[number] {
            var changed = word ^ sum.visible.words[number]
            while changed != 0 {
                let bit = changed.trailingZeroBitCount
                changed &= changed - 1
                let document = DocumentNumber(number << 6 | bit)
                readDocuments += 1
                segment.stored.withEncoded(document) { encoded in
                    identifiers.withIdentifier(of: document) { identifier in
                        if word & (1 << UInt64(bit)) != 0 {
                            sum.digest.add(identifier: identifier, encoded: encoded)
                        } else {
                            sum.digest.remove(identifier: identifier, encoded: encoded)
                        }
                    }
                }
            }
        }
        if former == nil { segment.bytes.releasePages() }
        sum.visible = visible
        return sum
    }
}
