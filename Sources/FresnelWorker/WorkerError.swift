package import FresnelIndex
package import FresnelJournal
package import FresnelModel
package import FresnelSystem
package import ZeroMQ

/// Why a worker did not start, stopped, or could not open a shard.
package enum WorkerError: Error, CustomStringConvertible, Sendable {
    case plaintext(Endpoint)
    /// The transfer lane would be reachable from other machines.
    case openListener(Endpoint)
    /// The transfer lane's endpoint names no machine.
    case nameless(Endpoint)
    case invalidName(String)
    case renamed(directory: String, kept: String, wanted: String)
    /// A directory with indexes says no worker's name.
    case nameMissing(directory: String)
    /// The file with the worker's name contradicts its checksum, or holds no name.
    case nameDamaged(path: String)
    /// Where the broker knows a replica there is none; `found` is where it lies instead, if it
    /// lies here.
    case replicaMissing(directory: String, found: String?)
    /// A directory has another replica than the one that the broker knows; `place` is where that
    /// lies instead, if it lies here.
    case replicaForeign(directory: String, identity: ReplicaIdentity, place: String?)
    case storage(SystemError)
    case journal(JournalError)
    case index(IndexError)
    case record(sequence: UInt64, reason: String)
    case missingManifest(directory: String, found: String)
    case sockets(ZeroMQError)
    /// Opening was given up because the process ends.
    case stopped
    case directoryOfBroker(String)

    /// Whether a disk or a quota is full.
    var isDiskFull: Bool {
        switch self {
        case .storage(let error), .index(.storage(let error)): error.isDiskFull
        case .journal(let error): error.isDiskFull
        case .plaintext, .openListener, .nameless, .invalidName, .renamed, .nameMissing,
            .nameDamaged, .replicaMissing, .replicaForeign, .index, .record, .missingManifest,
            .sockets, .stopped, .directoryOfBroker:
            false
        }
    }

    package var description: String {
        switch self {
        case .plaintext(let endpoint):
            """
            \(endpoint) is on another machine and nothing is encrypted yet; connect to 127.0.0.1, \
            or accept the risk with --insecure
            """
        case .openListener(let endpoint):
            """
            \(endpoint) is reachable from other machines and nothing is encrypted yet; listen on \
            127.0.0.1, or accept the risk with --insecure
            """
        case .nameless(let endpoint):
            """
            \(endpoint) names no machine; give --transfer-listen the address by which other \
            workers reach this one
            """
        case .invalidName(let name):
            "worker name \(name.debugDescription) must be 1 to 64 letters, digits, . _ -"
        case .renamed(let directory, let kept, let wanted):
            """
            \(directory) belongs to worker \(kept), not \(wanted): its shards are placed under \
            that name; start it without --name, or give \(wanted) a directory of its own
            """
        case .nameMissing(let directory):
            """
            \(directory) holds indexes and no worker-name, under which their shards are placed; \
            start it with the --name that it had (`fresnel status` names workers that are away), \
            or restore the file from a backup
            """
        case .nameDamaged(let path):
            """
            \(path) is damaged: its checksum is not that of the name in it; start the worker with \
            the --name that it had (`fresnel status` names workers that are away), which writes \
            the file anew, or restore the file from a backup
            """
        case .replicaMissing(let directory, let found?):
            """
            there is no replica in \(directory), where the broker knows one; it lies in \(found): \
            stop the worker, move it back and start the worker; nothing was made or changed (where \
            another replica is in sync, a new one is copied from that)
            """
        case .replicaMissing(let directory, nil):
            """
            there is no replica in \(directory), where the broker knows one; nothing was made or \
            changed. Is the volume mounted, is --data right? Stop the worker, give the directory \
            back and start it again, or start it once with --replace-lost if its documents are \
            lost for good (where another replica is in sync nothing is to be done: a new one is \
            copied from that)
            """
        case .replicaForeign(let directory, _, let place?):
            """
            the replica in \(directory) is not the one that the broker knows, which lies in \
            \(place): stop the worker, exchange the two and start the worker; nothing was opened \
            or changed (where another replica is in sync, a new one is copied from that)
            """
        case .replicaForeign(let directory, _, nil):
            """
            the replica in \(directory) is not the one that the broker knows: it is of another \
            cluster or worker, or from before it was given up; nothing was opened or changed. Stop \
            the worker, keep that directory elsewhere, give the right one back and start it again, \
            or start it once with --replace-lost without any if the documents are lost for good \
            (where another replica is in sync nothing is to be done: a new one is copied from that)
            """
        case .storage(let error): error.description
        case .journal(let error): error.description
        case .index(let error): error.description
        case .record(let sequence, let reason):
            """
            journal record \(sequence) holds no write part (\(reason)); was it written by a newer \
            fresnel? Start that version, or restore the directory
            """
        case .missingManifest(let directory, let found):
            """
            \(directory) holds \(found), and the manifest that every replica begins with is \
            missing beside it; restore the shard's directory from a backup, or \(IndexError.wayOut)
            """
        case .sockets(let error): error.description
        case .stopped: "the worker ends and opens no more shards"
        case .directoryOfBroker(let directory):
            """
            \(directory) belongs to a broker: it holds cluster-state; give the worker a directory \
            of its own with --data
            """
        }
    }
}
