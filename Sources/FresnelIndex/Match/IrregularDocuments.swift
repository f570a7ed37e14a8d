import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelText
import FresnelWire
import Synchronization

/// The documents of a segment that tokens alone cannot decide (`IrregularScalars`), and what stands
/// around the characters that make them so.
///
/// Shared by all views of a segment, also of one that was read from elsewhere.
package final class IrregularDocuments: Sendable {
    /// The documents, ascending; a few too many do no harm.
    let numbers: [DocumentNumber]
    private let passages = Mutex(Gathering())
    private let asked = Atomic<Bool>(false)

    /// Documents read between two looks at the budget, and bytes of those after which no other is
    /// begun.
    private static let runLength = 32
    private static let runBytes = 1 << 18

    init(_ numbers: [DocumentNumber]) { self.numbers = numbers }

    /// Finds the documents of a segment.
    package convenience init(of segment: Segment) { self.init(Self.list(of: segment)) }

    /// The documents, ascending, in which one of some words of letters and digits of ASCII, or a
    /// part of one, may stand across an irregular character.
    func documents(
        touchedBy keys: [[UInt8]], in segment: Segment, _ control: SearchControl
    ) throws(SearchStop) -> [DocumentNumber] {
        guard !numbers.isEmpty else { return [] }
        asked.store(true, ordering: .relaxed)
        let passages = try passages(in: segment, control)
        var found: [DocumentNumber] = []
        for key in keys {
            try control.check()
            passages.append(touchedBy: key, to: &found)
        }
        SortedNumbers.sortDistinct(&found)
        return found
    }

    /// Reads some more of the documents, each once, some 20 µs each; the first query that asks need
    /// not then.
    ///
    /// - Returns: whether others are left.
    func prepare(_ segment: Segment) -> Bool {
        passages.withLock { $0.gather(numbers, Self.runLength, of: segment) }
    }

    /// Whether a query has asked for them.
    var wereAsked: Bool { asked.load(ordering: .relaxed) }

    /// What whoever asks first reads; who is stopped leaves what he has to the next.
    private func passages(
        in segment: Segment, _ control: SearchControl
    ) throws(SearchStop) -> IrregularPassages {
        while true {
            // Nobody waits for longer than a run.
            let all = passages.withLock { passages in
                passages.gather(numbers, Self.runLength, of: segment) ? nil : passages.found
            }
            if let all { return all }
            try control.check()
        }
    }

    /// The passages of the documents that were read.
    private struct Gathering {
        var found = IrregularPassages()
        /// How many documents were read.
        var next = 0

        /// Reads so many more documents at most; whether there are others.
        mutating func gather(
            _ numbers: [DocumentNumber], _ count: Int, of segment: Segment
        ) -> Bool {
            guard next < numbers.count else { return false }
            var bytes = 0
            for number in numbers[next..<min(numbers.count, next + count)] {
                guard bytes < IrregularDocuments.runBytes else { break }
                next += 1
                let encoded = segment.stored.encoded(number)
                bytes += encoded.count
                // Reading fails only where the segment was damaged after it was opened.
                guard let document = try? DocumentCoding.decode(encoded) else { continue }
                for (name, value) in document.searchedValues {
                    for text in SearchableText.strings(of: value, attribute: name) {
                        let text = text.utf8
                        IrregularPassage.forEach(in: text.span) { found.insert($0, of: number) }
                    }
                }
            }
            if next == numbers.count { found.finish() }
            return next < numbers.count
        }
    }
}

extension IrregularDocuments {
    /// The attribute whose text is not in the stored bytes: references such as `&trade;` hide it.
    private static let html = SearchableText.htmlAttribute

    /// The documents, ascending.
    ///
    /// A packed segment has them written down; of another all stored documents are read.
    private static func list(of segment: Segment) -> [DocumentNumber] {
        if let known = segment.irregular {
            let count = DocumentNumber(segment.documentCount)
            return (0..<known.count).map { known[$0] }.filter { $0 < count }
        }
        let page = segment.attribute(named: html)?.presence
        var documents: [DocumentNumber] = []
        segment.stored.forEachEncoded(of: segment.documentCount) { number, encoded in
            if page?.contains(number) ?? false || IrregularScalars.occur(in: encoded) {
                documents.append(number)
            }
        }
        return documents
    }

    /// The documents of new contents.
    static func list(of contents: SegmentContents) -> [DocumentNumber] {
        let pages = contents.attributes.first { $0.name == html }
        let irregular = Set(pages?.documents ?? [])
        return (0..<contents.documentCount).filter { number in
            irregular.contains(UInt32(number))
                || IrregularScalars.occur(in: contents.stored[number])
        }.map { DocumentNumber($0) }
    }

    /// The list of a packed segment; nil where there is none.
    static func list(
        _ table: SectionTable, _ counts: SegmentCounts
    ) throws(SegmentError) -> PackedArray<UInt32>? {
        guard table.bytes(of: Section(.irregular)) != nil else { return nil }
        var reader = try table.reader(of: Section(.irregular))
        let count = try reader.count(limit: counts.documents)
        let documents: PackedArray<UInt32> = try reader.array(count: count)
        try reader.requireEnd()
        return documents
    }
}
