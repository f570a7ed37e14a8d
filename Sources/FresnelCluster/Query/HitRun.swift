import FresnelKernels
import FresnelModel
import FresnelWire

/// Hits of one part that follow each other in the answer, without another part's between them.
struct HitRun {
    let part: Int
    let batch: HitBatchReader
    let hits: Range<Int>

    /// Those at its beginning that do not lie behind a key.
    func beginning(through key: [UInt8]) -> Range<Int> {
        let end = Galloping.end(from: hits.lowerBound, count: hits.upperBound) {
            batch.compareKey($0, with: key) <= 0
        }
        return hits.lowerBound..<end
    }
}

/// What is known of the merge's order: whose hit comes first, and what it must not pass.
///
/// Equal keys, of a document that moves between shards, go by the number of their parts.
private struct MergeFront {
    /// A part's next hit.
    struct Head {
        let part: Int
        let batch: HitBatchReader
        let position: Int

        func precedes(_ other: Head) -> Bool {
            let order = batch.compareKey(position, with: other.batch, other.position)
            return order < 0 || order == 0 && part < other.part
        }
    }

    /// The first hit of all that arrived.
    private(set) var first: Head?
    /// The first hit of all other parts.
    private var second: Head?
    /// The least key that an open part of which no hit is here may still send.
    private var floor: (part: Int, key: [UInt8])?

    mutating func add(_ head: Head) {
        guard let first else { return self.first = head }
        if head.precedes(first) {
            second = first
            self.first = head
        } else if second.map({ head.precedes($0) }) ?? true {
            second = head
        }
    }

    mutating func add(floor key: [UInt8], ofPart part: Int) {
        guard let known = floor else { return floor = (part, key) }
        let order = ByteOrder.compare(key.span, known.key.span)
        // Of parts with the same floor the one of the least number keeps most others waiting.
        if order < 0 || order == 0 && part < known.part { floor = (part, key) }
    }

    /// The hits of the first one's batch that nothing which is here, or is still to come, precedes.
    var run: HitRun? {
        guard let first else { return nil }
        let batch = first.batch
        var end = batch.count
        if let second {
            let most = first.part < second.part ? 0 : -1
            // The first itself precedes it, and is not compared again.
            end = Galloping.end(from: first.position + 1, count: end) {
                batch.compareKey($0, with: second.batch, second.position) <= most
            }
        }
        if let floor {
            let most = first.part < floor.part ? 0 : -1
            end = Galloping.end(from: first.position, count: end) {
                batch.compareKey($0, with: floor.key) <= most
            }
        }
        guard first.position < end else { return nil }
        return HitRun(part: first.part, batch: batch, hits: first.position..<end)
    }
}

extension QueryStream {
    /// The next hits that are due; nil where none is.
    ///
    /// In ordered delivery those with the first keys of all, and only while nothing that is still
    /// to come can precede them; otherwise those of whichever part has something.
    var nextRun: HitRun? {
        guard plan.isOrdered else {
            for number in parts.indices {
                guard let head = parts[number].hits.head else { continue }
                return HitRun(
                    part: number, batch: head.batch, hits: head.position..<head.batch.count)
            }
            return nil
        }
        var front = MergeFront()
        for number in parts.indices {
            if let head = parts[number].hits.head {
                front.add(.init(part: number, batch: head.batch, position: head.position))
            } else if parts[number].isOpen {
                guard let floor = parts[number].floor else { return nil }
                front.add(floor: floor, ofPart: number)
            }
        }
        guard let run = front.run else { return nil }
        guard let threshold else { return run }
        let wanted = run.beginning(through: threshold)
        return wanted.isEmpty ? nil : HitRun(part: run.part, batch: run.batch, hits: wanted)
    }
}
