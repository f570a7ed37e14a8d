import FresnelKernels
package import FresnelSystem

/// A store in a directory that everybody sees under the same path.
///
/// An object is built beside its place under a name that begins with a dot, synced, renamed, and
/// its directory synced: after a crash it is there whole or not at all. What a crash leaves is
/// never listed and is removed by the next `sweep`.
package struct DirectoryStore: SnapshotStore {
    package let location: StoreLocation
    private let path: String
    private let storage: any Storage
    private let chance: any RandomSource

    /// A directory of a location; nothing is made before the store's own file is put.
    package init(
        _ path: String, _ location: StoreLocation, storage: any Storage, chance: any RandomSource
    ) {
        self.path = path
        self.location = location
        self.storage = storage
        self.chance = chance
    }

    package func put(_ name: String, _ bytes: SharedBytes) throws(SnapshotError) -> Bool {
        if let refusal = try refusal(toPut: name) { throw refusal }
        do throws(SystemError) {
            let target = FilePath.join(path, name)
            let directory = FilePath.directory(of: target)
            guard try storage.size(of: target) == nil else { return false }
            try storage.makeDirectory(directory)
            let mark = String(chance.next(), radix: 36)
            let temporary = FilePath.join(directory, ".\(FilePath.name(of: name)).\(mark)")
            do throws(SystemError) {
                try write(bytes, to: temporary)
                let isFirst = try place(temporary, at: target, inside: directory)
                if !isFirst { try storage.remove(temporary) }
                return isFirst
            } catch {
                // The first error is the one to tell; a sweep removes what is left.
                try? storage.remove(temporary)
                throw error
            }
        } catch {
            throw .system(error)
        }
    }

    package func size(of name: String) throws(SnapshotError) -> UInt64? {
        do throws(SystemError) {
            return try storage.size(of: FilePath.join(path, name)).map { UInt64($0) }
        } catch {
            if error.isMissingFile { return nil }
            throw .system(error)
        }
    }

    package func read(
        _ name: String, from offset: UInt64, count: Int
    ) throws(SnapshotError) -> [UInt8] {
        do throws(SystemError) {
            let file = try storage.open(FilePath.join(path, name), create: .readOnly)
            defer { file.close() }
            let size = try file.size()
            guard offset < UInt64(size) else { return [] }
            return try file.read(at: Int(offset), count: min(count, size - Int(offset)))
        } catch {
            if error.isMissingFile { throw .missing(object: name, store: location.text) }
            throw .system(error)
        }
    }

    package func list(_ prefix: String) throws(SnapshotError) -> [ListedObject] {
        do throws(SystemError) {
            let directory = FilePath.join(path, String(prefix.dropLast()))
            guard try storage.isDirectory(directory) else { return [] }
            var objects: [ListedObject] = []
            for name in try storage.list(directory) where !name.hasPrefix(".") {
                guard let size = try storage.size(of: FilePath.join(directory, name)) else {
                    continue
                }
                objects.append(ListedObject(name: prefix + name, bytes: UInt64(size)))
            }
            return objects
        } catch {
            throw .system(error)
        }
    }

    package func remove(_ name: String) throws(SnapshotError) {
        do throws(SystemError) {
            let target = FilePath.join(path, name)
            guard try storage.size(of: target) != nil else { return }
            try storage.remove(target)
            try storage.syncDirectory(FilePath.directory(of: target))
        } catch {
            if error.isMissingFile { return }
            throw .system(error)
        }
    }

    /// Why nothing can be put here; nil when it can.
    ///
    /// A volume that is not mounted, or no longer, leaves a folder on the disk under it, or none:
    /// so objects go only beside the file that makes the store, and that file makes one folder at
    /// most.
    private func refusal(toPut name: String) throws(SnapshotError) -> SnapshotError? {
        do throws(SystemError) {
            guard name == StoreMark.objectName else {
                let mark = FilePath.join(path, StoreMark.objectName)
                return try storage.size(of: mark) == nil ? .notAStore(location.text) : nil
            }
            let parent = FilePath.directory(of: path)
            return try storage.isDirectory(parent) ? nil : .missingFolder(parent)
        } catch {
            // A part of the path is a file.
            throw .system(error)
        }
    }

    private func write(_ bytes: SharedBytes, to temporary: String) throws(SystemError) {
        let file = try storage.open(temporary, create: .always)
        defer { file.close() }
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + Self.pieceBytes)
            try file.append([UInt8](copying: bytes.slice(offset..<end).bytes))
            offset = end
        }
        try file.sync()
    }

    /// Renames; under a lock where bytes may differ, since renaming replaces: two who put one name
    /// do not both win.
    ///
    /// What is named by its contents may be replaced by itself.
    private func place(
        _ temporary: String, at target: String, inside directory: String
    ) throws(SystemError) -> Bool {
        let folder = FilePath.name(of: directory) + "/"
        guard folder != StoredObject.segments, folder != StoredObject.manifests else {
            try storage.rename(temporary, to: target)
            try storage.syncDirectory(directory)
            return true
        }
        let lock = try storage.lock(FilePath.join(directory, ".lock"))
        return try withExtendedLifetime(lock) { () throws(SystemError) -> Bool in
            guard try storage.size(of: target) == nil else { return false }
            try storage.rename(temporary, to: target)
            try storage.syncDirectory(directory)
            return true
        }
    }
}

extension DirectoryStore {
    /// Removes what crashes left of objects that were never put.
    ///
    /// Not while anybody puts something.
    package func sweep() throws(SnapshotError) {
        do throws(SystemError) {
            for folder in [
                StoredObject.segments, StoredObject.manifests, SnapshotLibrary.prefix, "",
            ] {
                let directory =
                    folder.isEmpty ? path : FilePath.join(path, String(folder.dropLast()))
                guard try storage.isDirectory(directory) else { continue }
                for name in try storage.list(directory)
                where name.hasPrefix(".") && name != ".lock" {
                    try storage.remove(FilePath.join(directory, name))
                }
            }
        } catch {
            throw .system(error)
        }
    }
}
