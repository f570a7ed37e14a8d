import ArgumentParser
import Foundation
import FresnelClient
import FresnelLoad
import FresnelSystem

/// `fresnel load generate`: one of several processes that make a load together.
///
/// Commands come on its standard input, a line of JSON each; what comes of them goes to the
/// standard output. It ends when it is told to stop or its input ends, so no process outlives the
/// load.
struct LoadGenerate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Make a part of a load (started by fresnel load).",
        shouldDisplay: false)

    @Option(help: "Which part, from 0.")
    var part: Int

    @Option(help: "How many parts there are.")
    var parts: Int

    @Option(help: "Connections of this process.")
    var connections: Int

    @OptionGroup var questions: LoadQuestionOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        guard parts > 0, (0..<parts).contains(part), (1...64).contains(connections) else {
            throw ValidationError("this command is for processes that fresnel load starts")
        }
    }

    func run() async throws {
        RoleTitle.show("load")
        let (orders, hear) = AsyncStream.makeStream(of: LoadOrder.self)
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        LineReader.start(
            .standardInput,
            hear: { line in
                // What is no command is for a newer program.
                guard let command = try? LoadProcessLine.command(line) else { return }
                switch command {
                case .measure(let order): hear.yield(order)
                case .stop: end.finish()
                }
            },
            ended: {
                hear.finish()
                end.finish()
            })
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await self.serve(orders)
                } catch {
                    Self.say(.failed("\(error)"))
                }
            }
            group.addTask { for await _ in ends {} }
            await group.next()
            group.cancelAll()
        }
    }

    private func serve(_ orders: AsyncStream<LoadOrder>) async throws {
        let settings = try questions.settings()
        try await LoadConnections.with(
            connections, to: connection.broker, isInsecure: connection.insecure
        ) { clients in
            let generator = try await LocalGenerator(
                clients: clients, settings: settings,
                share: LoadShare(number: part, count: parts), time: SystemTime())
            Self.say(.ready)
            for await order in orders {
                // Also of one that was stopped.
                Self.say(.measured(await Self.measure(order, with: generator)))
            }
        }
    }

    /// Makes one measurement and says every second how it goes.
    private static func measure(
        _ order: LoadOrder, with generator: LocalGenerator
    ) async -> Recorder.Contents {
        await withTaskGroup(of: Void.self) { group in
            let (progresses, observed) = AsyncStream.makeStream(
                of: (@Sendable () -> LoadProgress).self)
            group.addTask {
                for await progress in progresses {
                    // A cancelled pause ends the loop.
                    while (try? await Task.sleep(for: .seconds(1))) != nil {
                        var newest = progress()
                        newest.keep(3)
                        say(.progress(newest))
                    }
                }
            }
            let contents = await generator.measure(order) { observed.yield($0) }
            observed.finish()
            group.cancelAll()
            return contents
        }
    }

    private static func say(_ message: GeneratorMessage) {
        // Every message can be written as JSON.
        guard let line = try? LoadProcessLine.line(message) else { return }
        Streams.sayJSON(line)
    }
}
