/// The modifiers as written, `t` included.
struct WrittenModifiers {
    var modifiers: Modifiers = []
    var isTokenized = false

    /// Adds one letter; whether it is a modifier.
    mutating func insert(_ letter: Unicode.Scalar) -> Bool {
        switch letter {
        case "c": modifiers.insert(.caseInsensitive)
        case "d": modifiers.insert(.diacriticInsensitive)
        case "w": modifiers.insert(.wordBased)
        case "t": isTokenized = true
        default: return false
        }
        return true
    }
}
