import FresnelKernels

// A phrase is looked for by the places of its tokens: those of the second token moved back by one
// must meet those of the first, and so on, inside one attribute. Elements are kept apart by a gap
// between their places. A token with very many terms, as a short prefix has, is passed over: it
// cuts the phrase in two, and texts are read where places do not say enough.

/// Finds the attributes of documents in which the tokens of a phrase stand in a row.
struct PhrasePositions {
    /// Terms above which a token is passed over.
    private static let termLimit = 64

    private let filter: AttributeFilter
    private let isAdjacent: [Bool]
    /// One list a token; empty for a token that is passed over.
    private var cursors: [[PostingCursor]]
    /// Which tokens are passed over.
    private let isPassedOver: [Bool]
    /// Places of the token at hand, as attribute and position in one number.
    private var places: [UInt64] = []
    /// Places where the phrase up to the token before ends.
    private var ends: [UInt64] = []

    init(_ tokens: [TokenPlan], terms: [[TermID]], in segment: Segment, filter: AttributeFilter) {
        self.filter = filter
        isAdjacent = tokens.map(\.isAdjacent)
        let lists = segment.lists(for: filter)
        cursors = terms.map { terms in
            guard terms.count <= Self.termLimit else { return [] }
            return terms.flatMap { term in
                lists.filter { filter.mayMeet($0.attributeMask(of: term)) }.map {
                    $0.cursor(for: term)
                }
            }
        }
        isPassedOver = terms.map { $0.count > Self.termLimit }
    }

    /// Whether places say anything at all.
    var isSelective: Bool { isPassedOver.contains(false) }

    /// Whether every token takes part.
    var isWhole: Bool { !isPassedOver.contains(true) }

    /// The attributes in which the tokens stand in a row, ascending; documents must be given in
    /// ascending order.
    mutating func attributes(of document: DocumentNumber) -> [AttributeOrdinal] {
        var attributes: [AttributeOrdinal]?
        var isOpen = false
        for token in cursors.indices {
            guard !isPassedOver[token] else {
                if isOpen { attributes = Self.narrowed(attributes, to: ends) }
                isOpen = false
                continue
            }
            loadPlaces(of: token, document)
            if isOpen, isAdjacent[token] {
                keepFollowers()
            } else {
                if isOpen { attributes = Self.narrowed(attributes, to: ends) }
                swap(&ends, &places)
            }
            isOpen = true
            if ends.isEmpty { return [] }
        }
        return (isOpen ? Self.narrowed(attributes, to: ends) : attributes) ?? []
    }

    private mutating func loadPlaces(of token: Int, _ document: DocumentNumber) {
        places.removeAll(keepingCapacity: true)
        for number in cursors[token].indices {
            cursors[token][number].seek(to: document)
            guard cursors[token][number].documentNumber == document else { continue }
            cursors[token][number].forEachOccurrence { occurrence in
                guard filter.contains(occurrence.attribute) else { return }
                places.append(UInt64(occurrence.attribute) << 32 | UInt64(occurrence.position))
            }
        }
        if cursors[token].count > 1 { places.sort() }
    }

    /// Keeps the places that stand right behind an end; they are the new ends.
    private mutating func keepFollowers() {
        var kept = 0
        var end = 0
        for place in places {
            while end < ends.count, ends[end] + 1 < place { end += 1 }
            guard end < ends.count else { break }
            if ends[end] + 1 == place {
                places[kept] = place
                kept += 1
            }
        }
        places.removeLast(places.count - kept)
        swap(&ends, &places)
    }

    /// The attributes of places that are among those so far.
    private static func narrowed(
        _ attributes: [AttributeOrdinal]?, to places: [UInt64]
    ) -> [AttributeOrdinal] {
        var found: [AttributeOrdinal] = []
        for place in places {
            let attribute = AttributeOrdinal(truncatingIfNeeded: place >> 32)
            if found.last != attribute, attributes?.contains(attribute) ?? true {
                found.append(attribute)
            }
        }
        return found
    }
}
