import FresnelCluster
import FresnelIndex
import FresnelSnapshot
import FresnelSystem
import FresnelWire

/// Why a replica was not copied to a store, or not made from one.
enum StoreCopyError: Error {
    case snapshot(SnapshotError)
    case storage(SystemError)
    case index(IndexError)
    case noRoom(needed: UInt64, free: UInt64)
    /// What is in the store does not fit together.
    case mismatch(String)

    /// What the broker is told.
    var failure: WireFailure {
        switch self {
        case .snapshot(let error):
            WireFailure(
                error.isDiskFull ? .diskFull : error.isUsage ? .invalidArgument : .storageFailed,
                error.description)
        case .storage(let error):
            WireFailure(error.isDiskFull ? .diskFull : .storageFailed, error.description)
        case .index(let error): WireFailure(.storageFailed, error.description)
        case .noRoom(let needed, let free):
            WireFailure(
                .diskFull,
                "the shard needs \(needed) bytes, \(free) are free; make room and restore again")
        case .mismatch(let text): WireFailure(.storageFailed, text)
        }
    }
}
