import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

/// Why a copy cannot go on here.
enum CopyError: Error {
    case storage(SystemError)
    case index(IndexError)
    case noRoom(needed: UInt64, free: UInt64)
    case notInOrder(file: String, offset: UInt64)
    case faulty(file: String, reason: String)
    case busy

    /// What the broker is told.
    var failure: WireFailure {
        switch self {
        case .storage(let error):
            WireFailure(error.isDiskFull ? .diskFull : .storageFailed, error.description)
        case .index(let error): WireFailure(.storageFailed, error.description)
        case .noRoom(let needed, let free):
            WireFailure(
                .diskFull, "a copy needs \(needed) bytes, \(free) are free; make room and try again"
            )
        case .notInOrder(let file, let offset):
            WireFailure(.storageFailed, "\(file) does not reach byte \(offset)")
        case .faulty(let file, let reason):
            WireFailure(
                .storageFailed,
                "\(file) is what its donor has, and no sound segment (\(reason)); verify the donor")
        case .busy: WireFailure(.busy, "the writing thread has too much to do")
        }
    }
}
