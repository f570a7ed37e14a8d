import FresnelClient
import FresnelModel
import FresnelSystem
import TortureHistory

/// Writes, patches and deletes documents of its own keys, one batch after the other.
struct KeyWriter {
    private let number: Int
    private let load: Load
    private let index: SearchableIndex
    private var generator: SeededGenerator
    private var versions: Int

    init(_ number: Int, _ load: Load, _ client: SearchClient) {
        self.number = number
        self.load = load
        index = client.index(IndexName.torture(Load.sharedIndex))
        generator = load.generator(of: number)
        versions = number
    }

    /// Runs until the load is over.
    mutating func run() async {
        while !load.isOver.value, !Task.isCancelled {
            await write(choose())
            await load.rest(20...150, using: &generator)
        }
    }

    private mutating func choose() -> [KeyOperation] {
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<55:
            return keys(1...40).map { key in
                .index(key: key, version: version(), group: group())
            }
        case ..<82: return keys(1...20).map { .update(key: $0, version: version()) }
        case ..<96: return keys(1...8).map { .delete(key: $0) }
        default: return [.deleteGroup(group: group())]
        }
    }

    private mutating func keys(_ counts: ClosedRange<Int>) -> [Int] {
        let all = (0..<Load.keysOfWriter).shuffled(using: &generator)
        return all.prefix(Int.random(in: counts, using: &generator)).map { number * 1000 + $0 }
    }

    private mutating func group() -> String {
        "w\(number)g\(Int.random(in: 0..<Load.groupsOfWriter, using: &generator))"
    }

    /// Every version is given once.
    private mutating func version() -> Int {
        versions += 10
        return versions
    }

    /// Sends a batch, all of one kind, and records what became of it.
    private mutating func write(_ operations: [KeyOperation]) async {
        var documents: [Document] = []
        var patches: [DocumentPatch] = []
        var deleted: [String] = []
        var domains: [String] = []
        for operation in operations {
            switch operation {
            case .index(let key, let version, let group):
                documents.append(
                    Catalogue.document(
                        key: key, version: version, group: group, using: &generator))
            case .update(let key, let version):
                patches.append(Catalogue.patch(key: key, version: version, using: &generator))
            case .delete(let key): deleted.append(Catalogue.identifier(key))
            case .deleteGroup(let group): domains.append(Catalogue.domain(group))
            }
        }
        var event = WriteEvent(
            writer: "writer \(number)", index: Load.sharedIndex, operations: operations,
            started: Recorder.now, ended: 0, outcome: .unknown(""))
        do throws(SearchError) {
            var refused: [Int: Int] = [:]
            if !documents.isEmpty { refused = try await index.index(documents).refusedCodes }
            if !patches.isEmpty { refused = try await index.update(patches).refusedCodes }
            if !deleted.isEmpty {
                refused = try await index.delete(identifiers: deleted).refusedCodes
            }
            if !domains.isEmpty { refused = try await index.delete(domains: domains).refusedCodes }
            event.outcome = .acknowledged(refused: refused)
        } catch {
            event.outcome = .unknown("\(error)")
        }
        event.ended = Recorder.now
        load.recorder.record(.write(event))
    }
}

extension WriteReport {
    /// The codes of what was refused, by position.
    var refusedCodes: [Int: Int] {
        Dictionary(
            refusals.map { ($0.position, Int($0.error.code.rawValue)) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension IndexName {
    /// A name of the torture's own, which is one.
    static func torture(_ name: String) -> IndexName {
        do {
            return try IndexName(name)
        } catch {
            preconditionFailure("\(name) is no name of an index: \(error)")
        }
    }
}
