package import FresnelIndex
package import FresnelJournal
package import FresnelSystem
package import ZeroMQ

/// Why a worker did not start, stopped, or could not open a shard.
package enum WorkerError: Error, CustomStringConvertible, Sendable {
    case plaintext(Endpoint)
    case invalidName(String)
    case renamed(directory: String, kept: String, wanted: String)
    case storage(SystemError)
    case journal(JournalError)
    case index(IndexError)
    case record(sequence: UInt64, reason: String)
    case journalBehind(directory: String, journal: UInt64, checkpoint: UInt64)
    case sockets(ZeroMQError)
    case retired(String)

    package var description: String {
        switch self {
        case .plaintext(let endpoint):
            """
            \(endpoint) is on another machine and nothing is encrypted yet; connect to 127.0.0.1, \
            or accept the risk with --insecure
            """
        case .invalidName(let name):
            "worker name \(name.debugDescription) must be 1 to 64 letters, digits, . _ -"
        case .renamed(let directory, let kept, let wanted):
            """
            \(directory) belongs to worker \(kept), not \(wanted): its shards are placed under \
            that name; start it without --name, or give \(wanted) a directory of its own
            """
        case .storage(let error): error.description
        case .journal(let error): error.description
        case .index(let error): error.description
        case .record(let sequence, let reason):
            """
            journal record \(sequence) holds no write part (\(reason)); was it written by a newer \
            fresnel? Start that version, or restore the directory
            """
        case .journalBehind(let directory, let journal, let checkpoint):
            """
            the journal in \(directory) ends at \(journal), its segments hold everything up to \
            \(checkpoint); files of the journal are missing: restore them or the whole directory
            """
        case .sockets(let error): error.description
        case .retired(let reason): "\(reason); this process ends"
        }
    }
}
