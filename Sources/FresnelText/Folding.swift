// Folding goes cluster by cluster, each step a function of the one before:
//
//   1. canonical decomposition (compatibility decomposition under d), marks in canonical order;
//   2. under c, full case folding of every scalar that is not a mark;
//   3. under d, every mark is dropped that is no letter (`LetterSigns`) and that the alphabet does
//      not protect, and what nobody sees (`Ignorables`);
//   4. under d, a letter and a sign that is a letter become one scalar where Unicode has it: が is
//      no か with something behind it;
//   5. under d, apostrophes, hyphens and spaces that look alike become one (`LookAlikes`).
//
// Because of that order the coarser folding of two texts is equal whenever the finer one is: texts
// equal under c, d or nothing are equal under cd, and their dictionary keys are equal. The index
// relies on it. The price is one deviation from full case folding: the Greek iota subscript
// (U+0345), a mark, is not folded to the letter iota; it is treated as the diacritic it is.

/// How characters are made equal: the options of a comparison and the alphabet of its language.
package struct Folding: Hashable, Sendable {
    /// What is ignored.
    package let options: FoldingOptions
    /// Whose letters are protected.
    package let alphabet: Alphabet
    /// Whether dotless ı becomes i, so that keys are coarser than any alphabet's folding.
    private let mergesDotlessI: Bool

    /// Makes a folding; `language` is a BCP 47 tag, nil folds neutrally.
    package init(_ options: FoldingOptions, language: String? = nil) {
        self.init(options, alphabet: Alphabet(language: language), mergesDotlessI: false)
    }

    private init(_ options: FoldingOptions, alphabet: Alphabet, mergesDotlessI: Bool) {
        self.options = options
        self.alphabet = alphabet
        self.mergesDotlessI = mergesDotlessI
    }

    /// The coarsest folding, of dictionary keys: two texts equal under any folding are equal here.
    package static let dictionary = Folding(
        [.caseInsensitive, .diacriticInsensitive], alphabet: .neutral, mergesDotlessI: true)

    /// Whether case is folded.
    @inline(__always)
    var ignoresCase: Bool { options.contains(.caseInsensitive) }

    /// Whether marks are dropped.
    @inline(__always)
    var ignoresMarks: Bool { options.contains(.diacriticInsensitive) }

    /// Whether I becomes ı and İ becomes i.
    @inline(__always)
    var isTurkishCase: Bool { alphabet == .turkish && ignoresCase }

    /// Folds an ASCII byte that stands alone in its cluster; not for I under Turkish case.
    @inline(__always)
    func fold(ascii byte: UInt8) -> UInt8 {
        ignoresCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Folds the cluster in `bytes` into `buffer.folded`, which may become empty.
    func fold(_ cluster: Cluster, of bytes: borrowing Span<UInt8>, with buffer: inout FoldingBuffer)
    {
        let kind: Decomposition = ignoresMarks ? .compatible : []
        buffer.removeAll()
        var offset = cluster.start
        while offset < cluster.end {
            let scalar = DecodedScalar(bytes, at: offset)
            let value = ignoresMarks ? LookAlikes.whole(scalar.value) : scalar.value
            appendDecomposition(of: value, kind, to: &buffer.folded)
            offset += scalar.length
        }
        buffer.putInCanonicalOrder()
        if isTurkishCase { buffer.foldTurkishCase() }
        if ignoresCase { buffer.foldCase(kind) }
        if ignoresMarks {
            buffer.dropMarks(except: alphabet)
            buffer.composeLetterSigns()
            buffer.mergeLookAlikes()
        }
        if mergesDotlessI { buffer.mergeDotlessI() }
    }
}
