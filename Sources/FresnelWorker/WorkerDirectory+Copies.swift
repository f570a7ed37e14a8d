import FresnelCluster
import FresnelModel
import FresnelSystem

// A copy is built in `<shard>.incoming` and exchanged for the replica by two renames. A crash
// between them leaves `<shard>.replaced` and no `<shard>`: the next opening takes the first rename
// back. So there is one whole replica at every moment, and what is left over is known by its name.
// Only what is set aside stays there after such a crash; it was not in sync, and is copied anew.

extension WorkerDirectory {
    private static let folders = ["journal", "segments"]

    /// What is set aside is named by these endings: what was first, which may be somebody's last
    /// documents, and what was last.
    static let asides = [".aside", ".aside-2"]

    /// Where the segment files of a copy gather.
    func incomingSegments(of shard: ShardKey) -> String {
        FilePath.join(folder(of: shard) + ".incoming", "segments")
    }

    /// Puts a copy in the replica's place; the replica is closed.
    ///
    /// - Parameter settingAside: whether what is there is kept for people, beside what was kept
    ///   first and in place of what was kept since; else it goes when the shard opens.
    /// - Returns: where it was set aside; nil when it was not.
    func exchange(_ shard: ShardKey, settingAside: Bool) throws(SystemError) -> String? {
        let place = folder(of: shard)
        let parent = FilePath.directory(of: place)
        let target = place + (settingAside ? try freeAside(of: place) : ".replaced")
        let isThere = try storage.isDirectory(place)
        if isThere {
            try storage.removeDirectory(target, with: Self.folders)
            try storage.rename(place, to: target)
            try storage.syncDirectory(parent)
        }
        try storage.rename(place + ".incoming", to: place)
        try storage.syncDirectory(parent)
        return isThere && settingAside ? target : nil
    }

    private func freeAside(of place: String) throws(SystemError) -> String {
        try storage.isDirectory(place + Self.asides[0]) ? Self.asides[1] : Self.asides[0]
    }

    /// Where a replica goes before it is removed.
    func droppedPath(of shard: ShardKey) -> String { folder(of: shard) + ".dropped" }

    /// Makes a shard's folder what it was before an exchange or a removal was interrupted, or what
    /// it was to become; removes what is left of either.
    ///
    /// - Parameter known: the replica that is assigned, which was not to be removed: where it was
    ///   renamed by somebody else and nothing is in its place, it is taken back.
    func settle(
        _ shard: ShardKey, keeping known: ReplicaIdentity = .unknown
    ) throws(SystemError) {
        let place = folder(of: shard)
        let replaced = place + ".replaced"
        if try storage.isDirectory(replaced), try !storage.isDirectory(place) {
            try storage.rename(replaced, to: place)
            try storage.syncDirectory(FilePath.directory(of: place))
        }
        try storage.removeDirectory(replaced, with: Self.folders)
        let dropped = droppedPath(of: shard)
        if known != .unknown, try !storage.isDirectory(place),
            try identity(in: FilePath.join(dropped, "segments")) == known
        {
            try storage.rename(dropped, to: place)
            return try storage.syncDirectory(FilePath.directory(of: place))
        }
        try storage.removeDirectory(dropped, with: Self.folders)
    }

    /// Removes a replica that is closed, and what was copied for it; what was set aside stays for
    /// people: it may be somebody's last documents.
    func drop(_ shard: ShardKey) throws(SystemError) {
        let place = folder(of: shard)
        try settle(shard)
        try discardIncoming(of: shard)
        guard try storage.isDirectory(place) else { return }
        try storage.rename(place, to: droppedPath(of: shard))
        try storage.syncDirectory(FilePath.directory(of: place))
        try storage.removeDirectory(droppedPath(of: shard), with: Self.folders)
    }

    /// Keeps what is in a shard's place for people; where, nil when nothing is there.
    func setAside(_ shard: ShardKey) throws(SystemError) -> String? {
        let place = folder(of: shard)
        try settle(shard)
        guard try storage.isDirectory(place) else { return nil }
        let target = place + (try freeAside(of: place))
        try storage.removeDirectory(target, with: Self.folders)
        try storage.rename(place, to: target)
        try storage.syncDirectory(FilePath.directory(of: place))
        return target
    }

    /// Removes the folder of an index when nothing is left in it.
    func removeIndex(ofLast shard: ShardKey) throws(SystemError) {
        let folder = FilePath.directory(of: folder(of: shard))
        guard try storage.isDirectory(folder), try storage.list(folder).isEmpty else { return }
        try storage.removeDirectory(folder, with: [])
        try storage.syncDirectory(FilePath.directory(of: folder))
    }

    /// Removes what was copied and is not in place.
    func discardIncoming(of shard: ShardKey) throws(SystemError) {
        try storage.removeDirectory(folder(of: shard) + ".incoming", with: Self.folders)
    }

    /// The shards that copies left something of.
    func incomingShards() throws(SystemError) -> [ShardKey] { try shards(suffixed: ".incoming") }

    /// The shards beside whose folders is one of that name and an ending.
    func shards(suffixed suffix: String) throws(SystemError) -> [ShardKey] {
        let indexes = FilePath.join(path, "indexes")
        guard try storage.isDirectory(indexes) else { return [] }
        var shards: [ShardKey] = []
        for index in try storage.list(indexes) {
            let folder = FilePath.join(indexes, index)
            guard IndexName.isValid(index), try storage.isDirectory(folder) else { continue }
            for name in try storage.list(folder) where name.hasSuffix(suffix) {
                guard let number = UInt32(name.dropLast(suffix.count)) else { continue }
                shards.append(ShardKey(index: index, shard: .init(number)))
            }
        }
        return shards
    }
}
