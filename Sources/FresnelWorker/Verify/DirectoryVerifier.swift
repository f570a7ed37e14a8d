import FresnelCluster
package import FresnelModel
package import FresnelSystem

/// Proves the directory of a worker, of a broker, or of a whole cluster on one machine.
package enum DirectoryVerifier {
    /// What was found in one directory.
    package struct Report: Sendable {
        package internal(set) var replicas: [ReplicaProof] = []
        /// What is wrong beside the replicas, each with its path and the way out.
        package internal(set) var problems: [String] = []
        /// What is odd and does no harm.
        package internal(set) var notes: [String] = []
        /// Whether anything of a cluster was there.
        package internal(set) var isCluster = false
        /// The cluster states and their paths, and the workers' directories, by name.
        var states: [(path: String, state: ClusterState)] = []
        var workers: [WorkerID: ClusterProof.Worker] = [:]
        /// Whether a cluster state that cannot be read, or is missing, is among the problems.
        var lacksState = false

        package var isSound: Bool {
            isCluster && problems.isEmpty && replicas.allSatisfy(\.isSound)
        }
    }

    /// Reads everything; changes nothing but the number in a lock file, and lets no process start
    /// in the directory meanwhile.
    ///
    /// - Parameter found: told of every replica as soon as it was read.
    package static func verify(
        _ path: String, environment: Environment = .system, now: Timestamp,
        found: (ReplicaProof) -> Void = { _ in }
    ) -> Report {
        var report = Report()
        do throws(SystemError) {
            let storage = environment.storage
            guard try storage.isDirectory(path) else {
                report.problems.append("\(path) is no directory; check --data")
                return report
            }
            try verify(path, environment, now, &report, found)
            try verifyState(path, environment, &report)
            let workers = FilePath.join(path, "workers")
            for folder in [path, workers] where try storage.isDirectory(folder) {
                for name in try storage.list(folder) {
                    let place = FilePath.join(folder, name)
                    guard place != workers, try storage.isDirectory(place) else { continue }
                    try verify(place, environment, now, &report, found)
                    try verifyState(place, environment, &report)
                }
            }
            try compare(path, storage, &report)
        } catch {
            report.problems.append("\(error)")
            return report
        }
        if !report.isCluster {
            report.problems.append(
                "\(path) is not the directory of a worker, a broker or `fresnel up`: there is "
                    + "neither worker-name nor cluster-state in it, in its folders or in those of "
                    + "workers; check --data")
        } else if report.replicas.isEmpty, report.problems.isEmpty {
            report.problems.append(
                "\(path) holds no replica: nothing was proved; name the directory of a worker, or "
                    + "the folder that holds those of all workers")
        }
        return report
    }

    private static func verify(
        _ path: String, _ environment: Environment, _ now: Timestamp, _ report: inout Report,
        _ found: (ReplicaProof) -> Void
    ) throws(SystemError) {
        let storage = environment.storage
        let nameFile = FilePath.join(path, WorkerNameFile.fileName)
        let isNamed = try storage.size(of: nameFile) != nil
        if !isNamed {
            let isLocked = try storage.size(of: FilePath.join(path, "worker.lock")) != nil
            let holdsIndexes = try storage.isDirectory(FilePath.join(path, "indexes"))
            guard isLocked || holdsIndexes else { return }
            report.problems.append(
                "\(nameFile) is missing: this is what is left of a worker's directory; restore it "
                    + "from a backup, or start the worker with the --name that it had")
        }
        report.isCluster = true
        // Held to the end, so that nobody changes what is being read.
        let lock = try storage.lock(FilePath.join(path, "worker.lock"))
        let kept = isNamed ? try WorkerNameFile(storage.read(nameFile)) : nil
        switch kept?.isProved {
        case true?: break
        case false?:
            report.notes.append(
                "\(nameFile) has no checksum, as an earlier program wrote it; the worker's next "
                    + "start gives it one")
        case nil where isNamed:
            report.problems.append("\(WorkerError.nameDamaged(path: nameFile))")
        case nil: break
        }
        let identityFile = FilePath.join(path, WorkerIdentityFile.fileName)
        if try storage.size(of: identityFile) != nil,
            WorkerIdentityFile(try storage.read(identityFile)) == nil
        {
            report.problems.append(
                "\(identityFile) is damaged: by it the broker knows the directory again; restore "
                    + "it from a backup, or remove it, and the worker's next start draws a new one")
        }
        var worker = ClusterProof.Worker(
            path: path, cluster: try cluster(of: path, storage, &report))
        worker.removed = try removals(of: path, storage, &report)
        let paths = WorkerPaths(path: path)
        let (shards, others) = try paths.shards(in: storage)
        report.notes += others.map { path in
            if WorkerDirectory.asides.contains(where: path.hasSuffix) {
                return "\(path) was set aside when a copy took its place; look at it, or remove it"
            }
            let isPassing = [".incoming", ".replaced", ".dropped", ".restored"]
                .contains { path.hasSuffix($0) }
            return isPassing
                ? "\(path) is left of a copy and goes when the worker runs"
                : "\(path) is not Fresnel's: it is neither read nor changed"
        }
        for shard in shards {
            let proof = ReplicaProof(of: shard, in: paths, environment: environment, now: now)
            report.replicas.append(proof)
            worker.replicas.append(proof)
            found(proof)
        }
        if let kept { report.workers[WorkerID(kept.name)] = worker }
        withExtendedLifetime(lock) {}
    }

    private static func verifyState(
        _ directory: String, _ environment: Environment, _ report: inout Report
    ) throws(SystemError) {
        let path = FilePath.join(directory, "cluster-state")
        guard try environment.storage.size(of: path) != nil else {
            let lock = FilePath.join(directory, "broker.lock")
            guard try environment.storage.size(of: lock) != nil else { return }
            report.isCluster = true
            report.lacksState = true
            report.problems.append("\(path) is missing: \(Self.withoutState)")
            return
        }
        report.isCluster = true
        do throws(SystemError) {
            let bytes = try environment.storage.read(path)
            do throws(ClusterStateError) {
                report.states.append((path, try ClusterState(decoding: bytes)))
            } catch {
                report.lacksState = true
                report.problems.append("\(path): \(error)")
            }
        } catch {
            // What workers hold is proved all the same.
            report.lacksState = true
            report.problems.append("\(error)")
        }
    }

    private static let withoutState =
        "without it the broker knows no index, and what its workers hold is not opened; restore it "
        + "from a backup, or, if it is lost, start the broker once with --adopt, which takes over "
        + "what the workers hold"

    /// Of which cluster a worker's directory is; 0 where nothing says so.
    private static func cluster(
        of directory: String, _ storage: any Storage, _ report: inout Report
    ) throws(SystemError) -> UInt64 {
        let path = FilePath.join(directory, ClusterFile.fileName)
        guard try storage.size(of: path) != nil else { return 0 }
        guard let file = ClusterFile(try storage.read(path)) else {
            report.problems.append(
                "\(path) is damaged: bits have flipped on this disk, look at it; nothing is lost "
                    + "by that, remove the file and the worker makes it anew")
            return 0
        }
        return file.cluster
    }

    /// The indexes that a worker remembers to have been removed.
    private static func removals(
        of directory: String, _ storage: any Storage, _ report: inout Report
    ) throws(SystemError) -> [RemovedFile.Mark] {
        let path = FilePath.join(directory, RemovedFile.fileName)
        guard try storage.size(of: path) != nil else { return [] }
        guard let file = RemovedFile(try storage.read(path)) else {
            report.problems.append(
                "\(path) is damaged: bits have flipped on this disk, look at it; it says which "
                    + "indexes were removed, should the broker forget it; remove the file")
            return []
        }
        return file.marks
    }

    /// Holds what workers have against what their broker knows, where both are here.
    private static func compare(
        _ path: String, _ storage: any Storage, _ report: inout Report
    ) throws(SystemError) {
        let isWhole = try storage.isDirectory(FilePath.join(path, "workers"))
        guard let (file, state) = report.states.first else {
            guard isWhole, !report.workers.isEmpty, !report.lacksState else { return }
            let place = FilePath.join(FilePath.join(path, "broker"), "cluster-state")
            return report.problems.append("\(place) is missing: \(withoutState)")
        }
        guard report.states.count == 1 else {
            let paths = report.states.map(\.path).sorted().joined(separator: ", ")
            return report.notes.append(
                "there are several cluster states, and no worker was held against one: \(paths)")
        }
        guard !report.workers.isEmpty || isWhole else { return }
        let proof = ClusterProof(
            path: file, state: state, workers: report.workers, isWhole: isWhole)
        report.problems += proof.problems
        report.notes += proof.notes
    }
}
