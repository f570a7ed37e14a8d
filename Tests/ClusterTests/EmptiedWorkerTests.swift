import FresnelClient
import Foundation
import Glibc
import Testing

extension Clusters {
    /// Workers that come back without what they held.
    @Suite("A worker's directory that is gone", .tags(.slow))
    struct EmptiedWorkerTests {
        @Test("Nothing is complete over an emptied worker until its directory is back or given up")
        func emptied() async throws {
            try await WorkerStage.with { stage in
                try await stage.worker(2) { worker in
                    try await stage.fill(60)
                    worker.signal(SIGKILL)
                }
                let path = stage.path(of: 2)
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                try await stage.worker(2, becomesReady: false) { worker in
                    try await Self.expectComplaint("is not the replica", stage, worker)
                }
                try FileManager.default.moveItem(atPath: path, toPath: path + ".emptied")
                try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
                try await stage.worker(2) { _ in
                    let found = try await stage.count()
                    #expect(found == 60, "the directory is back")
                }
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                // The operator starts the worker again in the directory it complained about.
                try FileManager.default.moveItem(atPath: path + ".emptied", toPath: path)
                try await stage.worker(2, ["--replace-lost"]) { _ in
                    let left = try await stage.count()
                    #expect(left > 0 && left < 60)
                    try await stage.fill(60)
                    let found = try await stage.count()
                    #expect(found == 60, "what was lost is indexed again")
                }
                try await stage.worker(2) { _ in
                    let found = try await stage.count()
                    #expect(found == 60, "the flag is said once")
                }
            }
        }

        @Test("A shard's directory under another name is told with both, and nothing is made")
        func misplaced() async throws {
            try await WorkerStage.with { stage in
                try await stage.worker(2) { _ in try await stage.fill(60) }
                let indexes = stage.path(of: 2) + "/indexes/default"
                let shards = try FileManager.default.contentsOfDirectory(atPath: indexes)
                let shard = try #require(shards.first)
                let (place, wrong) = ("\(indexes)/\(shard)", "\(indexes)/77")
                try FileManager.default.moveItem(atPath: place, toPath: wrong)
                // Neither is a directory.
                for stray in ["\(indexes)/5555", stage.path(of: 2) + "/indexes/readme"] {
                    #expect(FileManager.default.createFile(atPath: stray, contents: nil))
                }
                try await stage.worker(2, becomesReady: false) { worker in
                    let line = await worker.errors.first {
                        $0.contains("there is no replica in") ? $0 : nil
                    }
                    #expect(line?.contains(place) == true && line?.contains(wrong) == true)
                    let run = try await stage.search()
                    #expect(run.code == 3, "\(run.output)\(run.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: place), "nothing is made")
                try FileManager.default.moveItem(atPath: wrong, toPath: place)
                try await stage.worker(2) { _ in
                    let found = try await stage.count()
                    #expect(found == 60)
                }
            }
        }

        @Test("What was imported and given up as lost is imported by the same command again")
        func imported() async throws {
            try await WorkerStage.with { stage in
                let file = "\(stage.directory)/common.ndjson"
                try Samples.lines(0..<400).write(toFile: file, atomically: true, encoding: .utf8)
                let index = ["index", file, "--batch", "50"]
                try await stage.worker(2) { _ in
                    let run = try await Program.run(index, broker: stage.endpoint)
                    #expect(run.code == 0, "\(run.errors)")
                }
                try FileManager.default.removeItem(atPath: stage.path(of: 2))
                try await stage.worker(2, ["--replace-lost"]) { _ in
                    let left = try await stage.count()
                    #expect(left > 0 && left < 400)
                    let run = try await Program.run(index, broker: stage.endpoint)
                    #expect(run.code == 0 && !run.output.contains("already"), "\(run.output)")
                    let found = try await stage.count()
                    #expect(found == 400)
                }
            }
        }

        @Test("A directory of another cluster is told with its path, and not changed")
        func foreign() async throws {
            try await WorkerStage.with { other in
                try await other.worker(2) { worker in
                    try await other.fill(60)
                    worker.signal(SIGKILL)
                }
                try await WorkerStage.with { stage in
                    try await stage.worker(2) { _ in try await stage.fill(60) }
                    let (path, indexes) = (stage.path(of: 2), stage.path(of: 2) + "/indexes")
                    try FileManager.default.moveItem(atPath: path, toPath: path + ".own")
                    try FileManager.default.copyItem(atPath: other.path(of: 2), toPath: path)
                    let before = try Self.files(in: indexes)
                    try await stage.worker(2, becomesReady: false) { worker in
                        let line = await worker.errors.first {
                            $0.contains("is of another cluster than the broker") ? $0 : nil
                        }
                        #expect(line?.contains(indexes) == true, "\(line ?? "")")
                        let run = try await stage.search()
                        #expect(run.code == 3, "\(run.output)\(run.errors)")
                    }
                    #expect(try Self.files(in: indexes) == before)
                    #expect(!before.isEmpty)
                }
            }
        }

        private static func files(in directory: String) throws -> [String: Data] {
            let paths = FileManager.default.enumerator(atPath: directory)?.allObjects ?? []
            var files: [String: Data] = [:]
            for case let path as String in paths {
                // Directories have no contents.
                files[path] = FileManager.default.contents(atPath: "\(directory)/\(path)")
            }
            return files
        }

        @Test("A journal without its manifest is not opened as an empty replica")
        func noManifest() async throws {
            try await WorkerStage.with { stage in
                try await stage.worker(2) { worker in
                    try await stage.fill(60)
                    worker.signal(SIGKILL)
                }
                let indexes = stage.path(of: 2) + "/indexes/default"
                let shards = try FileManager.default.contentsOfDirectory(atPath: indexes)
                for shard in shards {
                    try FileManager.default.removeItem(
                        atPath: "\(indexes)/\(shard)/segments/MANIFEST")
                }
                try await stage.worker(2, ["--replace-lost"], becomesReady: false) { worker in
                    let told = await worker.errors.first {
                        $0.contains("the manifest that every replica begins with is missing")
                            ? true : nil
                    }
                    #expect(told == true)
                    let run = try await stage.search()
                    #expect(run.code == 3, "\(run.output)\(run.errors)")
                }
            }
        }

        @Test(
            "Nothing is complete over an older directory until the newest is back or it is accepted"
        )
        func older() async throws {
            try await WorkerStage.with { stage in
                let path = stage.path(of: 2)
                try await stage.worker(2) { _ in try await stage.fill(60) }
                try FileManager.default.copyItem(atPath: path, toPath: path + ".backup")
                try await stage.worker(2) { worker in
                    try await stage.fill(120)
                    worker.signal(SIGKILL)
                }
                try FileManager.default.moveItem(atPath: path, toPath: path + ".newest")
                try FileManager.default.copyItem(atPath: path + ".backup", toPath: path)
                try await stage.worker(2, becomesReady: false) { worker in
                    for process in [worker, stage.broker] {
                        let line = await process.errors.first {
                            $0.contains("is older than it was") ? $0 : nil
                        }
                        #expect(line?.contains("--accept-loss") == true)
                    }
                    let run = try await stage.search()
                    #expect(run.code == 3 && run.output.contains("is stale"), "\(run.output)")
                    #expect(run.output.contains("what to do: give the worker"), "\(run.output)")
                    let status = try await Program.run(["status"], broker: stage.endpoint)
                    #expect(status.output.contains("stale on worker-2"), "\(status.output)")
                }
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: path + ".newest", toPath: path)
                try await stage.worker(2) { worker in
                    let found = try await stage.count()
                    #expect(found == 120, "the newest directory is back")
                    worker.signal(SIGKILL)
                }
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: path + ".backup", toPath: path)
                try await stage.worker(2, ["--accept-loss"]) { _ in
                    let left = try await stage.count()
                    #expect(left >= 60 && left < 120)
                    try await stage.fill(120)
                    let found = try await stage.count()
                    #expect(found == 120, "what was lost is indexed again")
                }
                try await stage.worker(2) { _ in
                    let found = try await stage.count()
                    #expect(found == 120, "the flag is said once")
                }
            }
        }

        /// Worker and broker say what is wrong and what to do, and a search ends with 3.
        private static func expectComplaint(
            _ text: String, _ stage: WorkerStage, _ worker: LiveProcess
        ) async throws {
            for process in [worker, stage.broker] {
                let line = await process.errors.first { $0.contains(text) ? $0 : nil }
                #expect(line?.contains("--replace-lost") == true)
            }
            let run = try await stage.search()
            #expect(run.code == 3, "\(run.output)\(run.errors)")
            #expect(run.output.contains("unreachable"), "\(run.output)")
            #expect(run.output.contains("what to do: mount or restore"), "\(run.output)")
            let status = try await Program.run(["status"], broker: stage.endpoint)
            #expect(status.output.contains("refused"), "\(status.output)")
        }
    }
}
