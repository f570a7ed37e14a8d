import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The worker's third lane: a ROUTER that other workers ask, a DEALER for each copy that is
/// received, and `TransferCore`, which decides.
final class TransferHandler: LoopHandler {
    /// What the handler needs beside its sockets.
    struct Services {
        let time: any TimeSource
        let logger: Logger
        let allowsPlaintext: Bool
        /// Hands work to the thread of files; false when it has too much to do.
        let files: @Sendable (TransferFiles.Mail) -> Bool
        /// Hands a drop to the writing thread.
        let drop: @Sendable (ShardKey, Epoch, DropTarget) -> Bool
        /// Tells the worker's loop.
        let report: @Sendable (WireReplicaState) -> Void
    }

    private var core = TransferCore()
    private let poller: Poller
    private let context: Context
    private let services: Services
    private let router: SocketID?
    private var sockets: [CopyID: SocketID] = [:]
    private var copies: [SocketID: CopyID] = [:]
    private var nextTick = Instant(nanoseconds: 0)
    private var nextSweep = Instant(nanoseconds: 0)
    private var nextReport = Instant(nanoseconds: 0)

    init(
        listener: (socket: SocketID, endpoint: Endpoint)?, poller: Poller, context: Context,
        services: Services
    ) {
        router = listener?.socket
        self.poller = poller
        self.context = context
        self.services = services
    }

    /// Binds the transfer lane.
    static func listen(
        on endpoint: Endpoint, _ poller: Poller, _ context: Context
    ) throws(ZeroMQError) -> (socket: SocketID, endpoint: Endpoint) {
        var specification = SocketSpecification.router(for: .transfer)
        specification.maximumFrameBytes = WireLimits.largestFrameBytes
        let most = max(
            2,
            min(Limits.strangers, DescriptorLimit.current / Limits.strangersPerDescriptors))
        let free = min(
            Limits.workerFreeDescriptors,
            DescriptorLimit.current / Limits.strangersPerDescriptors)
        specification.strangers = StrangerLimits(
            messageBytes: Limits.strangerMessageBytes, patience: Limits.strangerPatience,
            connections: most,
            connectionsPerOrigin: max(1, most / Limits.strangersPerAddressDivisor),
            freeDescriptors: (remote: free, here: free))
        let (socket, bound) = try poller.listen(specification, on: endpoint, in: context)
        return (socket, bound)
    }

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        guard case .message(let received) = reception else { return }
        let message: Message
        do throws(WireError) {
            message = try Message(frames: received.frames.map { $0.copyBytes() })
        } catch {
            services.logger.debug("an unreadable message on the transfer lane: \(error)")
            return
        }
        let number = message.envelope.sequence
        switch message.command {
        case .fetchReplica(let fetch) where socket == router:
            try decide(.fetched(fetch, number: number, from: received.routingID))
        case .replicaChunk(let chunk):
            guard let id = copies[socket] else { return }
            try decide(.chunk(id, chunk, number: number, payload: message.payload ?? []))
        default:
            services.logger.debug("\(message.command.verb) came on the transfer lane")
        }
    }

    func receive(_ mail: TransferEvent) throws(ZeroMQError) { try decide(mail) }

    func finishTurn() throws(ZeroMQError) -> Duration? {
        if now >= nextTick {
            nextTick = now + .milliseconds(50)
            try decide(.tick)
        }
        if now >= nextReport, let router, let report = poller.takeStrangerReport(on: router) {
            nextReport = now + Limits.strangerReportInterval
            services.logger.warning("transfer lane: \(report)")
        }
        if now >= nextSweep {
            nextSweep = now + .seconds(60)
            // What is not swept now is in a minute.
            _ = services.files(.sweep(busy: core.receivedShards))
        }
        let due = core.nextDue(at: now).map { max(.milliseconds(1), $0) }
        return min(due ?? .milliseconds(50), max(.milliseconds(1), nextTick - now))
    }

    func stop() {}

    private var now: Instant { Instant(nanoseconds: services.time.monotonicNanoseconds()) }

    private func decide(_ event: TransferEvent) throws(ZeroMQError) {
        // What cannot be carried out comes back as events, decided upon after the rest.
        var events = [event]
        while !events.isEmpty {
            for effect in core.decide(events.removeFirst(), at: now) {
                if let refused = try perform(effect) { events.append(refused) }
            }
        }
    }

    /// - Returns: what became of an effect that was not carried out.
    private func perform(_ effect: TransferEffect) throws(ZeroMQError) -> TransferEvent? {
        switch effect {
        case .report(let state): services.report(state)
        case .donate(let effect): return try perform(effect)
        case .receive(let id, _, .ask(let number, let fetch)):
            guard try ask(fetch, number: number, of: id) else {
                return .unsent(id, number: number)
            }
        case .receive(let id, let shard, let effect):
            guard !services.files(.receive(id, shard, effect)) else { return nil }
            return .progressed(id, .failed(Self.busy))
        case .connect(let id, let endpoint): return try connect(id, to: endpoint)
        case .disconnect(let id):
            if let socket = sockets.removeValue(forKey: id) {
                copies[socket] = nil
                poller.close(socket)
            }
            // Files that stay open for a moment longer harm nobody.
            _ = services.files(.close(id))
        case .drop(let shard, let epoch, let target):
            guard !services.drop(shard, epoch, target) else { return nil }
            return .dropped(shard, Self.busy)
        case .log(let level, let text):
            services.logger.log(level: Logger.Level(named: level.rawValue), "\(text)")
        }
        return nil
    }

    private static let busy = WireFailure(.busy, "the worker's threads have too much to do")

    private func perform(_ effect: ReplicaDonor.Effect) throws(ZeroMQError) -> TransferEvent? {
        switch effect {
        case .read(let id, let shard, let ticket, let fetch):
            guard !services.files(.read(id, shard, ticket, fetch)) else { return nil }
            return .pieceRead(id, .refused(Self.busy))
        case .confirm(let peer):
            if let router { poller.confirm(peer, on: router) }
        case .release(let ticket):
            // The thread is stopping if it takes nothing: everything goes with it.
            _ = services.files(.release(ticket))
        case .answer(let peer, let number, let chunk, let payload):
            guard let router else { return nil }
            let message = Message(
                Envelope(sequence: number), .replicaChunk(chunk),
                payload: payload.isEmpty ? nil : payload)
            let frames = message.frames().map { FrameBytes.array($0) }
            // A receiver that is gone or does not read asks again.
            _ = try poller.send(frames, to: peer, on: router)
        }
        return nil
    }

    /// Whether it was sent.
    private func ask(
        _ fetch: WireFetchReplica, number: UInt64, of id: CopyID
    ) throws(ZeroMQError) -> Bool {
        guard let socket = sockets[id] else { return false }
        let message = Message(Envelope(sequence: number), .fetchReplica(fetch))
        let frames = message.frames().map { FrameBytes.array($0) }
        return try poller.send(frames, on: socket) == .sent
    }

    private func connect(_ id: CopyID, to text: String) throws(ZeroMQError) -> TransferEvent? {
        do throws(ZeroMQError) {
            let endpoint = try Endpoint(text)
            guard endpoint.isLoopback || services.allowsPlaintext else {
                let text = "\(endpoint) is on another machine and nothing is encrypted yet"
                return .progressed(id, .failed(WireFailure(.invalidArgument, text)))
            }
            var specification = SocketSpecification.dealer(for: .transfer)
            specification.maximumFrameBytes = WireLimits.largestFrameBytes
            let number = try poller.connect(specification, to: endpoint, in: context)
            sockets[id] = number
            copies[number] = id
            return nil
        } catch {
            return .progressed(id, .failed(WireFailure(.invalidArgument, "\(error)")))
        }
    }
}
