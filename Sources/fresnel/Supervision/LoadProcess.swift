import Foundation
import FresnelLoad
import FresnelModel
import Synchronization

/// One of several processes that make a load together, as the one that started it sees it.
final class LoadProcess: Sendable {
    /// What messages call it.
    let name: String
    private let process: HeldProcess
    private let messages: AsyncStream<GeneratorMessage>
    private let told: Told

    /// What it told, on threads of its own.
    private final class Told: Sendable {
        let progress = Mutex<LoadProgress?>(nil)
        let death = Mutex<String?>(nil)
        let heard = Mutex(Stopwatch())
    }

    /// One that said nothing for so long is given up; while it measures it speaks every second.
    static let patience = Duration.seconds(30)

    init(_ name: String, logPath: String, arguments: [String]) {
        let told = Told()
        let (messages, hear) = AsyncStream.makeStream(of: GeneratorMessage.self)
        self.name = name
        self.messages = messages
        self.told = told
        process = HeldProcess(
            name, logPath: logPath, arguments: { arguments },
            hear: { line in
                // A line that is no message was written by something else.
                guard let message = try? LoadProcessLine.message(line) else { return }
                told.heard.withLock { $0 = Stopwatch() }
                if case .progress(let newer) = message {
                    told.progress.withLock { known in
                        if known == nil { known = newer } else { known?.take(newer) }
                    }
                } else {
                    hear.yield(message)
                }
            },
            mourn: { death in
                told.death.withLock { $0 = death }
                hear.finish()
            })
    }

    /// How its measurement goes; nil while it has said nothing.
    var progress: LoadProgress? { told.progress.withLock(\.self) }

    func start() throws(CommandError) {
        try process.start()
        told.heard.withLock { $0 = Stopwatch() }
    }

    /// Tells it to make its part of a measurement.
    func send(_ order: LoadOrder) throws {
        told.progress.withLock { $0 = nil }
        told.heard.withLock { $0 = Stopwatch() }
        process.say(try LoadProcessLine.line(GeneratorCommand.measure(order)))
    }

    /// Tells it to end its measurement now and to say what it came to.
    func stop() {
        // Every command can be written as JSON.
        guard let line = try? LoadProcessLine.line(GeneratorCommand.stop) else { return }
        process.say(line)
    }

    /// Waits until it has what it needs.
    ///
    /// - Throws: `CommandError` with its reason when it cannot go on.
    func waitUntilReady() async throws {
        switch await next() {
        case .ready: return
        case .failed(let reason): throw CommandError.failed("\(name): \(reason)")
        case .progress, .measured, nil: throw CommandError.failed("\(name) \(death)")
        }
    }

    /// What its part of a measurement came to; nil when it has ended before.
    func measured() async -> Recorder.Contents? {
        guard case .measured(let contents) = await next() else { return nil }
        return contents
    }

    /// How it ended, with its last words.
    var death: String {
        let words = process.lastWords
        return (told.death.withLock(\.self) ?? "said nothing for \(Self.patience)")
            + (words.isEmpty ? "" : "\n\(words)")
    }

    func kill() async { await process.kill() }

    /// The next thing that it says beside its progress; nil when it has ended, or is silent.
    private func next() async -> GeneratorMessage? {
        await withTaskGroup(of: GeneratorMessage?.self) { group in
            group.addTask { [messages] in
                for await message in messages { return message }
                return nil
            }
            group.addTask { [told] in
                // A cancelled pause ends the loop.
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    if told.heard.withLock({ $0.elapsed }) > Self.patience { break }
                }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
