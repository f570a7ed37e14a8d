import FresnelKernels
package import FresnelText

// Irregular characters are of few kinds, most of all ™ (tm), № (no) and ½: passages stand together
// by what theirs fold to, and most words are told from that alone not to meet any. The same passage
// stands once for all documents that have it.

/// The passages of a segment (`IrregularPassage`), by their cores.
package struct IrregularPassages: Sendable {
    private var groups: [Group] = []
    /// Where a core is among the groups; only until all passages are there.
    private var places: [Core: Int] = [:]

    /// None.
    package init() {}

    private struct Core: Hashable {
        let key: [UInt8]
        let isGap: Bool
    }

    /// Adds a passage of a document; documents come in their order.
    ///
    /// What no key of letters and digits of ASCII can touch is left out.
    package mutating func insert(_ passage: IrregularPassage, of document: DocumentNumber) {
        let reach = passage.isGap ? passage.key[...] : passage.coreKey
        guard reach.contains(where: Self.isPlain) else { return }
        let core = Core(key: Array(passage.coreKey), isGap: passage.isGap)
        let place = places[core] ?? groups.count
        if place == groups.count {
            groups.append(Group(core: core.key, isGap: core.isGap))
            places[core] = place
        }
        groups[place].insert(passage, of: document)
    }

    /// Forgets what only adding needs.
    package mutating func finish() {
        places = [:]
        for place in groups.indices { groups[place].places = [:] }
    }

    /// Whether a byte of a key is a letter or digit of ASCII.
    static func isPlain(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || 0x30...0x39 ~= byte }

    /// Appends the documents with a passage in which a key stands across the core, or beside one
    /// that is a gap.
    ///
    /// Some may come several times. An empty key touches none.
    package func append(touchedBy key: [UInt8], to documents: inout [DocumentNumber]) {
        guard !key.isEmpty else { return }
        for group in groups where group.mayMeet(key) {
            group.append(touchedBy: key, to: &documents)
        }
    }

    /// The passages with one core.
    private struct Group {
        let core: [UInt8]
        let isGap: Bool
        /// The keys of all passages, one behind the other, each with a byte behind it that is in
        /// none.
        var keys: [UInt8] = []
        var passages: [Passage] = []
        /// Where a passage is among them.
        var places: [IrregularPassage: Int] = [:]

        static let separator: UInt8 = 0xFF

        struct Passage {
            /// Where its key begins among all.
            let start: Int
            /// Where the core begins.
            let core: Int
            var documents: [DocumentNumber]
        }

        init(core: [UInt8], isGap: Bool) {
            self.core = core
            self.isGap = isGap
        }

        mutating func insert(_ passage: IrregularPassage, of document: DocumentNumber) {
            if let place = places[passage] {
                if passages[place].documents.last != document {
                    passages[place].documents.append(document)
                }
                return
            }
            places[passage] = passages.count
            passages.append(
                Passage(
                    start: keys.count, core: keys.count + passage.core.lowerBound,
                    documents: [document]))
            keys += passage.key
            keys.append(Self.separator)
        }

        /// Whether a key can have a byte in the core, by these bytes alone.
        func mayMeet(_ key: [UInt8]) -> Bool {
            guard !isGap else { return true }
            // Each way that the two overlap: the key begins so many bytes behind the core's start.
            return (1 - key.count..<core.count).contains { offset in
                let shared = max(0, offset)..<min(core.count, offset + key.count)
                return shared.allSatisfy { core[$0] == key[$0 - offset] }
            }
        }

        func append(touchedBy key: [UInt8], to documents: inout [DocumentNumber]) {
            var position = 0
            while let hit = ByteSearch.firstOffset(of: key.span, in: keys.span, from: position) {
                let place = place(of: hit)
                let core = passages[place].core..<passages[place].core + core.count
                if isGap || hit < core.upperBound && hit + key.count > core.lowerBound {
                    documents += passages[place].documents
                    position = place + 1 < passages.count ? passages[place + 1].start : keys.count
                } else {
                    position = hit + 1
                }
            }
        }

        /// The passage that holds a byte of the keys.
        private func place(of offset: Int) -> Int {
            var (low, high) = (0, passages.count)
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if passages[middle].start <= offset { low = middle } else { high = middle }
            }
            return low
        }
    }
}
