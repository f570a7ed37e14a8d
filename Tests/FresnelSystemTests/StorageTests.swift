import FresnelSystem
import Testing

/// The promises of `Storage`, kept by the disk and by the memory that stands in for it.
@Suite("Storage")
struct StorageTests {
    enum Kind: CaseIterable { case disk, memory }

    /// A storage, and the directory to use in it.
    private struct Place {
        let storage: any Storage
        let directory: String
        private let temporary: TemporaryDirectory?

        init(_ kind: Kind) throws {
            switch kind {
            case .disk:
                let temporary = try TemporaryDirectory()
                storage = DiskStorage()
                directory = temporary.path
                self.temporary = temporary
            case .memory:
                storage = MemoryStorage()
                directory = "/tests"
                temporary = nil
                try storage.makeDirectory(directory)
            }
        }

        func path(_ name: String) -> String { FilePath.join(directory, name) }
    }

    @Test("A file, and a name that is not there, are no directories", arguments: Kind.allCases)
    func isDirectory(kind: Kind) throws {
        let place = try Place(kind)
        try place.storage.open(place.path("a"), create: .always).close()
        #expect(try place.storage.isDirectory(place.directory))
        #expect(try !place.storage.isDirectory(place.path("a")))
        #expect(try !place.storage.isDirectory(place.path("b")))
    }

    @Test("Appended and overwritten bytes are read back", arguments: Kind.allCases)
    func append(kind: Kind) throws {
        let place = try Place(kind)
        let file = try place.storage.open(place.path("a"), create: .always)
        try file.append([1, 2, 3])
        try file.append([4])
        try file.write([9, 9], at: 1)
        try file.write([7, 8], at: 3)
        try file.sync()
        #expect(try file.size() == 5)
        #expect(try file.read(at: 1, count: 3) == [9, 9, 7])
        #expect(try place.storage.read(place.path("a")) == [1, 9, 9, 7, 8])
    }

    @Test("A read beyond the end names what is missing", arguments: Kind.allCases)
    func endOfFile(kind: Kind) throws {
        let place = try Place(kind)
        let file = try place.storage.open(place.path("a"), create: .always)
        try file.append([1, 2, 3])
        let expected = SystemError.endOfFile(path: file.path, offset: 2, missing: 4)
        #expect(throws: expected) { try file.read(at: 2, count: 5) }
    }

    @Test("A truncated file goes on where it was cut", arguments: Kind.allCases)
    func truncate(kind: Kind) throws {
        let place = try Place(kind)
        let file = try place.storage.open(place.path("a"), create: .always)
        try file.append([1, 2, 3])
        try file.truncate(to: 1)
        try file.append([5])
        #expect(try place.storage.read(file.path) == [1, 5])
    }

    @Test("Opening creates only what it is told to", arguments: Kind.allCases)
    func creation(kind: Kind) throws {
        let place = try Place(kind)
        let path = place.path("a")
        let missing = #expect(throws: SystemError.self) {
            try place.storage.open(path, create: .never)
        }
        #expect(missing?.isMissingFile == true)
        _ = try place.storage.open(path, create: .ifMissing)
        _ = try place.storage.open(path, create: .ifMissing)
        let exists = SystemError.failed(call: "open", path: path, reason: .exists)
        #expect(throws: exists) { try place.storage.open(path, create: .always) }
        #expect(throws: SystemError.self) {
            try place.storage.open(place.path("no/such"), create: .always)
        }
    }

    @Test("A file is replaced whole and leaves nothing beside it", arguments: Kind.allCases)
    func replace(kind: Kind) throws {
        let place = try Place(kind)
        try place.storage.replaceFile(place.path("a"), with: [1])
        try place.storage.replaceFile(place.path("a"), with: [2, 3])
        #expect(try place.storage.read(place.path("a")) == [2, 3])
        #expect(try place.storage.list(place.directory) == ["a"])
    }

    @Test("Names are listed in byte order, renamed and removed", arguments: Kind.allCases)
    func names(kind: Kind) throws {
        let place = try Place(kind)
        for name in ["b", "a10", "a9", "Z"] {
            _ = try place.storage.open(place.path(name), create: .always)
        }
        #expect(try place.storage.list(place.directory) == ["Z", "a10", "a9", "b"])
        try place.storage.rename(place.path("b"), to: place.path("Z"))
        try place.storage.remove(place.path("a9"))
        try place.storage.syncDirectory(place.directory)
        #expect(try place.storage.list(place.directory) == ["Z", "a10"])
        #expect(try place.storage.size(of: place.path("Z")) == 0)
        #expect(try place.storage.size(of: place.path("b")) == nil)
        #expect(throws: SystemError.self) { try place.storage.remove(place.path("b")) }
    }

    @Test("Directories are made with those above them, again and again", arguments: Kind.allCases)
    func directories(kind: Kind) throws {
        let place = try Place(kind)
        try place.storage.makeDirectory(place.path("x"))
        try place.storage.makeDirectory(place.path("x"))
        _ = try place.storage.open(place.path("x/f"), create: .always)
        #expect(try place.storage.list(place.path("x")) == ["f"])
        #expect(throws: SystemError.self) { try place.storage.remove(place.path("x")) }
        try place.storage.remove(place.path("x/f"))
        try place.storage.remove(place.path("x"))
        #expect(throws: SystemError.self) { try place.storage.list(place.path("x")) }
    }

    @Test("A closed file refuses everything", arguments: Kind.allCases)
    func closed(kind: Kind) throws {
        let place = try Place(kind)
        let file = try place.storage.open(place.path("a"), create: .always)
        file.close()
        #expect(throws: SystemError.closed(path: file.path)) { try file.append([1]) }
        #expect(throws: SystemError.closed(path: file.path)) { try file.sync() }
    }

    @Test(
        "A large file of shared bytes is written whole, whatever its pieces",
        arguments: Kind.allCases, [0, 1, 256 << 10, 4 << 20, (4 << 20) + 1, (5 << 20) + 77])
    func replaceLarge(kind: Kind, count: Int) throws {
        let place = try Place(kind)
        let contents = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B9 >> 7) }
        try place.storage.replaceFile(place.path("a"), with: SharedBytes(contents))
        #expect(try place.storage.read(place.path("a")) == contents)
    }

    @Test("A map shows the bytes, also in slices and after removal", arguments: Kind.allCases)
    func map(kind: Kind) throws {
        let place = try Place(kind)
        try place.storage.replaceFile(place.path("a"), with: [1, 2, 3, 4, 5])
        let mapped = try place.storage.map(place.path("a"))
        let slice = mapped.slice(1..<4).slice(1..<3)
        try place.storage.remove(place.path("a"))
        #expect(slice.count == 2)
        let first = slice.bytes[0]
        let second = slice.withBytes { $0[1] }
        #expect(first == 3)
        #expect(second == 4)
        #expect(mapped.count == 5)
        try place.storage.replaceFile(place.path("empty"), with: [])
        let empty = try place.storage.map(place.path("empty"))
        let emptyCount = empty.bytes.count
        #expect(emptyCount == 0)
    }

    @Test("A lock has one holder and ends with it", arguments: Kind.allCases)
    func lock(kind: Kind) throws {
        let place = try Place(kind)
        var held: (any StorageLock)? = try place.storage.lock(place.path("lock"))
        let error = #expect(throws: SystemError.self) {
            try place.storage.lock(place.path("lock"))
        }
        let holder = kind == .disk ? Machine.processID : nil
        #expect(error == .locked(path: place.path("lock"), holder: holder))
        #expect(held != nil)
        held = nil
        _ = try place.storage.lock(place.path("lock"))
    }

    @Test("What is free of a disk in memory is what files leave of it")
    func freeSpace() throws {
        let storage = MemoryStorage()
        storage.makeDirectory("/tests")
        storage.setCapacity(100)
        #expect(storage.freeBytes(at: "/tests") == 100)
        try storage.replaceFile("/tests/a", with: [UInt8](repeating: 1, count: 70))
        #expect(storage.freeBytes(at: "/tests") == 30)
        try storage.remove("/tests/a")
        #expect(storage.freeBytes(at: "/tests") == 100)
    }
}
