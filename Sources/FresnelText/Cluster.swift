/// One original character: a scalar with the combining marks behind it, and with what nobody sees
/// (`Ignorables`).
///
/// The marks take part in nothing of their own: a cluster has the traits of its first scalar, so
/// `é` is one lower-case letter in either spelling and `≠` one separator. A mark that nothing
/// precedes is a cluster by itself. A Hangul syllable spelt in parts is one cluster, like the
/// syllable in one scalar.
struct Cluster {
    /// UTF-8 offset of the first scalar.
    var start: Int
    /// UTF-8 offset behind the last mark.
    var end: Int
    /// The traits of the first scalar; no position traits.
    var traits: CharacterTraits

    /// Reads the cluster at `offset`, which must be inside `bytes` and begin a scalar.
    @inline(__always)
    init(_ bytes: borrowing Span<UInt8>, at offset: Int) {
        let byte = bytes[offset]
        let next = offset + 1
        if byte < 0x80, next == bytes.count || !Self.mayContinue(bytes[next]) {
            self.init(start: offset, end: next, traits: CharacterTraits(ascii: byte))
        } else {
            self.init(slowly: bytes, at: offset)
        }
    }

    /// Whether a scalar whose UTF-8 begins with `lead` may continue a cluster: the least of them
    /// are U+00AD, the soft hyphen, and U+0300.
    @inline(__always)
    static func mayContinue(_ lead: UInt8) -> Bool {
        lead >= 0x80 && (lead >= 0xCC || lead == 0xC2)
    }

    @inline(__always)
    private init(start: Int, end: Int, traits: CharacterTraits) {
        self.start = start
        self.end = end
        self.traits = traits
    }

    @inline(never)
    private init(slowly bytes: borrowing Span<UInt8>, at offset: Int) {
        let first = DecodedScalar(bytes, at: offset)
        start = offset
        end = offset + first.length
        traits =
            first.value < 0x80
            ? CharacterTraits(ascii: UInt8(truncatingIfNeeded: first.value))
            : CharacterTraits(scalar: first.value)
        var part = HangulPart(of: first.value)
        while end < bytes.count, Self.mayContinue(bytes[end]) {
            let scalar = DecodedScalar(bytes, at: end)
            let nextPart = HangulPart(of: scalar.value)
            if let nextPart {
                guard let part, nextPart.continues(part) else { return }
            } else if UnicodeCategory(of: scalar.value) != .mark, !Ignorables.join(scalar.value) {
                return
            }
            part = nextPart
            end += scalar.length
        }
    }
}
