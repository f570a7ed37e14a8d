/// What an operator can set for a broker or a worker, by its key in the settings file.
///
/// The environment variable is the key in capitals behind `FRESNEL_`, with `_` before every word:
/// `broker.workerListen` is `FRESNEL_BROKER_WORKER_LISTEN`.
enum Setting: String, CaseIterable, Sendable {
    case logLevel = "log.level"
    case brokerListen = "broker.listen"
    case brokerWorkerListen = "broker.workerListen"
    case brokerData = "broker.data"
    case brokerShards = "broker.shards"
    case brokerReplicas = "broker.replicas"
    case brokerExpectWorkers = "broker.expectWorkers"
    case brokerCopyRate = "broker.copyRate"
    case brokerKeptAnswers = "broker.keptAnswers"
    case brokerExpiration = "broker.expiration"
    case brokerQueryLog = "broker.queryLog"
    case brokerInsecure = "broker.insecure"
    case brokerAdopt = "broker.adopt"
    case workerBroker = "worker.broker"
    case workerData = "worker.data"
    case workerName = "worker.name"
    case workerSearchThreads = "worker.searchThreads"
    case workerRetention = "worker.retention"
    case workerTransferListen = "worker.transferListen"
    case workerReplaceLost = "worker.replaceLost"
    case workerAcceptLoss = "worker.acceptLoss"
    case workerInsecure = "worker.insecure"

    /// The flag that sets it, for messages.
    var flag: String {
        let name = rawValue.split(separator: ".").dropFirst().joined()
        let words = name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? "-\(letter.lowercased())" : String(letter)
        }
        return self == .logLevel ? "--log-level" : "--\(words)"
    }

    /// The variable of the environment that sets it.
    var variable: String {
        rawValue.reduce(into: "FRESNEL_") { name, letter in
            if letter == "." {
                name += "_"
            } else {
                name += (letter.isUppercase ? "_" : "") + letter.uppercased()
            }
        }
    }

    /// The parts of the key.
    var components: [String] { rawValue.split(separator: ".").map(String.init) }
}
