/// Looks at the budget of a search once for so many documents.
///
/// A clock read costs as much as some documents, so loops count their steps here.
struct CheckPace {
    /// Steps between two looks: what the longest wait for a cancel is made of.
    static let interval = 4096

    private let control: SearchControl?
    private var left = Self.interval

    /// Makes the pace of one loop; without a control nothing ever ends it.
    init(_ control: SearchControl?) { self.control = control }

    /// Counts steps, and throws when the search should end.
    @inline(__always)
    mutating func step(_ steps: Int = 1) throws(SearchStop) {
        left &-= steps
        if left <= 0 { try look() }
    }

    private mutating func look() throws(SearchStop) {
        left = Self.interval
        try control?.check()
    }
}
