import FresnelCluster
import FresnelWire
import ZeroMQ

/// Searches on the worker's loop itself, for what is light.
struct LocalSearch {
    /// Makes a handler that reports to a closure.
    typealias MakeHandler = @Sendable (@escaping @Sendable (WorkerEvent) -> Void) -> SearchHandler

    private let handler: SearchHandler
    private let reports: Guarded<[WorkerEvent]>

    /// - Parameter makeHandler: makes the handler for its reports.
    init(_ makeHandler: MakeHandler) {
        let reports = Guarded<[WorkerEvent]>([])
        self.reports = reports
        handler = makeHandler { event in reports.withLock { $0.append(event) } }
    }

    /// Carries out what a search thread would.
    func take(_ mail: SearchHandler.Mail) { handler.receive(mail) }

    /// What was reported since the last call.
    func takeReports() -> [WorkerEvent] {
        reports.withLock { reports in
            guard !reports.isEmpty else { return [] }
            var taken: [WorkerEvent] = []
            swap(&taken, &reports)
            return taken
        }
    }
}

extension WireSubquery {
    /// Documents with the words of a query that are scored in some hundred microseconds at most.
    private static let lightDocuments: UInt64 = 8_192
    /// Hits that are fetched in as little.
    private static let lightHits: UInt64 = 100

    /// Whether the search is known to take less than handing it over: a few hits of whole words
    /// that few documents have, all of it in the index.
    ///
    /// Only the counts behind scores tell that beforehand. A guess: nothing but time depends on it.
    var isLight: Bool {
        guard hasStatistics, search.hasLimit, search.limit <= Self.lightHits,
            search.filters.isEmpty, statistics.leafDocuments.count <= 8
        else { return false }
        var documents: UInt64 = 0
        for count in statistics.leafDocuments {
            guard count <= Self.lightDocuments else { return false }
            documents += count
        }
        return documents <= Self.lightDocuments && !search.query.hasPatterns
    }
}

extension String {
    /// Whether a quoted text has a wildcard or is more than one word, as far as can be seen without
    /// parsing: what matches says little then about what is looked at.
    fileprivate var hasPatterns: Bool {
        var isQuoted = false
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: " "):
                if isQuoted { return true }
            case UInt8(ascii: "\\"), UInt8(ascii: "'"): return true
            default: break
            }
        }
        return false
    }
}
