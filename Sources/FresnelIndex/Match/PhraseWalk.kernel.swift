// The common phrase: words of one term each, one right behind the other, in attributes that are all
// wanted. Two words of one attribute, as most phrases are, are gone through together up to the
// first place where one follows the other. Else the places of the first word are kept in a buffer,
// and word by word those remain that the next word stands right behind. Nothing is allocated for a
// document.

/// Tells documents in which words stand in a row.
@safe
struct PhraseWalk: ~Copyable {
    /// The words in the order of the phrase, in memory of their own: each reads a block at a time
    /// into itself.
    private let words: UnsafeMutablePointer<PostingPlaces>
    private let count: Int
    /// Whether the phrase is two words whose places are numbers of one attribute that counts.
    private let isPair: Bool
    /// Places as attribute and position in one number.
    private let places: UnsafeMutablePointer<UInt64>
    private let filter: AttributeFilter

    /// Places of a word in one document that fit; more are left to others.
    private static let capacity = 4096

    /// - Parameters:
    ///   - lists: those of the words in the order of the phrase, at least one.
    ///   - all: the lists they are of.
    ///   - filter: the attributes in which a phrase counts.
    init(_ lists: [PostingList], of all: PostingLists, filter: AttributeFilter) {
        count = lists.count
        self.filter = filter
        let memory = UnsafeMutablePointer<PostingPlaces>.allocate(capacity: lists.count)
        unsafe words = memory
        for place in lists.indices {
            // One of the words there is room for.
            unsafe (memory + place).initialize(to: PostingPlaces(all, lists[place]))
        }
        if lists.count == 2, let attribute = unsafe memory[0].positionAttribute,
            unsafe memory[1].positionAttribute == attribute
        {
            isPair = filter.contains(attribute)
        } else {
            isPair = false
        }
        // A pair keeps no places.
        unsafe places = .allocate(capacity: isPair ? 0 : Self.capacity)
    }

    deinit {
        unsafe words.deinitialize(count: count)
        unsafe words.deallocate()
        unsafe places.deallocate()
    }

    /// The documents in which the phrase occurs; nil when one has too many places to tell.
    ///
    /// - Parameter met: the documents that have all words.
    mutating func documents(
        of met: MetWords, _ control: SearchControl
    ) throws(SearchStop) -> [DocumentNumber]? {
        var found: [DocumentNumber] = []
        found.reserveCapacity(met.documents.count)
        var pace = CheckPace(control)
        if isPair {
            let (documents, first, second) = (met.documents, met.places[0], met.places[1])
            for number in documents.indices {
                try pace.step(16)
                guard isFollowed(first, second, number) else { continue }
                found.append(documents[number])
            }
            return found
        }
        for (number, document) in met.documents.enumerated() {
            try pace.step(16)
            guard let occurs = occurs(met, number) else { return nil }
            if occurs { found.append(document) }
        }
        return found
    }

    private mutating func occurs(_ met: borrowing MetWords, _ number: Int) -> Bool? {
        var kept = 0
        for word in 0..<count {
            let places = met.places[word]
            let (place, isDense) = (Int(places[number]), Self.isDense(places, number))
            guard
                let left = word == 0
                    ? begin(place, isDense) : follow(word, place, isDense, kept)
            else { return nil }
            kept = left
            if kept == 0 { return false }
        }
        return true
    }

    /// Whether so many of the documents from one on stand in the same block of a word's list that
    /// the block is worth being decoded.
    @inline(__always)
    private static func isDense(_ places: [UInt32], _ number: Int) -> Bool {
        let last = number + PostingPlaces.denseCount - 1
        return last < places.count && places[last] >> 7 == places[number] >> 7
    }

    /// Whether the second of two words stands right behind the first.
    ///
    /// - Parameters:
    ///   - first: the places of all documents in the first word's list.
    ///   - second: those in the second's.
    ///   - number: which of the documents is meant.
    private mutating func isFollowed(
        _ first: [UInt32], _ second: [UInt32], _ number: Int
    ) -> Bool {
        // There are two words.
        guard
            var one = unsafe words[0].positions(
                at: Int(first[number]), isDense: Self.isDense(first, number)),
            var other = unsafe words[1].positions(
                at: Int(second[number]), isDense: Self.isDense(second, number))
        else { return false }
        var (left, right) = (one.position(), other.position())
        while left != .max, right != .max {
            if left &+ 1 == right { return true }
            if left < right { left = one.position() } else { right = other.position() }
        }
        return false
    }

    /// Keeps the places of the first word; nil for too many.
    private mutating func begin(_ place: Int, _ isDense: Bool) -> Int? {
        var count = 0
        let (places, filter) = unsafe (places, filter)
        // There is a first word.
        unsafe words[0].forEachOccurrence(at: place, isDense: isDense) { occurrence in
            guard filter.contains(occurrence.attribute) else { return }
            // Below the capacity, which the buffer has.
            if count < Self.capacity { unsafe places[count] = Self.place(occurrence) }
            count &+= 1
        }
        return count <= Self.capacity ? count : nil
    }

    /// Keeps the places of a word that stand right behind one kept before.
    private mutating func follow(
        _ word: Int, _ place: Int, _ isDense: Bool, _ count: Int
    ) -> Int {
        var kept = 0
        var next = 0
        let places = unsafe places
        // One of the words, as the caller counts them.
        unsafe words[word].forEachOccurrence(at: place, isDense: isDense) { occurrence in
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
