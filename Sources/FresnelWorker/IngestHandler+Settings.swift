import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem

extension IngestHandler {
    /// What the operator decides about the thread's work.
    struct Settings {
        /// Journal bytes of a shard after which its memory is sealed.
        let sealThresholdBytes: Int
        /// Replicas that were found empty stand in for lost ones.
        let replacesLost: Bool
        /// What is here is all there is, although more was acknowledged.
        var acceptsLoss = false
        /// How long versions that are no longer current can be read.
        var retention = Retention.standard
        /// Bytes that each journal keeps for deletions on a full disk; 0 for none.
        var reserveBytes = 0
    }

    /// Where the thread hands on what is not its own work.
    struct Outlets {
        let report: @Sendable (WorkerEvent) -> Void
        let merge: @Sendable (ReplicaIndex) -> Void
        /// Whether the process was asked to end: opening, which may take long, is given up then.
        let isStopping: @Sendable () -> Bool
        /// Tells the loop of copies.
        var transfer: @Sendable (TransferEvent) -> Void = { _ in }
        /// What merges may drop.
        var dropBound = DropBound()
        /// By which documents are counted.
        var brokerTime = BrokerTime()
        /// What other workers read of journals.
        var pins = JournalPins()
        /// Hands an order to the sealing thread; without one the writing thread seals.
        ///
        /// That thread says with `Mail.sealed` that it did one. False when it takes no more.
        var seal: (@Sendable (SealOrder) -> Bool)?
        /// Hands what waits for the disk to a syncing thread; without one, or where it is late,
        /// the writing thread waits itself.
        var sync: (@Sendable (DiskWait) -> Void)?
    }
}

extension IngestHandler.Settings {
    init(_ configuration: WorkerConfiguration, retention: Retention) {
        self.init(
            sealThresholdBytes: configuration.sealThresholdBytes,
            replacesLost: configuration.replacesLost, acceptsLoss: configuration.acceptsLoss,
            retention: retention, reserveBytes: Limits.journalReserveBytes)
    }
}
