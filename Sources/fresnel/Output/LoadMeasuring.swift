import FresnelClient
import FresnelLoad
import FresnelModel
import FresnelSystem

/// Connects, measures and puts a report together.
struct LoadMeasuring {
    let plan: LoadPlan
    var settings: LoadSession.Settings
    let makers: Makers
    /// What the program was built from, where somebody has said.
    let commit: String?
    let display: LoadDisplay

    /// Who makes the requests.
    struct Makers {
        let processes: Int
        let connections: Int
        let questions: LoadQuestionOptions
        let isInsecure: Bool
    }

    /// What one cluster came to.
    struct Result {
        let status: ClusterStatus
        /// Documents of the indexes that are asked, without those of a load.
        var documents: UInt64 = 0
        let endpoint: String
        let course: LoadCourse
        /// Why it ended before its plan did; nil if it did not.
        var interruption: String?
        /// What is odd about the workload and no mistake.
        var remarks: [String] = []
    }

    /// Measures one running cluster; nil is the one that the environment names.
    func report(_ endpoint: String?, objective: Objective?) async throws -> LoadReport {
        let began = Timestamp(wallClock: SystemTime().unixSeconds())
        let result = try await display.during { try await measure(endpoint) }
        var report = LoadReport(
            setting: setting(result, began: began, objective: objective),
            measurements: result.course.measurements, saturation: result.course.saturation)
        report.interruption = result.interruption
        report.remarks = result.remarks
        report.leftovers = result.course.leftovers
        if let bounds = bounds(objective) { report.judge(by: bounds) }
        return report
    }

    /// Runs the plan against one cluster.
    ///
    /// - Parameter memory: what its processes use, in bytes; nil asks the broker about workers.
    func measure(
        _ endpoint: String?, memory: (@Sendable () async -> [String: UInt64])? = nil
    ) async throws -> Result {
        let own = makers.processes == 1 ? makers.connections : 1
        return try await LoadConnections.with(
            own, to: endpoint, isInsecure: makers.isInsecure
        ) { clients in
            let status = try await clients[0].status()
            let documents = await documents(clients[0], status)
            var settings = settings
            settings.memory = memory
            // A broker with too much to do, or none, is asked again later.
            settings.status = { [client = clients[0]] in try? await client.status() }
            let (generator, remarks) = try await generator(clients, settings)
            for remark in remarks { Streams.complain(remark) }
            guard makers.processes > 1 else {
                var result = try await run(generator, settings, status, clients[0])
                (result.documents, result.remarks) = (documents, remarks)
                return result
            }
            let processes = LoadProcesses.Plan(
                count: makers.processes, connections: makers.connections,
                questions: makers.questions, settings: settings, isInsecure: makers.isInsecure)
            return try await LoadProcesses.with(processes, client: clients[0]) { generator in
                var result = try await run(generator, settings, status, clients[0])
                (result.documents, result.remarks) = (documents, remarks)
                return result
            }
        }
    }

    private func run(
        _ generator: any LoadGenerator, _ settings: LoadSession.Settings,
        _ status: ClusterStatus, _ client: SearchClient
    ) async throws -> Result {
        let session = LoadSession(generator, settings: settings, time: SystemTime()) {
            display.begin($0, $1)
        }
        let course = await session.run(plan)
        guard !course.measurements.isEmpty else {
            guard let leftovers = course.leftovers else { throw CancellationError() }
            throw CommandError.failed("\(leftovers)")
        }
        return Result(
            status: status, endpoint: client.endpoint, course: course,
            interruption: course.isCutShort ? LoadInterrupt.word : nil)
    }

    /// What makes requests in this process, when each class of the workload can be asked.
    private func generator(
        _ clients: [SearchClient], _ settings: LoadSession.Settings
    ) async throws -> (LocalGenerator, remarks: [String]) {
        do {
            let generator = try await LocalGenerator(
                clients: clients, settings: settings, time: SystemTime())
            return (generator, try await generator.preflight())
        } catch let error as PreflightError {
            let name = makers.questions.workload ?? makers.questions.replay
            throw CommandError.usage(
                "\(name.map { "\($0): " } ?? "the standard workload: ")\(error)")
        } catch let error as SearchError
            where error.code == .unknownIndex && !settings.indexes.isEmpty
        {
            let names = settings.indexes.map(\.text).joined(separator: " --index ")
            throw CommandError.usage(
                "--index \(names): \(error.message); `fresnel status` names the indexes")
        }
    }

    /// What a report is judged by: the objective of a search, or the one that was given.
    func bounds(_ objective: Objective?) -> Objective? {
        guard case .saturation(let bound, _, _) = plan else { return objective }
        return bound
    }

    /// The indexes that are asked.
    private func asked(of status: ClusterStatus) -> [ClusterStatus.Index] {
        status.indexes.filter { index in
            settings.indexes.isEmpty || settings.indexes.contains { $0.text == index.name }
        }
    }

    /// How many documents are asked, without those that this or another load wrote.
    ///
    /// Counted, since a status is up to a second behind the last deletions; where not every shard
    /// answers, as that tells.
    private func documents(_ client: SearchClient, _ status: ClusterStatus) async -> UInt64 {
        let query = "!(domainIdentifier == \"\(LoadWriter.domain)\")"
        for _ in 0..<3 {
            do throws(SearchError) {
                return UInt64(try await client.count(query, indexes: settings.indexes))
            } catch {
                guard error.isRetriable else { break }
                // A cancelled pause ends in a count that is cancelled too.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
        return asked(of: status).reduce(0) { $0 + $1.documents }
    }

    /// What a report says about where it was measured.
    func setting(
        _ result: Result, began: Timestamp, objective: Objective?
    ) -> LoadReport.Setting {
        let asked = asked(of: result.status)
        var setting = LoadReport.Setting(
            began: began.description, endpoint: result.endpoint, workload: settings.workload.name,
            seed: settings.seed, version: Fresnel.software, host: Machine.hostName,
            processors: Machine.processorCount, processes: makers.processes,
            connections: makers.connections, workers: result.status.workers.count,
            shards: asked.reduce(0) { $0 + $1.shards.count },
            documents: result.documents, plan: plan.text,
            objective: bounds(objective)?.description)
        setting.commit = commit
        // The least, where indexes differ.
        setting.copies = asked.map(\.replication).min()
        setting.processorModel = Machine.processorModel
        return setting
    }
}
