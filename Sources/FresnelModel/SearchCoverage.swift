/// How many shards must be searched whole for an answer to count as one.
public enum SearchCoverage: Hashable, Sendable {
    /// All of them.
    case all
    /// At least one.
    case any
    /// At least this fraction, 0...1.
    case fraction(Double)

    /// Whether so many of the shards are enough; an index without shards is always covered.
    public func isSatisfied(whole: Int, of total: Int) -> Bool {
        guard total > 0 else { return true }
        switch self {
        case .all: return whole == total
        case .any: return whole > 0
        case .fraction(let fraction): return Double(whole) >= fraction * Double(total)
        }
    }

    /// The demanded fraction: 1 for `.all`, 0 for `.any`.
    public var fraction: Double {
        switch self {
        case .all: 1
        case .any: 0
        case .fraction(let fraction): fraction
        }
    }

    /// Makes the coverage from a fraction: 1 is `.all`, 0 is `.any`; nil outside 0...1.
    public init?(fraction: Double) {
        guard (0...1).contains(fraction) else { return nil }
        self = fraction == 1 ? .all : fraction == 0 ? .any : .fraction(fraction)
    }

    /// Reads `all`, `any` or a fraction such as `0.9`.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument`.
    public init(parsing text: String) throws(SearchError) {
        switch text {
        case "all": self = .all
        case "any": self = .any
        default:
            guard let fraction = Double(text), let coverage = SearchCoverage(fraction: fraction)
            else {
                throw SearchError(.invalidArgument, "\"\(text)\" is not a coverage").hinting(
                    "write all, any or a fraction between 0 and 1")
            }
            self = coverage
        }
    }
}
