import FresnelSystem
import Testing

@Suite("The disk that fails")
struct MemoryStorageTests {
    private static let path = "/d/a"

    private static func storage() -> MemoryStorage {
        let storage = MemoryStorage()
        storage.makeDirectory("/d")
        return storage
    }

    /// A durable file holding `synced`.
    private static func open(
        _ synced: [UInt8], in storage: MemoryStorage
    ) throws -> any StorageFile {
        let file = try storage.open(path, create: .always)
        try file.append(synced)
        try file.sync()
        try storage.syncDirectory("/d")
        return file
    }

    @Test("A crash keeps what was synced and a torn part of the rest", arguments: 1...100)
    func tornTail(seed: UInt64) throws {
        let storage = Self.storage()
        let file = try Self.open([1, 2, 3], in: storage)
        try file.append([4, 5, 6, 7])
        storage.crash(seed: seed)
        #expect(throws: SystemError.closed(path: Self.path)) { try file.append([8]) }
        let left = try storage.read(Self.path)
        #expect(left.starts(with: [1, 2, 3]), "seed \(seed)")
        #expect(left.count <= 7)
        // Whatever is left of the tail is what was written, then zeros.
        let tail = left.dropFirst(3)
        let written = zip(tail, [4, 5, 6, 7]).prefix { $0 == $1 }.count
        #expect(tail.dropFirst(written).allSatisfy { $0 == 0 }, "seed \(seed)")
    }

    @Test("Crashes with different seeds leave different tails")
    func variety() throws {
        let sizes = try Set(
            (1...50).map { seed in
                let storage = Self.storage()
                try Self.open([], in: storage).append([1, 2, 3])
                storage.crash(seed: UInt64(seed))
                return try storage.read(Self.path).count
            })
        #expect(sizes == [0, 1, 2, 3])
    }

    @Test("A name that was not synced may be lost, a synced one never")
    func names() throws {
        let survivals = try (1...50).map { seed in
            let storage = Self.storage()
            _ = try Self.open([1], in: storage)
            _ = try storage.open("/d/b", create: .always)
            storage.crash(seed: UInt64(seed))
            #expect(storage.size(of: Self.path) == 1)
            return storage.size(of: "/d/b") != nil
        }
        #expect(Set(survivals) == [true, false])
    }

    @Test("After a failed sync the bytes are read but lost, and no later sync is believed")
    func failedSync() throws {
        let storage = Self.storage()
        let file = try Self.open([1], in: storage)
        try file.append([2])
        storage.inject(.sync(reason: .inputOutput))
        let failure = SystemError.failed(call: "fsync", path: Self.path, reason: .inputOutput)
        #expect(throws: failure) { try file.sync() }
        #expect(throws: SystemError.poisoned(path: Self.path)) { try file.sync() }
        #expect(try storage.read(Self.path) == [1, 2])
        // A newly opened file syncs happily, and still the byte is gone: nobody wrote it again.
        try storage.open(Self.path, create: .never).sync()
        storage.crash(seed: 1)
        #expect(try storage.read(Self.path) == [1])
    }

    @Test("After a failed sync, writing the bytes again through a new file saves them")
    func rewriting() throws {
        let storage = Self.storage()
        let file = try Self.open([1], in: storage)
        try file.append([2])
        storage.inject(.sync(reason: .inputOutput))
        #expect(throws: SystemError.self) { try file.sync() }
        let again = try storage.open(Self.path, create: .never)
        try again.write([1, 2], at: 0)
        try again.sync()
        storage.crash(seed: 1)
        #expect(try storage.read(Self.path) == [1, 2])
    }

    @Test("A full disk takes what fits, then refuses")
    func capacity() throws {
        let storage = Self.storage()
        let file = try Self.open([1, 2], in: storage)
        storage.setCapacity(5)
        #expect(storage.freeBytes(at: "/d") == 3)
        let error = #expect(throws: SystemError.self) { try file.append([3, 4, 5, 6]) }
        #expect(error?.isDiskFull == true)
        #expect(try file.size() == 5)
        try file.truncate(to: 2)
        try file.append([3, 4, 5])
        #expect(try storage.read(Self.path) == [1, 2, 3, 4, 5])
    }

    @Test("A replacement that fails leaves the old file alone", arguments: [0, 1, 2])
    func replacement(afterBytes: Int) throws {
        let storage = Self.storage()
        _ = try Self.open([1], in: storage)
        storage.inject(.write(afterBytes: afterBytes, reason: .noSpace))
        #expect(throws: SystemError.self) { try storage.replaceFile(Self.path, with: [2, 3, 4]) }
        #expect(try storage.read(Self.path) == [1])
        #expect(try storage.list("/d") == ["a"])
    }

    @Test(
        "A replacement of any size is there after a crash",
        arguments: [1, 300 << 10, 4 << 20, (4 << 20) + 1, (8 << 20) + 77])
    func durability(count: Int) throws {
        let contents = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B9 >> 7) }
        for seed in UInt64(1)...3 {
            let storage = Self.storage()
            try storage.replaceFile(Self.path, with: SharedBytes(contents))
            storage.crash(seed: seed)
            #expect(try storage.read(Self.path) == contents)
        }
    }

    @Test("A replacement is old or new after a crash, whenever it comes", arguments: 1...40)
    func atomicity(seed: UInt64) throws {
        let storage = Self.storage()
        _ = try Self.open([1, 1], in: storage)
        try storage.replaceFile(Self.path, with: [2, 2])
        storage.crash(seed: seed)
        #expect(try storage.read(Self.path) == [2, 2])
        let half = try storage.open("/d/a.new", create: .always)
        try half.append([3, 3])
        try half.sync()
        try storage.rename("/d/a.new", to: Self.path)
        storage.crash(seed: seed)
        #expect([[2, 2], [3, 3]].contains(try storage.read(Self.path)))
    }

    @Test("Read and create faults happen once")
    func otherFaults() throws {
        let storage = Self.storage()
        let file = try Self.open([1], in: storage)
        storage.inject(.read(reason: .inputOutput))
        #expect(throws: SystemError.self) { try file.read(at: 0, count: 1) }
        #expect(try file.read(at: 0, count: 1) == [1])
        storage.inject(.create(reason: .noSpace))
        #expect(throws: SystemError.self) { try storage.open("/d/b", create: .always) }
        _ = try storage.open("/d/b", create: .always)
    }
}
