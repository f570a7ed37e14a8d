package import FresnelKernels

// A query's answer inside one segment. Few documents are a sorted list, many are bits; "every
// document" needs no memory, since most segments have nothing deleted and most queries begin there.

/// A set of documents of one segment.
package struct DocumentSet: Sendable {
    /// How the documents are kept.
    package enum Form: Sendable {
        /// Every document of the segment.
        case all
        /// These, ascending and distinct.
        case list([DocumentNumber])
        /// Those whose bit is set.
        case bits(Bitset)
    }

    /// The number of documents of the segment, in the set or not.
    package let documentCount: Int
    /// The documents.
    package private(set) var form: Form

    /// Makes a set of a form; lists must be ascending and distinct.
    package init(_ form: Form, of documentCount: Int) {
        self.form = form
        self.documentCount = documentCount
    }

    /// No document.
    package static func none(of documentCount: Int) -> DocumentSet {
        DocumentSet(.list([]), of: documentCount)
    }

    /// Every document.
    package static func all(of documentCount: Int) -> DocumentSet {
        DocumentSet(.all, of: documentCount)
    }

    /// How many documents are in the set.
    package var count: Int {
        switch form {
        case .all: documentCount
        case .list(let list): list.count
        case .bits(let bits): bits.population
        }
    }

    /// Whether no document is in the set.
    package var isEmpty: Bool {
        switch form {
        case .all: documentCount == 0
        case .list(let list): list.isEmpty
        case .bits(let bits): bits.isEmpty
        }
    }

    /// Whether every document is surely in the set, without counting.
    package var isAll: Bool {
        if case .all = form { true } else { false }
    }

    /// Whether a document is in the set.
    package func contains(_ document: DocumentNumber) -> Bool {
        switch form {
        case .all: return Int(document) < documentCount
        case .bits(let bits): return bits.contains(Int(document))
        case .list(let list):
            let place = SortedNumbers.lowerBound(of: document, in: list.span, from: 0)
            return place < list.count && list[place] == document
        }
    }

    /// The set as bits.
    package var bitset: Bitset {
        switch form {
        case .all: return Bitset(count: documentCount, filled: true)
        case .bits(let bits): return bits
        case .list(let list):
            var bits = Bitset(count: documentCount)
            bits.insert(list.span)
            return bits
        }
    }

    /// The documents, ascending.
    package var documents: [DocumentNumber] {
        switch form {
        case .all: return (0..<documentCount).map { DocumentNumber($0) }
        case .list(let list): return list
        case .bits(let bits):
            var numbers: [DocumentNumber] = []
            numbers.reserveCapacity(bits.population)
            bits.append(to: &numbers)
            return numbers
        }
    }
}

extension DocumentSet {
    /// Keeps the documents that are in both.
    package mutating func formIntersection(_ other: DocumentSet) {
        switch (form, other.form) {
        case (_, .all): break
        case (.all, _): form = other.form
        case (.list(let mine), .list(let theirs)):
            form = .list(SortedNumbers.intersection(mine, theirs))
        case (.list(let mine), .bits(let theirs)):
            form = .list(mine.filter { theirs.contains(Int($0)) })
        case (.bits(let mine), .list(let theirs)):
            form = .list(theirs.filter { mine.contains(Int($0)) })
        case (.bits(var mine), .bits(let theirs)):
            form = .all
            mine.formIntersection(theirs)
            form = .bits(mine)
        }
    }

    /// Adds the documents of another set.
    package mutating func formUnion(_ other: DocumentSet) {
        switch (form, other.form) {
        case (.all, _), (_, .list([])): break
        case (_, .all), (.list([]), _): form = other.form
        case (.list(let mine), .list(let theirs)):
            form = .list(SortedNumbers.union(mine, theirs))
        case (.list(let mine), .bits(var theirs)):
            theirs.insert(mine.span)
            form = .bits(theirs)
        case (.bits(var mine), .list(let theirs)):
            form = .all
            mine.insert(theirs.span)
            form = .bits(mine)
        case (.bits(var mine), .bits(let theirs)):
            form = .all
            mine.formUnion(theirs)
            form = .bits(mine)
        }
    }

    /// Takes the documents of another set away.
    package mutating func subtract(_ other: DocumentSet) {
        switch (form, other.form) {
        case (.list([]), _), (_, .list([])): break
        case (_, .all): form = .list([])
        case (.list(let mine), _): form = .list(mine.filter { !other.contains($0) })
        case (.all, _), (.bits, _):
            var mine = bitset
            form = .all
            switch other.form {
            case .list(let theirs): for document in theirs { mine.remove(Int(document)) }
            case .bits(let theirs): mine.subtract(theirs)
            case .all: break
            }
            form = .bits(mine)
        }
    }
}
