import FresnelSystem

/// A directory of a test's own on the real disk, removed with its files afterwards.
final class TemporaryDirectory {
    let path: String
    private let storage = DiskStorage()

    init() throws {
        let name = "fresnel-test-\(Machine.processID)-\(SystemRandom().next())"
        path = FilePath.join("/tmp", name)
        try storage.makeDirectory(path)
    }

    deinit {
        // A left-over in /tmp must not fail a test.
        for name in (try? storage.list(path)) ?? [] {
            try? storage.remove(FilePath.join(path, name))
        }
        try? storage.remove(path)
    }

    func file(_ name: String) -> String { FilePath.join(path, name) }
}
