import FresnelIndex
import FresnelJournal

// What a copy of another replica can put right: files that contradict themselves. A disk that
// refuses, files of another index or of a newer program are for the operator alone.

extension WorkerError {
    /// Whether the files of a replica contradict themselves.
    var isDamage: Bool {
        switch self {
        case .journal(let error): error.isDamage
        case .index(let error): error.isDamage
        case .record, .missingManifest: true
        case .plaintext, .openListener, .nameless, .invalidName, .renamed, .nameMissing,
            .nameDamaged, .replicaMissing, .replicaForeign, .storage, .sockets, .stopped,
            .directoryOfBroker:
            false
        }
    }
}

extension JournalError {
    fileprivate var isDamage: Bool {
        switch self {
        case .damaged, .gap, .behind, .notHeld: true
        case .storage, .notWritten, .notSynced, .poisoned, .foreign, .unsupportedVersion,
            .outOfOrder, .bodyTooLarge:
            false
        }
    }
}

extension IndexError {
    fileprivate var isDamage: Bool {
        switch self {
        case .segment(_, let error): error.isDamage
        case .missingSegment, .missingManifest, .notAManifest, .damagedManifest: true
        case .storage, .manifestVersion, .foreign, .otherIndex, .tooLarge, .stopped: false
        }
    }
}
