/// The scripts that are written without spaces between words.
///
/// Neither the C library nor the standard library tells a scalar's script, so this lists the blocks
/// of Han, Hiragana, Katakana, Thai, Lao, Khmer and Myanmar. Blocks never move; a test compares the
/// list with the names and the ideographic property of all scalars. Hangul is left out: Korean
/// puts spaces between words.
enum SpacelessScripts {
    /// Whether `scalar`, known to be a letter, digit or mark, belongs to such a script.
    static func contains(_ scalar: UInt32) -> Bool {
        guard scalar >= 0x0E00 else { return false }
        return switch scalar {
        case 0x0E00...0x0EFF: true  // Thai, Lao
        case 0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0x116D0...0x116FF: true  // Myanmar
        case 0x1780...0x17FF: true  // Khmer
        case 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B: true  // Han marks and numerals
        case 0x3041...0x30FF, 0x31F0...0x31FF: true  // Hiragana, Katakana
        case 0xFF66...0xFF9F, 0x1AFF0...0x1B16F: true  // half-width and old kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true  // Han
        case 0x20000...0x3FFFF: true  // the ideographic planes
        default: false
        }
    }
}
