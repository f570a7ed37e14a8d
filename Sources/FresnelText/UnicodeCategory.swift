/// The general categories, as coarse as the rules of words need them.
enum UnicodeCategory {
    case lowercaseLetter
    case uppercaseLetter
    case titlecaseLetter
    /// Modifier letters and letters without case.
    case otherLetter
    /// Non-spacing, spacing and enclosing combining marks.
    case mark
    /// Decimal digits, letter numbers and other numbers.
    case number
    /// Space, line and paragraph separators.
    case space
    case control
    /// Punctuation, symbols, format characters, unassigned scalars.
    case other
}
