/// The files, names and faults of a `MemoryStorage`.
///
/// Files have numbers, names point to them, as with inodes: a removed or replaced file stays
/// readable for those who have it open.
struct MemoryDisk {
    /// File number → file.
    var files: [Int: MemoryFile] = [:]
    /// Path → file number, as seen now.
    var names: [String: Int] = [:]
    /// Path → file number, as the disk has it; differs where a directory was not synced.
    var durableNames: [String: Int] = [:]
    /// Directories; making one is durable at once.
    var directories: Set<String> = ["/", "."]
    var capacity: Int?
    var faults: [StorageFault] = []
    var locks: Set<String> = []
    /// Counts crashes.
    var era = 0
    private var nextNumber = 0

    var usedBytes: Int { Set(names.values).reduce(0) { $0 + (files[$1]?.content.count ?? 0) } }

    var freeBytes: UInt64 {
        capacity.map { UInt64(max(0, $0 - usedBytes)) } ?? UInt64(Int64.max)
    }

    mutating func open(_ path: String, create: FileCreation) throws(SystemError) -> Int {
        if let number = names[path] {
            guard create != .always else {
                throw .failed(call: "open", path: path, reason: .exists)
            }
            return number
        }
        guard create != .never, create != .readOnly,
            directories.contains(FilePath.directory(of: path))
        else {
            throw .failed(call: "open", path: path, reason: .noEntry)
        }
        if let reason = takeFault({ if case .create(let reason) = $0 { reason } else { nil } }) {
            throw .failed(call: "open", path: path, reason: reason)
        }
        return addFile(MemoryFile(), at: path)
    }

    func contents(of path: String) throws(SystemError) -> [UInt8] {
        guard let number = names[path], let file = files[number] else {
            throw .failed(call: "open", path: path, reason: .noEntry)
        }
        return file.content
    }

    func size(of path: String) -> Int? { names[path].flatMap { files[$0]?.content.count } }

    mutating func write(
        _ bytes: [UInt8], to number: Int, at offset: Int, path: String
    ) throws(SystemError) {
        let end = files[number]?.content.count ?? 0
        let growth = max(0, offset + bytes.count - end)
        var allowed = bytes.count
        var reason: ErrorNumber?
        if growth > freeBytes {
            allowed = bytes.count - growth + Int(freeBytes)
            reason = .noSpace
        }
        if let fault = takeWriteFault(bytes: allowed) {
            allowed = fault.allowed
            reason = fault.reason
        }
        files[number]?.write(bytes.prefix(allowed), at: offset)
        if let reason { throw .failed(call: "write", path: path, reason: reason) }
    }

    mutating func rename(_ path: String, to newPath: String) throws(SystemError) {
        guard !directories.contains(path) else { return try renameDirectory(path, to: newPath) }
        guard let number = names[path] else {
            throw .failed(call: "rename", path: path, reason: .noEntry)
        }
        names[path] = nil
        names[newPath] = number
    }

    /// Moves a directory with all in it, durably at once: who syncs the directory above it before
    /// the next step sees no difference.
    private mutating func renameDirectory(
        _ path: String, to newPath: String
    ) throws(SystemError) {
        guard !directories.contains(newPath), names[newPath] == nil else {
            throw .failed(call: "rename", path: newPath, reason: ErrorNumber.notEmpty)
        }
        func moved(_ name: String) -> String {
            name == path || name.hasPrefix(path + "/")
                ? newPath + name.dropFirst(path.count) : name
        }
        directories = Set(directories.map(moved))
        names = Dictionary(names.map { (moved($0), $1) }) { first, _ in first }
        durableNames = Dictionary(durableNames.map { (moved($0), $1) }) { first, _ in first }
    }

    mutating func remove(_ path: String) throws(SystemError) {
        guard names.removeValue(forKey: path) == nil else { return }
        guard directories.contains(path) else {
            throw .failed(call: "remove", path: path, reason: .noEntry)
        }
        guard try list(path).isEmpty else {
            throw .failed(call: "remove", path: path, reason: ErrorNumber.notEmpty)
        }
        directories.remove(path)
    }

    mutating func makeDirectory(_ path: String) {
        guard directories.insert(path).inserted else { return }
        makeDirectory(FilePath.directory(of: path))
    }

    mutating func syncDirectory(_ path: String) throws(SystemError) {
        guard directories.contains(path) else {
            throw .failed(call: "open", path: path, reason: .noEntry)
        }
        durableNames = durableNames.filter { FilePath.directory(of: $0.key) != path }
        durableNames.merge(names.filter { FilePath.directory(of: $0.key) == path }) { $1 }
    }

    func list(_ directory: String) throws(SystemError) -> [String] {
        guard directories.contains(directory) else {
            throw .failed(call: "list", path: directory, reason: .noEntry)
        }
        let paths = Array(names.keys) + directories.filter { $0 != directory }
        return paths.filter { FilePath.directory(of: $0) == directory }
            .map { FilePath.name(of: $0) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    mutating func place(_ contents: [UInt8], at path: String) {
        makeDirectory(FilePath.directory(of: path))
        let number = addFile(MemoryFile(content: contents, durable: contents), at: path)
        durableNames[path] = number
    }

    mutating func crash(using generator: inout SeededGenerator) {
        // Dictionaries are walked in sorted order, so that a seed means one outcome.
        for path in Set(names.keys).union(durableNames.keys).sorted()
        where names[path] != durableNames[path] && Bool.random(using: &generator) {
            durableNames[path] = names[path]
        }
        for number in files.keys.sorted() { files[number]?.crash(using: &generator) }
        names = durableNames
        let named = Set(names.values)
        files = files.filter { named.contains($0.key) }
        locks = []
        faults = []
        era += 1
    }

    private mutating func addFile(_ file: MemoryFile, at path: String) -> Int {
        nextNumber += 1
        files[nextNumber] = file
        names[path] = nextNumber
        return nextNumber
    }
}
