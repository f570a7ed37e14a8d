import FresnelClient
import Foundation
import FresnelJSON
import Testing

extension Clusters {
    /// Brokers whose state is lost, or older than what their workers hold.
    @Suite("A broker that knows too little", .tags(.slow))
    struct LostStateTests {
        /// What becomes of the broker's directory.
        enum Loss: CaseIterable { case lost, older }

        /// What the operator does about it.
        enum WayOut: CaseIterable { case newest, adopted }

        private static func documents(_ range: Range<Int>) -> Set<String> {
            Set(range.map(Samples.identifier))
        }

        @Test(
            "It calls nothing complete that is not, and gets everything that was acknowledged back",
            arguments: Loss.allCases, WayOut.allCases)
        func forgotten(loss: Loss, wayOut: WayOut) async throws {
            try await DirectoryStage.with { stage in
                let later = "\(stage.directory)/later.ndjson"
                try Samples.lines(0..<40).write(toFile: later, atomically: true, encoding: .utf8)
                let imported = ["index", later, "--index", "later"]
                try await stage.run { scene in
                    try await scene.expect(
                        ["index", "-", "--index", "shop"], input: Samples.lines(0..<60))
                }
                try stage.copyState(to: "older")
                try await stage.run { scene in
                    try await scene.expect(imported)
                    try await scene.expect(["delete", "d00001", "d00002", "--index", "later"])
                    try await scene.expect(
                        ["index", "-", "--index", "shop"], input: Samples.lines(60..<80))
                }
                try stage.copyState(to: "newest")
                try stage.putBack(loss == .older ? "older" : nil)
                let verdict = try await stage.verify()
                // Without any the broker may be on another machine.
                #expect(verdict.output.contains("--adopt") == (loss == .older), "\(verdict)")
                try await stage.run { scene in
                    try await Self.expectHonesty(scene, imported, knowsShop: loss == .older)
                }
                switch wayOut {
                case .newest: try stage.putBack("newest")
                case .adopted: if loss == .lost { try stage.putBack(nil) }
                }
                let shop = Self.documents(0..<(loss == .older ? 85 : 80))
                for flags in [wayOut == .adopted ? ["--adopt"] : [], []] {
                    try await stage.run(flags) { scene in
                        try await Self.expectEverything(scene, shop)
                        // It can be written to, and the same import changes nothing but what was
                        // deleted since.
                        try await scene.expect(imported)
                        #expect(
                            try await scene.identifiers(in: "later") == Self.documents(0..<40))
                        try await scene.expect(
                            ["delete", "d00001", "d00002", "--index", "later"])
                    }
                }
                let end = try await stage.verify()
                #expect(end.code == 0, "\(end)")
            }
        }

        /// It answers nothing as complete, makes no second index beside what is there, and says
        /// what to do.
        private static func expectHonesty(
            _ scene: DirectoryStage.Scene, _ imported: [String], knowsShop: Bool
        ) async throws {
            try await eventually("the workers have told what they hold") {
                Set(try await scene.status().unknownReplicas.map(\.index))
                    == (knowsShop ? ["later"] : ["later", "shop"])
            }
            try await scene.expectIncomplete()
            try await scene.expectIncomplete("later")
            let status = try await scene.run(["status"])
            #expect(status.code == 3 && status.output.contains("--adopt"), "\(status.output)")
            #expect(status.output.contains("index later, shards"), "\(status.output)")
            let refused = try await scene.run(imported)
            #expect(refused.code != 0 && refused.errors.contains("--adopt"), "\(refused)")
            let removal = try await scene.run(["indexes", "remove", "later", "--yes"])
            #expect(removal.code != 0, "\(removal)")
            guard knowsShop else { return try await scene.expectIncomplete("shop") }
            #expect(try await scene.identifiers(in: "shop") == documents(0..<80))
            // What is written meanwhile is acknowledged, and stays, too.
            try await scene.expect(
                ["index", "-", "--index", "shop"], input: Samples.lines(80..<85))
        }

        /// What was acknowledged is there, and nothing that was deleted.
        private static func expectEverything(
            _ scene: DirectoryStage.Scene, _ shop: Set<String>
        ) async throws {
            try await eventually("everything is known", within: .seconds(60)) {
                let status = try await scene.status()
                return status.isWhole && status.indexes.map(\.name) == ["later", "shop"]
            }
            #expect(try await scene.identifiers(in: "shop") == shop)
            let later = try await scene.identifiers(in: "later")
            #expect(later == documents(0..<40).subtracting(["d00001", "d00002"]), "\(later.count)")
            #expect(try await scene.run(["status"]).code == 0)
        }

        @Test(
            "With a state from before a move it says so, and what moved is not lost",
            arguments: WayOut.allCases)
        func moved(wayOut: WayOut) async throws {
            try await DirectoryStage.with { stage in
                try await stage.run { scene in
                    try await scene.expect(
                        ["index", "-", "--index", "shop"], input: Samples.lines(0..<60))
                }
                try stage.copyState(to: "older")
                try await stage.run(workers: 3) { scene in
                    try await eventually("worker-2 can be drained") {
                        try await scene.run(["drain", "worker-2", "--yes"]).code == 0
                    }
                    try await eventually("nothing is left on worker-2", within: .seconds(60)) {
                        let worker = try await scene.status().workers.first {
                            $0.name == "worker-2"
                        }
                        return worker?.isDrained == true && worker?.replicas == 0
                            && worker?.removing == 0
                    }
                    try await scene.expect(
                        ["index", "-", "--index", "shop"], input: Samples.lines(60..<80))
                }
                try stage.copyState(to: "newest")
                try stage.putBack("older")
                let verdict = try await stage.verify()
                #expect(verdict.output.contains("older than a move"), "\(verdict.output)")
                try await stage.run(workers: 3) { scene in
                    try await eventually("what moved is told") {
                        try await !scene.status().unknownReplicas.isEmpty
                    }
                    try await scene.expectIncomplete()
                    let status = try await scene.run(["status"])
                    #expect(status.code == 3, "\(status.output)")
                    #expect(status.output.contains("the state is older than a move"))
                }
                try stage.putBack(wayOut == .newest ? "newest" : nil)
                for flags in [wayOut == .adopted ? ["--adopt"] : [], []] {
                    try await stage.run(flags, workers: 3) { scene in
                        let found = try await scene.identifiers(in: "shop")
                        #expect(found == Self.documents(0..<80), "\(found.count)")
                        try await eventually("everything is whole") {
                            try await scene.status().isWhole
                        }
                    }
                }
            }
        }

        @Test("With the state of another cluster it obeys nobody's word, and nothing is changed")
        func exchanged() async throws {
            try await DirectoryStage.with { one in
                try await DirectoryStage.with { other in
                    let cases = [(one, 0..<30), (other, 30..<70)]
                    for (stage, range) in cases {
                        try await stage.run { scene in
                            try await scene.expect(
                                ["index", "-", "--index", "shop"], input: Samples.lines(range))
                        }
                        try stage.copyState(to: "own")
                    }
                    for (stage, foreign) in [(one, other), (other, one)] {
                        try stage.putBack(nil)
                        try FileManager.default.copyItem(
                            atPath: "\(foreign.directory)/kept/own", toPath: stage.broker)
                        try await stage.run { scene in
                            try await eventually("both workers have told what they hold") {
                                Set(try await scene.status().unknownReplicas.map(\.worker)).count
                                    == 2
                            }
                            try await scene.expectIncomplete()
                            let status = try await scene.run(["status"])
                            #expect(status.code == 3, "\(status.output)")
                            #expect(status.output.contains("belongs to another cluster"))
                        }
                    }
                    for (stage, range) in cases {
                        try stage.putBack("own")
                        try await stage.run { scene in
                            let found = try await scene.identifiers(in: "shop")
                            #expect(found == Self.documents(range), "\(found.count)")
                            #expect(try await scene.status().isWhole)
                        }
                    }
                }
            }
        }

        @Test("A worker of another cluster that came by mistake is told, and leaves no trace")
        func guest() async throws {
            try await DirectoryStage.with { home in
                // The name that the worker has at home, too.
                let name = "guest"
                try await home.run(workers: 1) { scene in
                    try await home.worker(2, at: home, named: name) { _ in
                        try await scene.expect(
                            ["index", "-", "--index", "shop"], input: Samples.lines(0..<40))
                    }
                }
                try await DirectoryStage.with { stage in
                    try await stage.run { scene in
                        try await scene.expect(
                            ["index", "-", "--index", "shop"], input: Samples.lines(0..<30))
                        try await home.worker(2, at: stage, named: name) { worker in
                            let line = await worker.errors.first {
                                $0.contains("nothing is done for it") ? $0 : nil
                            }
                            #expect(line?.contains("--broker") == true)
                            try await eventually("it has told what it holds") {
                                try await scene.status().unknownReplicas.contains {
                                    $0.worker == WorkerID(name)
                                }
                            }
                            try await scene.expectIncomplete()
                            try await scene.expect(
                                ["index", "-", "--index", "new"], input: Samples.lines(0..<10))
                        }
                        try await eventually("it is gone, and everything is whole again") {
                            let status = try await scene.status()
                            return status.isWhole && status.workers.count == 2
                        }
                        #expect(
                            try await scene.identifiers(in: "shop") == Self.documents(0..<30))
                        #expect(try await scene.identifiers(in: "new") == Self.documents(0..<10))
                    }
                }
                try await home.run(workers: 1) { scene in
                    try await home.worker(2, at: home, named: name) { _ in
                        let found = try await scene.identifiers(in: "shop")
                        #expect(found == Self.documents(0..<40))
                        let indexes = try await scene.status().indexes.map(\.name)
                        #expect(indexes == ["shop"])
                    }
                }
            }
        }

        @Test("A state from before an index was removed does not bring it back in silence")
        func revived() async throws {
            try await DirectoryStage.with { stage in
                let copies = ["--replicas", "2"]
                try await stage.run(copies) { scene in
                    for index in ["shop", "other"] {
                        try await scene.expect(
                            ["index", "-", "--index", index], input: Samples.lines(0..<30))
                    }
                }
                try stage.copyState(to: "older")
                // Everything of it is on a worker that is away.
                try await stage.run(copies, workers: 1) { scene in
                    try await scene.expect(["indexes", "remove", "shop", "--yes"])
                    try await eventually("worker-1 has removed its part") {
                        try await scene.status().removed.first?.replicas == 4
                    }
                }
                try stage.copyState(to: "newest")
                for wayOut in WayOut.allCases {
                    try stage.putBack("older")
                    let verdict = try await stage.verify()
                    #expect(verdict.code == 1, "\(verdict)")
                    #expect(verdict.output.contains("index shop was removed"), "\(verdict)")
                    try await stage.run(copies) { scene in
                        try await eventually("who has removed its part says so") {
                            try await scene.status().unknownReplicas.contains {
                                $0.worker == WorkerID("worker-1") && $0.index == "shop"
                            }
                        }
                        try await scene.expectIncomplete()
                        let status = try await scene.run(["status"])
                        #expect(status.code == 3, "\(status)")
                        #expect(status.output.contains("indexes remove shop"), "\(status)")
                        // It would go with the index.
                        let refused = try await scene.run(
                            ["index", "-", "--index", "shop"], input: Samples.lines(30..<40))
                        #expect(refused.code != 0, "\(refused)")
                        #expect(refused.errors.contains("was removed, says"), "\(refused)")
                        #expect(
                            try await scene.identifiers(in: "other") == Self.documents(0..<30))
                        guard wayOut == .adopted else { return }
                        try await scene.expect(["indexes", "remove", "shop", "--yes"])
                    }
                    // Or it was removed once more.
                    if wayOut == .newest { try stage.putBack("newest") }
                    // The worker that was away stays away until the other one has said so.
                    try await stage.run(copies, workers: wayOut == .newest ? 1 : 2) { scene in
                        try await eventually("what is there is known") {
                            let status = try await scene.status()
                            return status.unknownReplicas.isEmpty
                                && status.indexes.map(\.name) == ["other"]
                                && (wayOut == .newest || status.isWhole && status.removed.isEmpty)
                        }
                    }
                }
            }
        }

        @Test("A removed index is not taken over, and one made after it under its name is")
        func removed() async throws {
            try await DirectoryStage.with { stage in
                try await stage.run { scene in
                    try await scene.expect(
                        ["index", "-", "--index", "shop"], input: Samples.lines(0..<30))
                }
                try await stage.run(workers: 1) { scene in
                    let gone = try await scene.expect(["indexes", "remove", "shop", "--yes"])
                    #expect(gone.contains("worker-2; what is there goes"), "\(gone)")
                }
                try stage.copyState(to: "older")
                try await stage.run(["--adopt"]) { scene in
                    try await eventually("nothing is left of it") {
                        let status = try await scene.status()
                        return status.removed.isEmpty && status.workers.count == 2
                    }
                    #expect(try await scene.status().indexes.isEmpty)
                    try await scene.expect(
                        ["index", "-", "--index", "shop"], input: Samples.lines(30..<60))
                }
                try stage.putBack("older")
                try await stage.run { scene in
                    try await eventually("only the new one is told of") {
                        let status = try await scene.status()
                        return Set(status.unknownReplicas.map(\.worker)).count == 2
                            && status.removed.isEmpty
                    }
                    try await scene.expectIncomplete()
                }
                for flags in [["--adopt"], []] {
                    try await stage.run(flags) { scene in
                        try await eventually("everything is known", within: .seconds(60)) {
                            let status = try await scene.status()
                            return status.isWhole && status.indexes.count == 1
                        }
                        let found = try await scene.identifiers(in: "shop")
                        #expect(found == Self.documents(30..<60), "\(found.count)")
                        #expect(try await scene.status().removed.isEmpty)
                    }
                }
            }
        }
    }
}
