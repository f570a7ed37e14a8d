import FresnelModel

/// What a query was granted and what of it was consumed, in cumulative totals.
struct CreditLedger: Hashable, Sendable {
    /// New totals to be told to the broker.
    struct Grant: Hashable, Sendable {
        let items: UInt64
        let bytes: UInt64
    }

    private let windowItems: UInt64
    private let windowBytes = Limits.clientWindowBytes
    private(set) var granted: Grant
    private var consumedItems: UInt64 = 0
    private var consumedBytes: UInt64 = 0

    /// Starts with one window granted, as the query itself says.
    init(items: UInt64) {
        windowItems = items
        granted = Grant(items: items, bytes: windowBytes)
    }

    mutating func consume(items: UInt64, bytes: UInt64) {
        consumedItems += items
        consumedBytes += bytes
    }

    /// The next grant, when half of the window is used up; nil before that.
    mutating func refill() -> Grant? {
        // A broker that sent beyond its credit must not make this wrap around.
        let restItems = granted.items > consumedItems ? granted.items - consumedItems : 0
        let restBytes = granted.bytes > consumedBytes ? granted.bytes - consumedBytes : 0
        guard restItems <= windowItems / 2 || restBytes <= windowBytes / 2 else { return nil }
        granted = Grant(items: consumedItems + windowItems, bytes: consumedBytes + windowBytes)
        return granted
    }

    /// Takes back a grant that could not be told, so that the next refill tells it again.
    mutating func withdraw(_ grant: Grant) {
        guard granted == grant else { return }
        granted = Grant(items: consumedItems, bytes: consumedBytes)
    }
}
