// The common phrase: words of one term each, one right behind the other, in attributes that are all
// wanted. Places of the first word are kept in a buffer, and word by word those remain that the
// next word stands right behind. Nothing is allocated for a document.

/// Tells documents in which words stand in a row.
@safe
struct PhraseWalk: ~Copyable {
    private var words: [PostingPlaces]
    /// Places as attribute and position in one number.
    private let places: UnsafeMutablePointer<UInt64>
    private let filter: AttributeFilter

    /// Places of a word in one document that fit; more are left to others.
    private static let capacity = 4096

    /// - Parameters:
    ///   - words: the words in the order of the phrase, at least one.
    ///   - filter: the attributes in which a phrase counts.
    init(_ words: [PostingPlaces], filter: AttributeFilter) {
        self.words = words
        self.filter = filter
        unsafe places = .allocate(capacity: Self.capacity)
    }

    deinit { unsafe places.deallocate() }

    /// Whether the phrase occurs in a document that has all words; nil when there are too many
    /// places to tell.
    ///
    /// - Parameters:
    ///   - met: the documents that have all words.
    ///   - number: which of them.
    mutating func occurs(_ met: borrowing MetWords, _ number: Int) -> Bool? {
        var count = 0
        for word in words.indices {
            let place = Int(met.places[word][number])
            guard let kept = word == 0 ? begin(place) : follow(word, place, count) else {
                return nil
            }
            count = kept
            if count == 0 { return false }
        }
        return true
    }

    /// Keeps the places of the first word; nil for too many.
    private mutating func begin(_ place: Int) -> Int? {
        var count = 0
        let (places, filter) = unsafe (places, filter)
        words[0].forEachOccurrence(at: place) { occurrence in
            guard filter.contains(occurrence.attribute) else { return }
            // Below the capacity, which the buffer has.
            if count < Self.capacity { unsafe places[count] = Self.place(occurrence) }
            count &+= 1
        }
        return count <= Self.capacity ? count : nil
    }

    /// Keeps the places of a word that stand right behind one kept before.
    private mutating func follow(_ word: Int, _ place: Int, _ count: Int) -> Int {
        var kept = 0
        var next = 0
        let places = unsafe places
        words[word].forEachOccurrence(at: place) { occurrence in
            let place = Self.place(occurrence)
            // `next` stays below `count`, and `kept` below `next`: a place is read before it is
            // written over.
            while next < count, unsafe places[next] &+ 1 < place { next &+= 1 }
            guard next < count, unsafe places[next] &+ 1 == place else { return }
            next &+= 1
            unsafe places[kept] = place
            kept &+= 1
        }
        return kept
    }

    @inline(__always)
    private static func place(_ occurrence: Occurrence) -> UInt64 {
        UInt64(occurrence.attribute) << 32 | UInt64(occurrence.position)
    }
}
