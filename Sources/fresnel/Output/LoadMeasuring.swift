import FresnelClient
import FresnelLoad
import FresnelModel
import FresnelSystem

/// Connects, measures and puts a report together.
struct LoadMeasuring {
    let plan: LoadPlan
    var settings: LoadSession.Settings
    let connections: Int
    let isInsecure: Bool
    let display: LoadDisplay

    /// What one cluster came to.
    struct Result {
        let status: ClusterStatus
        let endpoint: String
        let measurements: [LoadReport.Measurement]
        let saturation: Double?
    }

    /// Measures one running cluster; nil is the one that the environment names.
    func report(_ endpoint: String?, objective: Objective?) async throws -> LoadReport {
        let began = Timestamp(wallClock: SystemTime().unixSeconds())
        let result = try await display.during { try await measure(endpoint) }
        return LoadReport(
            setting: setting(result, began: began, objective: objective),
            measurements: result.measurements, saturation: result.saturation)
    }

    /// Runs the plan against one cluster.
    func measure(_ endpoint: String?) async throws -> Result {
        var clients: [SearchClient] = []
        for _ in 0..<connections {
            clients.append(
                try await SearchClient.connect(
                    to: endpoint, name: "fresnel load", allowsPlaintext: isInsecure,
                    retriesRefusals: false))
        }
        let status = try await clients[0].status()
        let session = try await LoadSession(
            clients: clients, settings: settings, time: SystemTime()
        ) { label, rate, recorder in
            display.begin(label, rate, recorder)
        }
        let (measurements, saturation) = try await session.run(plan)
        let reached = clients[0].endpoint
        for client in clients { await client.close() }
        return Result(
            status: status, endpoint: reached, measurements: measurements, saturation: saturation)
    }

    /// What a report says about where it was measured.
    func setting(
        _ result: Result, began: Timestamp, objective: Objective?
    ) -> LoadReport.Setting {
        let asked = result.status.indexes.filter { index in
            settings.indexes.isEmpty || settings.indexes.contains { $0.text == index.name }
        }
        var objective = objective
        if case .saturation(let bound, _, _) = plan { objective = bound }
        return LoadReport.Setting(
            began: began.description, endpoint: result.endpoint, workload: settings.workload.name,
            seed: settings.seed, version: Fresnel.software, host: Machine.hostName,
            processors: Machine.processorCount, workers: result.status.workers.count,
            shards: asked.reduce(0) { $0 + $1.shards.count },
            documents: asked.reduce(0) { $0 + $1.documents }, plan: plan.text,
            objective: objective?.description)
    }
}
