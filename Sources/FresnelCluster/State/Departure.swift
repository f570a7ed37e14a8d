/// Why a replica is not in sync: in a word for programs, and in one for the operator.
///
/// Kept with the cluster state, so that a broker that starts again still knows what to do about it.
package enum Departure: UInt8, Hashable, Sendable, CaseIterable {
    /// It is in sync, or the state is one of before reasons were kept.
    case unspecified = 0
    /// It was assigned and holds nothing yet.
    case assigned = 1
    /// Its worker was not here.
    case away = 2
    /// Its worker is here and does not answer.
    case silent = 3
    /// It came back without something that was acknowledged.
    case stale = 4
    /// It came back with parts that the others do not have, or have more.
    case outOfStep = 5
    /// It came back as another directory.
    case foreign = 6
    /// Its files contradict themselves.
    case damaged = 7
    /// Its disk was full.
    case diskFull = 8
    /// Its disk refuses to read or write.
    case storageFailed = 9
    /// It refused a part that the others took.
    case refusing = 10
    /// It made something else of a part than the others.
    case differing = 11
    /// Its content is not that of the others.
    case contentDiffers = 12
    /// The operator accepted what another replica holds.
    case lossAccepted = 13

    /// The reason in a word, as a status tells it; empty for none.
    package var name: String { self == .unspecified ? "" : "\(self)" }

    /// The reason for people, where nothing more is known of it.
    package var text: String {
        switch self {
        case .unspecified: "it left the replicas in sync"
        case .assigned: "it was not copied yet"
        case .away: "its worker was away"
        case .silent: "it did not answer a part in time"
        case .stale: "it came back without parts that were acknowledged"
        case .outOfStep: "it came back with other parts than the others have"
        case .foreign: "its directory is missing or another one"
        case .damaged: "its files are damaged"
        case .diskFull: "its disk was full"
        case .storageFailed: "its disk failed to read or write"
        case .refusing: "it refused a part that the others took"
        case .differing: "it made something else of a part than the others"
        case .contentDiffers: "its content differs from that of the others"
        case .lossAccepted: "the operator accepted what another replica holds"
        }
    }

    /// Whether its journal may be whole and what it holds wrong: only a whole copy makes it equal.
    package var needsWholeCopy: Bool {
        switch self {
        case .damaged, .differing, .contentDiffers: true
        case .unspecified, .assigned, .away, .silent, .stale, .outOfStep, .foreign, .diskFull,
            .storageFailed, .refusing, .lossAccepted:
            false
        }
    }

    /// Whether it may hold documents that the others lack, whatever its numbers say.
    package var mayHoldMore: Bool { self == .outOfStep || self == .lossAccepted }
}
