import FresnelClient
import FresnelModel
import FresnelSystem
import TortureHistory

/// Imports as a program does that goes on where the client state says: it looks at the state, and
/// commits a batch together with the next one, if nobody else did meanwhile.
struct StateWriter {
    private let number: Int
    private let load: Load
    private let index: SearchableIndex
    private var generator: SeededGenerator
    private var versions: Int

    init(_ number: Int, _ load: Load, _ client: SearchClient) {
        self.number = number
        self.load = load
        index = client.index(IndexName.torture(Load.importIndex))
        generator = load.generator(of: number)
        versions = number
    }

    /// Runs until the load is over.
    mutating func run() async {
        while !load.isOver.value, !Task.isCancelled {
            if let state = await Self.look(at: index, load.recorder) {
                await commit(on: state)
            }
            await load.rest(20...250, using: &generator)
        }
    }

    /// The state that is stored, recorded; nil when nobody says.
    static func look(at index: SearchableIndex, _ recorder: Recorder) async -> ClientState? {
        let started = Recorder.now
        do throws(SearchError) {
            let stored = try await index.fetchLastClientState()
            let state = if let stored { stored } else { try ClientState([]) }
            recorder.record(
                .state(
                    StateEvent(
                        index: index.name.text, value: String(decoding: state.bytes, as: UTF8.self),
                        started: started, ended: Recorder.now)))
            return state
        } catch {
            return nil
        }
    }

    private mutating func choose() -> [KeyOperation] {
        let keys = (0..<Load.keysOfWriter).shuffled(using: &generator)
            .prefix(Int.random(in: 1...20, using: &generator))
        return keys.map { key in
            let key = number * 1000 + key
            versions += 10
            switch Int.random(in: 0..<10, using: &generator) {
            case ..<6: return .index(key: key, version: versions, group: "w\(number)g0")
            case ..<8: return .update(key: key, version: versions)
            default: return .delete(key: key)
            }
        }
    }

    private mutating func commit(on state: ClientState) async {
        let operations = choose()
        let new = "state \(number) \(versions)"
        var event = WriteEvent(
            writer: "importer \(number)", index: index.name.text, operations: operations,
            state: WriteEvent.StateChange(
                expected: String(decoding: state.bytes, as: UTF8.self), new: new),
            started: Recorder.now, ended: 0, outcome: .unknown(""))
        do throws(SearchError) {
            var batch = try await index.makeBatch()
            for operation in operations { try add(operation, to: &batch) }
            event.started = Recorder.now
            let report = try await batch.end(
                clientState: ClientState(Array(new.utf8)), expecting: state)
            event.outcome = .acknowledged(refused: report.refusedCodes)
        } catch  where error.code == .mismatchedClientState {
            event.outcome = .refused("\(error)")
        } catch {
            event.outcome = .unknown("\(error)")
        }
        event.ended = Recorder.now
        load.recorder.record(.write(event))
    }

    private mutating func add(
        _ operation: KeyOperation, to batch: inout WriteBatch
    ) throws(SearchError) {
        switch operation {
        case .index(let key, let version, let group):
            try batch.index(
                Catalogue.document(key: key, version: version, group: group, using: &generator))
        case .update(let key, let version):
            try batch.update(Catalogue.patch(key: key, version: version, using: &generator))
        case .delete(let key): try batch.delete(identifier: Catalogue.identifier(key))
        case .deleteGroup(let group): try batch.delete(domain: Catalogue.domain(group))
        }
    }
}
