import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import Testing

@testable import FresnelWorker

/// One worker with its copies: the writing thread, the thread of files and the loop that decides,
/// all called by the test, on a disk in memory.
final class CopyWorker {
    let bench: WorkerBench
    private var core = TransferCore(sizes: .init(requestBytes: 512, creditBytes: 2048))
    private var files: TransferFiles
    /// What the broker heard.
    private(set) var states: [WireReplicaState] = []

    init(sealThresholdBytes: Int = 1 << 30) throws {
        bench = try WorkerBench(sealThresholdBytes: sealThresholdBytes)
        files = Self.files(of: bench)
    }

    private static func files(of bench: WorkerBench) -> TransferFiles {
        let handler = bench.transferWork
        let transfers = bench.transfers
        return TransferFiles(
            directory: bench.directory, table: bench.table, pins: bench.pins,
            // Not the chance of the writing thread: identities must differ.
            environment: Environment(
                time: bench.time, chance: SeededRandom(seed: 99), storage: bench.storage),
            logger: Logger(label: "copies") { _ in bench.log.handler },
            report: { transfers.append($0) }, ingest: { handler.append($0) })
    }

    /// The process ends without a word, the disk keeps what it must, and another one starts.
    func restart(crashing seed: UInt64? = nil) {
        if let seed { bench.storage.crash(seed: seed) }
        _ = bench.transfers.take()
        _ = bench.transferWork.take()
        core = TransferCore(sizes: .init(requestBytes: 512, creditBytes: 2048))
        bench.restart()
        files = Self.files(of: bench)
        bench.host()
    }

    func order(_ order: TransferOrder) { bench.transfers.append(.ordered(order)) }

    func tell(_ event: TransferEvent) { bench.transfers.append(event) }

    /// Handles everything that waits; what goes to the other worker is returned.
    func turn(at now: Instant) -> [TransferEffect] {
        var outgoing: [TransferEffect] = []
        for work in bench.transferWork.take() { bench.handler.receive(.transfer(work)) }
        _ = bench.handler.finishTurn()
        for event in bench.transfers.take() {
            for effect in core.decide(event, at: now) {
                switch effect {
                case .report(let state): states.append(state)
                case .receive(_, _, .ask), .donate(.answer): outgoing.append(effect)
                case .donate(.read(let id, let shard, let ticket, let fetch)):
                    files.receive(.read(id, shard, ticket, fetch))
                case .donate(.confirm): break
                case .donate(.release(let ticket)): files.receive(.release(ticket))
                case .receive(let id, let shard, let effect):
                    files.receive(.receive(id, shard, effect))
                case .drop(let shard, let epoch, let target):
                    _ = bench.transferWork.append(.drop(shard, epoch, target))
                case .connect, .disconnect, .log: break
                }
            }
        }
        return outgoing
    }
}

/// A donor and a receiver, joined by a wire that loses nothing.
final class CopyPair {
    let donor: CopyWorker
    let receiver: CopyWorker
    private var now = Instant(nanoseconds: 0)
    private var epoch: UInt32 = 0
    private var copy = CopyID(0)

    init(donorSealThresholdBytes: Int = 1 << 30) throws {
        donor = try CopyWorker(sealThresholdBytes: donorSealThresholdBytes)
        receiver = try CopyWorker()
        donor.bench.host()
        receiver.bench.host()
    }

    /// Orders a copy under a new ticket.
    func order(afresh: Bool = false, keepsReplaced: Bool = false, least: UInt64 = 0) {
        epoch += 1
        var offer = WireOfferReplica()
        offer.index = WorkerBench.shard.index
        offer.shard = WorkerBench.shard.shard.number
        offer.epoch = epoch
        offer.ticketLow = UInt64(epoch)
        var order = WireCatchUp()
        order.index = offer.index
        order.shard = offer.shard
        order.epoch = epoch
        order.ticketLow = UInt64(epoch)
        order.donorWorker = "donor"
        order.afresh = afresh
        order.keepsReplaced = keepsReplaced
        order.leastSequence = least
        donor.order(.offer(offer))
        receiver.order(.catchUp(order))
    }

    /// Lets both work for so many turns, or until the copy caught up or failed.
    ///
    /// - Returns: the last state the broker heard.
    @discardableResult
    func run(
        turns: Int = 2000,
        until isEnough: (WireReplicaState) -> Bool = { state in
            state.phase == .caughtUp || state.phase == .failed
        }
    ) -> WireReplicaState? {
        let known = receiver.states.count
        for turn in 0..<turns {
            now = now + .milliseconds(5)
            if turn.isMultiple(of: 10) {
                donor.tell(.tick)
                receiver.tell(.tick)
            }
            for effect in receiver.turn(at: now) {
                guard case .receive(let id, _, .ask(let number, let fetch)) = effect else {
                    continue
                }
                copy = id
                donor.tell(.fetched(fetch, number: number, from: [1]))
            }
            for effect in donor.turn(at: now) {
                guard case .donate(.answer(_, let number, let chunk, let payload)) = effect else {
                    continue
                }
                receiver.tell(.chunk(copy, chunk, number: number, payload: payload))
            }
            if let last = receiver.states.dropFirst(known).last, isEnough(last) { return last }
        }
        return receiver.states.last
    }

    /// Writes documents at the donor, one a part, from a sequence number on.
    func write(_ sequences: ClosedRange<UInt64>) throws {
        for sequence in sequences {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)")])
            let ack = try donor.bench.ingest(part)
            #expect(!ack.hasError)
        }
    }

    func found(_ worker: CopyWorker, at sequence: UInt64) -> [String] {
        worker.bench.search("title == \"lens\"", at: sequence).identifiers.sorted()
    }
}
