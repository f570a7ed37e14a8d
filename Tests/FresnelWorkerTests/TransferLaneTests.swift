import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import Testing
import ZeroMQ

@testable import FresnelWorker

@Suite("The transfer lane")
struct TransferLaneTests {
    private enum Happening: Sendable {
        case work(isDonor: Bool, IngestHandler.Transfer)
        case state(WireReplicaState)
    }

    private func threads(
        of bench: WorkerBench, isDonor: Bool, _ happen: @escaping @Sendable (Happening) -> Void
    ) async throws -> CopyThreads {
        let broker = try Endpoint("tcp://127.0.0.1:7710")
        return try await CopyThreads.start(
            WorkerConfiguration(directory: WorkerBench.root, broker: broker, software: "test"),
            bench.directory, context: try Context.shared(seed: 1),
            services: .init(
                table: bench.table, pins: bench.pins,
                environment: Environment(
                    time: SystemTime(), chance: SeededRandom(seed: 99), storage: bench.storage),
                logger: Logger(label: "copies") { _ in bench.log.handler },
                ingest: {
                    happen(.work(isDonor: isDonor, $0))
                    return true
                },
                report: { if !isDonor { happen(.state($0)) } }))
    }

    @Test("R-2, R-3: a replica comes over sockets of two workers", .timeLimit(.minutes(2)))
    func copies() async throws {
        let donor = try WorkerBench()
        let receiver = try WorkerBench()
        donor.host()
        receiver.host()
        for sequence in UInt64(1)...30 {
            let title = String(repeating: "lens ", count: 2000) + "\(sequence)"
            _ = try donor.ingest(
                WorkerBench.part(
                    sequence, after: sequence - 1, batch: sequence,
                    [WorkerBench.document("item-\(sequence)", title: title)]))
        }
        let (stream, continuation) = AsyncStream<Happening>.makeStream()
        let giving = try await threads(of: donor, isDonor: true) { continuation.yield($0) }
        let taking = try await threads(of: receiver, isDonor: false) { continuation.yield($0) }
        let endpoint = try #require(giving.endpoint)
        var offer = WireOfferReplica()
        offer.index = WorkerBench.shard.index
        offer.epoch = 1
        offer.ticketHigh = 7
        var order = WireCatchUp()
        order.index = offer.index
        order.epoch = 1
        order.ticketHigh = 7
        order.donorEndpoint = endpoint.description
        #expect(giving.loop.post(.ordered(.offer(offer))))
        #expect(taking.loop.post(.ordered(.catchUp(order))))
        var last: WireReplicaState?
        for await happening in stream {
            switch happening {
            case .work(let isDonor, let work):
                let bench = isDonor ? donor : receiver
                bench.handler.receive(.transfer(work))
                while bench.handler.finishTurn() == .zero {}
                for event in bench.transfers.take() {
                    #expect((isDonor ? giving : taking).loop.post(event))
                }
            case .state(let state): last = state
            }
            if last?.phase == .caughtUp || last?.phase == .failed { break }
        }
        #expect(last?.phase == .caughtUp && last?.lastSequence == 30)
        let found = receiver.search("title == \"lens*\"", at: 30)
        #expect(found.identifiers.count == 30)
        try await giving.stop()
        try await taking.stop()
    }
}
