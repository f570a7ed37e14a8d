import FresnelJSON
import FresnelSystem
import Glibc
import Testing

extension Clusters {
    /// Where `fresnel up` makes a cluster, and where it does not.
    @Suite("Directories of clusters")
    struct ClusterDirectoryTests {
        @Test("The directory of a worker or a broker, and a folder of such, is left as it is")
        func others() async throws {
            try await TemporaryDirectory.with { directory in
                let path = directory.path
                try await make(
                    [
                        "c/broker/cluster-state", "c/workers/1/worker-name", "w/worker-name",
                        "left/indexes/default/0/x", "b/cluster-state", "many/w1/worker-name",
                    ],
                    in: path)
                #expect(
                    try await Program.shell("ln -s \(path)/b \(path)/w/link", broker: "").code == 0)
                let before = try await Program.shell("find \(path) | sort", broker: "").output
                let cases = [
                    ("w", "belongs to a worker: it holds worker-name", "of its own with --data"),
                    ("left", "belongs to a worker: it holds indexes", "of its own with --data"),
                    ("b", "belongs to a broker", "of its own with --data"),
                    ("many", "holds directories of workers: \(path)/many/w1", "of its own"),
                    ("c/broker/", "belongs to a broker", "started with --data \(path)/c"),
                    ("c/workers", "holds directories of workers", "started with --data \(path)/c"),
                    ("c/workers/1", "belongs to a worker", "started with --data \(path)/c"),
                    ("w/new", "lies in a directory of a worker", "of its own with --data"),
                    ("b/new/deep", "or a cluster: \(path)/b", "of its own with --data"),
                    ("c/workers/1/new", "lies in a directory", "started with --data \(path)/c"),
                    ("w/link/new", "or a cluster: \(path)/b;", "of its own with --data"),
                ]
                for (place, what, wayOut) in cases {
                    let run = try await Program.run(["up", "--data", "\(path)/\(place)"])
                    #expect(run.code == 1, "\(place): \(run)")
                    #expect(run.errors.contains(what) && run.errors.contains(wayOut), "\(run)")
                }
                let after = try await Program.shell("find \(path) | sort", broker: "").output
                #expect(after == before)
            }
        }

        @Test("The directory of a cluster is taken, whatever else lies in it")
        func own() async throws {
            try await TemporaryDirectory.with { directory in
                let path = directory.path
                for _ in 0..<2 {
                    let arguments = ["up", "--workers", "1", "--data", path, "--listen"]
                    let (_, code) = try await LiveProcess.with(arguments + ["tcp://127.0.0.1:0"]) {
                        let ready = await $0.output.first { $0.contains("ready") ? $0 : nil }
                        #expect(ready != nil)
                    }
                    #expect(code == 0)
                    try await make(["worker-name", "old/worker-name", "notes.txt"], in: path)
                }
            }
        }

        private func make(_ files: [String], in path: String) async throws {
            for file in files {
                let line = "mkdir -p $(dirname \(path)/\(file)) && touch \(path)/\(file)"
                #expect(try await Program.shell(line, broker: "").code == 0)
            }
        }
    }
}
