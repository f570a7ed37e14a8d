import Foundation
import FresnelClient
import FresnelLoad
import FresnelModel
import Glibc

/// Several processes of this program that make a load together against one broker.
///
/// Each makes the requests whose number has its remainder, at their times on the machine's one
/// clock, so the load is the same however many they are
/// (Documentation/decisions/0023-loads-of-several-processes.md).
final class LoadProcesses: LoadGenerator {
    private let processes: [LoadProcess]
    private let clear: @Sendable () async throws(SearchError) -> Void
    private let classes: [LoadClass]
    let connectionCount: Int

    /// Long enough for an order to reach every process.
    let leadNanoseconds: Int64 = 250_000_000

    /// What has to be known of a load to start processes for it.
    struct Plan {
        let count: Int
        let connections: Int
        let questions: LoadQuestionOptions
        let settings: LoadSession.Settings
        let isInsecure: Bool
    }

    private init(_ plan: Plan, client: SearchClient, directory: String) {
        let writers = LoadWriters(plan.settings, client)
        connectionCount = plan.connections
        classes = plan.settings.workload.classes
        clear = { () async throws(SearchError) in try await writers.clear() }
        processes = (0..<plan.count).map { number in
            let share = (number + plan.connections) / plan.count
            let arguments =
                [
                    "load", "generate", "--part", "\(number)", "--parts", "\(plan.count)",
                    "--connections", "\(share)", "--broker", client.endpoint,
                ] + (plan.isInsecure ? ["--insecure"] : []) + plan.questions.arguments
            return LoadProcess(
                "load process \(number + 1) of \(plan.count)",
                logPath: "\(directory)/\(number + 1).log", arguments: arguments)
        }
    }

    /// Starts the processes, lends them to `body` when all are ready, and ends them in any case.
    static func with<Answer>(
        _ plan: Plan, client: SearchClient, _ body: (LoadProcesses) async throws -> Answer
    ) async throws -> Answer {
        // A process that has ended closes its pipe; what is written to it then is lost, no more.
        signal(SIGPIPE, SIG_IGN)
        return try await LoadDirectory.with { directory in
            let all = LoadProcesses(plan, client: client, directory: directory)
            do {
                for process in all.processes { try process.start() }
                for process in all.processes { try await process.waitUntilReady() }
                try Task.checkCancellation()
                let answer = try await body(all)
                await all.end()
                return answer
            } catch {
                await all.end()
                throw error
            }
        }
    }

    func measure(_ order: LoadOrder, observe: LoadObserver) async -> Recorder.Contents {
        for process in processes {
            // One that cannot be told has ended, which is noticed below.
            try? process.send(order)
        }
        let nothing = Recorder.Contents(classes: classes, seconds: order.seconds)
        observe { [processes] in
            var known = processes.compactMap(\.progress)[...]
            guard var all = known.popFirst() else { return LoadProgress(nothing) }
            for progress in known { all.add(progress) }
            return all
        }
        // What was measured until an interrupt is waited for all the same.
        let parts = Task { await self.parts(of: nothing) }
        return await withTaskCancellationHandler {
            await parts.value
        } onCancel: {
            for process in processes { process.stop() }
        }
    }

    /// What all processes say at the end of a measurement, added to what there is.
    private func parts(of nothing: Recorder.Contents) async -> Recorder.Contents {
        var contents = nothing
        for process in processes {
            if let part = await process.measured() {
                contents.add(part)
            } else {
                contents.health.lose("\(process.death); its part of the requests is missing")
            }
        }
        return contents
    }

    func clear() async throws(SearchError) { try await clear() }

    /// Kills all: nothing of them is kept.
    private func end() async {
        for process in processes { await process.kill() }
    }
}
