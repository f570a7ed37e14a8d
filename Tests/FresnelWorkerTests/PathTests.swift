import FresnelCluster
import FresnelModel
import FresnelSystem
import Testing

@testable import FresnelWorker

@Suite("Paths of a worker")
struct PathTests {
    @Test(
        "Whatever a broker calls an index, nothing outside of the directory is made or removed",
        arguments: ["../../victim", "..", ".", "/victim", "a/../../../victim", ""])
    func traversal(name: String) throws {
        let storage = MemoryStorage()
        storage.place([1], at: "/data/victim/0/journal/file")
        storage.place([1], at: "/victim/0/segments/file")
        storage.place([1], at: "/data/worker/0/segments/file")
        let directory = try WorkerDirectory("/data/worker", storage: storage)
        let shard = ShardKey(index: name, shard: ShardID(0))
        for path in [
            directory.folder(of: shard), directory.journalDirectory(of: shard),
            directory.incomingSegments(of: shard), directory.restoredPath(of: shard),
            directory.droppedPath(of: shard),
        ] {
            #expect(path.hasPrefix("/data/worker/indexes/"), "\(path)")
            #expect(!path.split(separator: "/").contains(".."), "\(path)")
        }
        try directory.drop(shard)
        try directory.discardIncoming(of: shard)
        try directory.discardRestored(of: shard)
        for path in [
            "/data/victim/0/journal/file", "/victim/0/segments/file",
            "/data/worker/0/segments/file",
        ] { #expect(storage.size(of: path) == 1, "\(path)") }
    }
}
