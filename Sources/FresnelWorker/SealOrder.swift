import FresnelIndex
import Synchronization

/// One seal of a replica that the sealing thread is asked for.
///
/// What came of it stays here until the writing thread looks: a word of it may be lost.
final class SealOrder: Sendable {
    /// How far it is.
    enum Progress: Sendable {
        case underWay
        case done
        case failed(IndexError)
    }

    let index: ReplicaIndex
    private let state = Mutex(Progress.underWay)

    init(_ index: ReplicaIndex) { self.index = index }

    var progress: Progress { state.withLock { $0 } }

    /// Seals the replica, which takes its time.
    func carryOut() {
        var progress = Progress.done
        do throws(IndexError) {
            try index.seal()
        } catch {
            progress = .failed(error)
        }
        finish(progress)
    }

    /// Says what came of it.
    func finish(_ progress: Progress) { state.withLock { $0 = progress } }
}
