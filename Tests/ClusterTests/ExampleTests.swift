import Foundation
import FresnelJSON
import Testing

extension Clusters {
    /// What the documents show is what the program does.
    @Suite("Examples")
    struct ExampleTests {
        @Test("Every command of the README's tour works")
        func readme() async throws {
            let lines = try Project.contents("README.md").split(separator: "\n")
            let commands = lines.filter { $0.hasPrefix("$ fresnel ") }.map {
                String($0.dropFirst(2))
            }
            #expect(commands.count > 10)
            try await LiveCluster.with(shards: 8) { cluster in
                for command in commands {
                    let run = try await Program.shell(command, broker: cluster.endpoint)
                    #expect(run.code == 0, "\(command): \(run.errors)")
                    let isSearch = command.hasPrefix("fresnel search")
                    #expect(!isSearch || run.lines.count > 1, "\(command) finds nothing")
                    let isCount = command.hasPrefix("fresnel count")
                    #expect(!isCount || run.output != "0\n", "\(command) counts nothing")
                }
            }
        }

        @Test("Every command of Examples/queries.txt finds as many as its comment says")
        func queries() async throws {
            let commands = try Project.lines("Examples/queries.txt").filter {
                $0.hasPrefix("fresnel ")
            }
            /// In order; nil where the comment names no number, or it is no search.
            let found: [Int?] = [
                3, 4, 1, 4, 4, 1, 1, 2, 1, 0, 4, nil, nil, 2, 8, 1, 7, nil, 0, 5, nil, 2, nil, nil,
                nil, nil,
            ]
            #expect(commands.count == found.count)
            try await LiveCluster.with(shards: 8) { cluster in
                let loaded = try await cluster.run(["index"] + Project.catalogues)
                #expect(loaded.code == 0)
                for (command, count) in zip(commands, found) {
                    let run = try await Program.shell(command, broker: cluster.endpoint)
                    #expect(run.code == (command.contains("\"a\", \"b\"") ? 2 : 0), "\(command)")
                    guard let count else { continue }
                    let noun = count == 1 ? "1 hit found" : "\(count) hits found"
                    #expect(
                        run.output.contains("\n\(noun)") || run.output.hasPrefix(noun),
                        "\(command): \(run.output)")
                }
                let computers = try await Program.shell(commands[22], broker: cluster.endpoint)
                #expect(computers.output == "9\n")
            }
        }
    }
}
