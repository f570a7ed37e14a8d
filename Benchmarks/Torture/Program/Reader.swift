import FresnelClient
import FresnelModel
import FresnelSystem
import TortureHistory

/// Asks all kinds of questions, one after the other.
struct Reader {
    private let number: Int
    private let load: Load
    private let client: SearchClient
    private var generator: SeededGenerator

    init(_ number: Int, _ load: Load, _ client: SearchClient) {
        self.number = number
        self.load = load
        self.client = client
        generator = load.generator(of: number)
    }

    /// Runs until the load is over.
    mutating func run() async {
        while !load.isOver.value, !Task.isCancelled {
            let (kind, index) = choose()
            await Self.ask(kind, of: index, client, load.recorder) { request in
                adjust(&request, kind)
            }
            await load.rest(50...250, using: &generator)
        }
    }

    private mutating func choose() -> (ReadKind, String) {
        let isShared = Int.random(in: 0..<3, using: &generator) > 0
        let index = isShared ? Load.sharedIndex : Load.importIndex
        let writer = Int.random(in: isShared ? 1...3 : 4...5, using: &generator)
        let group = isShared ? Int.random(in: 0..<Load.groupsOfWriter, using: &generator) : 0
        let kind: ReadKind =
            switch Int.random(in: 0..<10, using: &generator) {
            case ..<5: .all
            case 5: .group("w\(writer)g\(group)")
            case 6: .newest(limit: Int.random(in: 1...60, using: &generator))
            case 7: .relevant(limit: Int.random(in: 1...20, using: &generator))
            case 8:
                .keys(
                    (0..<12).map { _ in
                        writer * 1000 + Int.random(in: 0..<Load.keysOfWriter, using: &generator)
                    })
            default: .count
            }
        return (kind, index)
    }

    /// Answers of every delivery, with little credit or much.
    private mutating func adjust(_ request: inout SearchRequest, _ kind: ReadKind) {
        let deliveries = Delivery.allCases
        switch kind {
        case .all, .group:
            request.delivery = deliveries[Int.random(in: 0..<3, using: &generator)]
            if Int.random(in: 0..<2, using: &generator) == 0 { request.credit = 20 }
            if Int.random(in: 0..<2, using: &generator) == 0 { request.sort = [.byVersion] }
        case .newest, .relevant, .keys, .count, .followed: break
        }
    }

    /// Asks one question and records the answer.
    static func ask(
        _ kind: ReadKind, of index: String, _ client: SearchClient, _ recorder: Recorder,
        adjusting adjust: (inout SearchRequest) -> Void = { _ in }
    ) async {
        var request = request(kind)
        request.indexes = [IndexName.torture(index)]
        request.deadline = .seconds(20)
        adjust(&request)
        var event = ReadEvent(
            kind, index: index, started: Recorder.now, ended: 0, outcome: .failed(""),
            observed: [])
        do throws(SearchError) {
            let query = client.search(request)
            if kind != .count {
                var hits = query.hits.makeAsyncIterator()
                while let hit = try await hits.next() {
                    event.observed.append(
                        Catalogue.observation(hit.uniqueIdentifier, hit.attributes))
                }
            }
            let completion = try await query.completion()
            event.found = Int(clamping: completion.found)
            event.outcome = completion.isComplete ? .complete : .incomplete(completion.reason)
        } catch {
            event.outcome = .failed("\(error)")
        }
        event.ended = Recorder.now
        recorder.record(.read(event))
    }

    private static func request(_ kind: ReadKind) -> SearchRequest {
        var request = SearchRequest(Catalogue.everything)
        request.attributes = Catalogue.attributes
        switch kind {
        case .all, .followed: break
        case .group(let group): request.filters = ["keywords == \"\(group)\""]
        case .newest(let limit):
            request.limit = limit
            request.sort = [.byVersion]
        case .relevant(let limit):
            request.query = "title == \"torture\"cdw"
            request.limit = limit
        case .keys(let keys):
            request = SearchRequest(identifiers: Set(keys).sorted().map(Catalogue.identifier))
        case .count: request.isCountOnly = true
        }
        return request
    }
}

extension SortKey {
    /// The newest first.
    fileprivate static var byVersion: SortKey {
        do {
            return try SortKey(parsing: "-rating")
        } catch {
            preconditionFailure("-rating is no order: \(error)")
        }
    }
}

extension Completion {
    /// Why it is not complete, shortly.
    var reason: String {
        let missing = shards.filter { !$0.isWhole }.map { shard in
            "shard \(shard.shard.number) \(shard.status.rawValue) \(shard.message)"
        }
        let error = self.error.map { ["\($0)"] } ?? []
        return ([status.rawValue] + error + missing.prefix(3)).joined(separator: ", ")
    }
}
