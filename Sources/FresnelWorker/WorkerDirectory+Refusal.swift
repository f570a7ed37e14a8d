import FresnelSystem

extension WorkerDirectory {
    /// Refuses a directory in which a broker keeps its state, before anything is made in it.
    static func refuseBrokers(
        _ path: String, _ storage: any Storage
    ) throws(WorkerError) {
        do throws(SystemError) {
            guard try storage.size(of: FilePath.join(path, "cluster-state")) != nil else { return }
        } catch {
            throw .storage(error)
        }
        throw .directoryOfBroker(path)
    }
}
