import FresnelKernels

/// The postings of one term, not written yet.
struct OpenPostings {
    private var documents: [UInt32] = []
    /// Where the occurrences of each document begin.
    private var starts: [Int] = []
    private var occurrences: [Occurrence] = []
    /// Memory of one block after the other.
    private var positions = PositionRun.Contents()
    private var run = BitRunWriter()

    var count: Int { documents.count }

    func document(_ place: Int) -> DocumentNumber { documents[place] }

    mutating func beginDocument(_ document: DocumentNumber) {
        documents.append(document)
        starts.append(occurrences.count)
    }

    mutating func append(_ occurrence: Occurrence) { occurrences.append(occurrence) }

    mutating func removeAll() {
        documents.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        occurrences.removeAll(keepingCapacity: true)
    }

    /// Whether all occurrences are in the first element of one attribute.
    func isSimple(_ mask: UInt64) -> Bool {
        mask.nonzeroBitCount == 1 && mask != AttributeFilter.sharedBit
            && occurrences.allSatisfy {
                $0.element == 0 && $0.position <= SimpleOccurrences.positionLimit
            }
            && documents.indices.allSatisfy {
                occurrences($0).count <= PositionRun.countLimit
            }
    }

    func forEach(_ body: (DocumentNumber, ArraySlice<Occurrence>) -> Void) {
        for place in documents.indices { body(documents[place], occurrences(place)) }
    }

    /// The only occurrence in the only document, if it can be one of the single lists.
    var single: (DocumentNumber, Occurrence)? {
        guard documents.count == 1, SingleListContents.takes(occurrences) else { return nil }
        return (documents[0], occurrences[0])
    }

    /// Writes a block of a simple list.
    mutating func write(_ places: Range<Int>, floor: DocumentNumber, to blob: inout [UInt8]) {
        let gaps = GapBlock.gaps(documents.span.extracting(places), floor: floor)
        positions.removeAll()
        for place in places { positions.append(occurrences(place).lazy.map(\.position)) }
        guard places.count < BitPacking.blockLength else {
            GapBlock.appendFull(gaps, to: &blob)
            return positions.appendFull(to: &blob)
        }
        let choice = GapCodes.choice(for: gaps)
        blob.append(choice | positions.head)
        run.removeAll()
        let order = GapCodes.order(ofChoice: choice)
        for gap in gaps { GapCodes.append(gap, order: order, to: &run) }
        positions.append(to: &run)
        blob += run.bytes
    }

    private func occurrences(_ place: Int) -> ArraySlice<Occurrence> {
        let end = place + 1 < starts.count ? starts[place + 1] : occurrences.count
        return occurrences[starts[place]..<end]
    }
}
