/// From which kind of peer to which a command may travel.
package enum Route: String, Hashable, Sendable, CaseIterable {
    /// A client asks.
    case clientToBroker = "C→B"
    /// The broker answers a client.
    case brokerToClient = "B→C"
    /// A worker reports.
    case workerToBroker = "W→B"
    /// The broker asks a worker.
    case brokerToWorker = "B→W"
    /// A worker fetches another's replica.
    case workerToWorker = "W→W"
}
