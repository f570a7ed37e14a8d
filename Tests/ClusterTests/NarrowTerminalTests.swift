import Foundation
import FresnelClient
import Testing

extension Clusters {
    /// What a person sees at a terminal of so many columns.
    @Suite("Narrow terminals")
    struct NarrowTerminalTests {
        /// What commands write to a terminal, line by line.
        private func lines(
            _ commands: String, columns: Int, of cluster: LiveCluster
        ) async throws -> [String] {
            let state = "XDG_STATE_HOME='\(cluster.directory)/state'"
            let run = try await Program.shell(
                "\(state) script -qec 'stty cols \(columns); \(commands)' /dev/null",
                broker: cluster.endpoint)
            #expect(run.code == 0, "\(run.output)")
            return run.output.split(whereSeparator: \.isNewline).map(String.init)
        }

        private func width(_ line: String) -> Int {
            line.unicodeScalars.reduce(0) { $0 + ((0x3000...0xFFEF) ~= $1.value ? 2 : 1) }
        }

        @Test("Tables fit, wide letters count twice, and numbers are never cut")
        func tables() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index([
                    Document(
                        uniqueIdentifier: "juice-of-apples-from-aomori",
                        attributes: [
                            "title": .string("青森りんごジュース無添加ストレート百パーセント果汁"),
                            "rating": .number(1_234_567),
                            "keywords": .strings(["fruit", "juice", "apple", "りんご"]),
                        ])
                ])
                let search = "fresnel search true --attributes title,rating,keywords"
                for columns in [20, 40, 60, 80, 120] {
                    let lines = try await lines(search, columns: columns, of: cluster)
                    let table = lines.prefix { !$0.contains("1 hit found") }
                    #expect(table.count > 1 && table.contains { $0.contains("1234567") })
                    let isWide = { (line: String) in width(line) > columns }
                    // An identifier that stands for a row may wrap, since nobody can use a part.
                    #expect(!table.dropFirst().contains(where: isWide), "\(columns): \(table)")
                    #expect(table.contains { $0.contains("青森") }, "\(columns): \(table)")
                    let status = try await self.lines(
                        "fresnel status", columns: columns, of: cluster)
                    #expect(!status.contains { $0.contains("…") }, "\(columns): \(status)")
                }
            }
        }

        @Test("The next page is a word away on a terminal, and a cursor for programs")
        func pages() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<5))
                let search = "fresnel search true --sort title --limit 2"
                let first = try await lines(search, columns: 80, of: cluster)
                #expect(first.last == "more: --after next", "\(first)")
                let second = try await lines("\(search) --after next", columns: 80, of: cluster)
                #expect(second.contains { $0.hasPrefix("d00002") }, "\(second)")
                #expect(second.last == "more: --after next, or --before previous")
                let back = try await lines("\(search) --before previous", columns: 80, of: cluster)
                #expect(back.contains { $0.hasPrefix("d00000") }, "\(back)")
                let file = "\(cluster.directory)/state/fresnel/pages.json"
                let mode = try FileManager.default.attributesOfItem(atPath: file)
                #expect(mode[.posixPermissions] as? Int == 0o600)
                let other = try await Program.shell(
                    "XDG_STATE_HOME='\(cluster.directory)/state' "
                        + "fresnel search 'rating > 0' --after next", broker: cluster.endpoint)
                #expect(other.code == 2 && other.errors.contains("of another query, true"))
                let plain = try await cluster.run(
                    ["search", "true", "--sort", "title", "--limit", "2"])
                #expect(plain.errors.hasPrefix("more: --after "), "\(plain.errors)")
                #expect(plain.errors.utf8.count > 60, "\(plain.errors)")
            }
        }
    }
}
