import FresnelSystem
import Testing

@Suite("The machine")
struct DiskTests {
    @Test("A full device is an error that says so")
    func fullDevice() throws {
        let file = try DiskStorage().open("/dev/full", create: .never)
        let error = #expect(throws: SystemError.self) { try file.append([1]) }
        #expect(error?.isDiskFull == true)
        #expect(
            error?.description
                == "write of /dev/full failed: ENOSPC, "
                + "the disk is full; free space or move the directory")
    }

    @Test("A file that cannot be written is read, also by root")
    func readOnly() throws {
        // Nobody may open a running program for writing.
        let program = "/proc/self/exe"
        #expect(throws: SystemError.self) { try DiskStorage().open(program, create: .never) }
        let file = try DiskStorage().open(program, create: .readOnly)
        #expect(try file.read(at: 0, count: 4) == [0x7f, 0x45, 0x4c, 0x46])
        let error = #expect(throws: SystemError.self) { try file.append([1]) }
        #expect(error?.description.contains("EBADF") == true, "\(error.debugDescription)")
        #expect(throws: SystemError.self) {
            try DiskStorage().open("/no/such/file", create: .readOnly)
        }
    }

    @Test("A directory in place of a file is told as what it is, with what to do")
    func directory() throws {
        for create in [FileCreation.never, .readOnly, .ifMissing] {
            let error = #expect(throws: SystemError.self) {
                try DiskStorage().open("/proc", create: create).read(at: 0, count: 1)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("/proc failed: EISDIR, a directory is there"), "\(text)")
            #expect(text.contains("move the directory away and put the file back"), "\(text)")
        }
    }

    @Test("A path with a zero byte is refused, not cut", arguments: ["/tmp/a\0b"])
    func zeroByte(path: String) {
        let storage = DiskStorage()
        #expect(throws: SystemError.self) { try storage.open(path, create: .ifMissing) }
        #expect(throws: SystemError.self) { try storage.size(of: path) }
        #expect(throws: SystemError.self) { try storage.list(path) }
        #expect(throws: SystemError.self) { try storage.rename(path, to: "/tmp/x") }
    }

    @Test("Mapping a missing file names the file")
    func missingMap() {
        let error = #expect(throws: SystemError.self) { try DiskStorage().map("/no/such/file") }
        #expect(error?.isMissingFile == true)
    }

    @Test("A lock file without a number leaves the holder unnamed")
    func unnamedHolder() throws {
        let directory = try TemporaryDirectory()
        let held = try FileLock(directory.file("lock"))
        try DiskStorage().open(directory.file("lock"), create: .never).truncate(to: 0)
        #expect(throws: SystemError.locked(path: directory.file("lock"), holder: nil)) {
            try FileLock(directory.file("lock"))
        }
        withExtendedLifetime(held) {}
    }

    @Test(
        "A file of another program is no lock, and stays as it is",
        arguments: ["[[package]]\nname = \"a\"\n", "12a4\n", "12345678901234567\n"])
    func foreignLock(text: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("poetry.lock")
        try DiskStorage().open(path, create: .ifMissing).append(Array(text.utf8))
        #expect(throws: SystemError.noLock(path: path)) { try FileLock(path) }
        #expect(try DiskStorage().read(path) == Array(text.utf8))
    }

    @Test("The limit of descriptors is raised to what the process may have")
    func descriptors() {
        let before = DescriptorLimit.current
        let raised = DescriptorLimit.raise()
        #expect(raised >= before && DescriptorLimit.current == raised)
        #expect(DescriptorLimit.raise() == raised)
    }

    @Test("Shared bytes of an array outlive it and stay in place")
    func sharedArray() {
        var slice = SharedBytes()
        do {
            let whole = SharedBytes(Array(0...255))
            slice = whole.slice(200..<256)
        }
        let last = slice.bytes[55]
        #expect(last == 255)
        #expect(slice.slice(56..<56).count == 0)
        let empty = SharedBytes([])
        let emptyCount = empty.bytes.count
        #expect(emptyCount == 0)
    }

    @Test("The process knows itself")
    func machine() throws {
        #expect(Machine.processID > 0)
        #expect(Machine.processorCount >= 1)
        #expect(!Machine.hostName.isEmpty)
        #expect(try ProcessMemory.residentBytes() > 1 << 20)
    }

    @Test(
        "Paths are joined and split",
        arguments: [
            ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b/", "a", "b"),
            ("/", "/", "/"), ("/a//b", "/a", "b"),
        ])
    func paths(path: String, directory: String, name: String) {
        #expect(FilePath.directory(of: path) == directory)
        #expect(FilePath.name(of: path) == name)
        #expect(FilePath.join("/x", name).hasPrefix("/x/"))
        #expect(FilePath.join("/x/", "y") == "/x/y")
    }
}

@Suite("Clock and chance")
struct TimeAndChanceTests {
    @Test("The monotonic clock does not go back and the wall clock is of this century")
    func systemTime() {
        let time = SystemTime()
        let first = time.monotonicNanoseconds()
        #expect(time.monotonicNanoseconds() >= first)
        #expect(time.unixSeconds() > 1_700_000_000)
    }

    @Test("A manual clock moves only when told")
    func manualTime() {
        let time = ManualTime(monotonicNanoseconds: 5, unixSeconds: 100)
        time.advance(byNanoseconds: 2_000_000_000)
        time.jumpWallClock(bySeconds: -50)
        #expect(time.monotonicNanoseconds() == 2_000_000_005)
        #expect(time.unixSeconds() == 52)
    }

    @Test("The generator is xoshiro256** over SplitMix64")
    func seededGenerator() {
        // Published values for seed 0: SplitMix64 starts e220a8397b1dcdaf, 6e789e6aa1b965f4,
        // 06c45d188009454f, f88bb8a8724c81ec; the result is rotl(second × 5, 7) × 9.
        let second: UInt64 = 0x6E78_9E6A_A1B9_65F4
        let product = second &* 5
        var generator = SeededGenerator(seed: 0)
        #expect(generator.next() == (product << 7 | product >> 57) &* 9)
    }

    @Test("A seed means one sequence")
    func seeds() {
        #expect(SeededRandom(seed: 7).bytes(count: 33) == SeededRandom(seed: 7).bytes(count: 33))
        #expect(SeededRandom(seed: 7).next() != SeededRandom(seed: 8).next())
        #expect(SystemRandom().bytes(count: 13).count == 13)
        #expect(SystemRandom().next() != SystemRandom().next())
    }

    @Test(
        "Bounded numbers reach every value and none beyond", arguments: [1, 2, 3, 10] as [UInt64])
    func bounded(bound: UInt64) {
        let random = SeededRandom(seed: bound)
        let found = Set((0..<200).map { _ in random.number(below: bound) })
        #expect(found == Set(0..<bound))
    }
}
