/// Reads a query string scalar by scalar and knows the UTF-8 offset of each.
///
/// Which token comes next depends on where the grammar stands (`*` is an attribute on the left and
/// a wildcard on the right), so the grammar asks for tokens instead of being handed a list.
struct QueryScanner {
    /// The bytes of a query that is ASCII throughout, as most are: a scalar is a byte.
    private let bytes: [UInt8]
    /// The scalars of any other query.
    private let scalars: [Unicode.Scalar]
    /// Their offsets, and the end.
    private let offsets: [Int]
    /// How many scalars there are.
    private let count: Int
    /// Number of scalars read.
    private(set) var position = 0

    init(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 >= 0x80 }) else {
            self.bytes = bytes
            (scalars, offsets, count) = ([], [], bytes.count)
            return
        }
        var scalars: [Unicode.Scalar] = []
        var offsets: [Int] = []
        var offset = 0
        for scalar in text.unicodeScalars {
            scalars.append(scalar)
            offsets.append(offset)
            offset += UTF8.width(scalar)
        }
        offsets.append(offset)
        self.bytes = []
        self.scalars = scalars
        self.offsets = offsets
        count = scalars.count
    }

    /// UTF-8 offset of the next scalar.
    var offset: Int { offsets.isEmpty ? position : offsets[position] }

    var isAtEnd: Bool { position == count }

    /// The scalar `distance` after the next one, without reading it.
    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let index = position + distance
        return index < count ? scalar(at: index) : nil
    }

    @inline(__always)
    private func scalar(at index: Int) -> Unicode.Scalar {
        offsets.isEmpty ? Unicode.Scalar(bytes[index]) : scalars[index]
    }

    /// Reads one scalar.
    mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek() else { return nil }
        position += 1
        return scalar
    }

    /// Reads `scalar` if it is next.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek() == scalar else { return false }
        position += 1
        return true
    }

    /// Reads the longest run of scalars that satisfy `belongs`; perhaps empty.
    mutating func takeRun(while belongs: (Unicode.Scalar) -> Bool) -> String {
        let end = endOfRun(while: belongs)
        let run = text(to: end)
        position = end
        return run
    }

    /// Takes the longest name: runs of letters, digits and `_`, with one `.` between two of them.
    mutating func takeName() -> String {
        var end = endOfRun(while: Self.isNameCharacter)
        while end + 1 < count, scalar(at: end) == ".", Self.isNameCharacter(scalar(at: end + 1)) {
            end += 2
            while end < count, Self.isNameCharacter(scalar(at: end)) { end += 1 }
        }
        let name = text(to: end)
        position = end
        return name
    }

    /// Passes over the run that `takeRun` would read.
    mutating func skipRun(while belongs: (Unicode.Scalar) -> Bool) {
        position = endOfRun(while: belongs)
    }

    /// The longest run that `takeRun` would read.
    func run(while belongs: (Unicode.Scalar) -> Bool) -> String {
        text(to: endOfRun(while: belongs))
    }

    private func endOfRun(while belongs: (Unicode.Scalar) -> Bool) -> Int {
        var index = position
        while index < count, belongs(scalar(at: index)) { index += 1 }
        return index
    }

    private func text(to end: Int) -> String {
        guard end > position else { return "" }
        guard !offsets.isEmpty else {
            return String(decoding: bytes[position..<end], as: UTF8.self)
        }
        var run = String.UnicodeScalarView()
        run.append(contentsOf: scalars[position..<end])
        return String(run)
    }

    /// Skips white space; whether there was any.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while position < count, isSpace(at: position) { position += 1 }
        return position > start
    }

    @inline(__always)
    private func isSpace(at index: Int) -> Bool {
        guard offsets.isEmpty else { return Self.isSpace(scalars[index]) }
        return bytes[index] == 0x20 || 0x09...0x0D ~= bytes[index]
    }

    @inline(never)
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.value == 0x20 || 0x09...0x0D ~= scalar.value : scalar.properties.isWhitespace
    }

    /// Goes back to a position that was read before.
    mutating func rewind(to earlier: Int) {
        precondition(earlier <= position, "rewinding forward from \(position) to \(earlier)")
        position = earlier
    }

    /// What stands next, in words for an error message.
    func describeNext() -> String {
        guard let first = peek() else { return "the end of the query" }
        if first == "\"" || first == "'" { return "a string" }
        let word = run(while: QueryScanner.isBarewordCharacter)
        let shown = word.isEmpty ? String(Character(first)) : word
        return "'\(QueryScanner.printable(shown))'"
    }

    /// `text` on one line and at most 32 characters long.
    static func printable(_ text: String) -> String {
        var shown = ""
        for (count, character) in text.enumerated() {
            guard count < 32 else { return shown + "…" }
            let isControl = character.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.properties.isWhitespace
            }
            shown.append(isControl ? " " : character)
        }
        return shown
    }

    static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
        isNameStart(scalar) || isDigit(scalar)
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isOperatorCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "!", "<", ">", "~": true
        default: false
        }
    }

    /// Letters (of any script, with their marks), digits and `_.-*?:/@+%`.
    static func isBarewordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        if isNameCharacter(scalar) { return true }
        return switch scalar {
        case ".", "-", "*", "?", ":", "/", "@", "+", "%": true
        default:
            scalar.value >= 0x80
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || scalar.properties.canonicalCombiningClass != .notReordered)
        }
    }
}
