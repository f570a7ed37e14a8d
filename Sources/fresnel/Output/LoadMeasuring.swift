import FresnelClient
import FresnelLoad
import FresnelModel
import FresnelSystem

/// Connects, measures and puts a report together.
struct LoadMeasuring {
    let plan: LoadPlan
    let settings: LoadSession.Settings
    let connections: Int
    let connection: ClientOptions
    let isQuiet: Bool

    func report(objective: Objective?) async throws -> LoadReport {
        var clients: [SearchClient] = []
        for _ in 0..<connections {
            clients.append(
                try await SearchClient.connect(
                    to: connection.broker, name: "fresnel load",
                    allowsPlaintext: connection.insecure))
        }
        let display = LoadDisplay(isQuiet: isQuiet)
        let watching = Task { await display.watch() }
        defer { watching.cancel() }
        let began = Timestamp(wallClock: SystemTime().unixSeconds())
        let status = try await clients[0].status()
        let session = try await LoadSession(
            clients: clients, settings: settings, time: SystemTime()
        ) { label, rate, recorder in
            display.begin(label, rate, recorder)
        }
        let (measurements, saturation) = try await session.run(plan)
        watching.cancel()
        await watching.value
        let endpoint = clients[0].endpoint
        for client in clients { await client.close() }
        return LoadReport(
            setting: setting(status, endpoint: endpoint, began: began, objective: objective),
            measurements: measurements, saturation: saturation)
    }

    private func setting(
        _ status: ClusterStatus, endpoint: String, began: Timestamp, objective: Objective?
    ) -> LoadReport.Setting {
        let asked = status.indexes.filter { index in
            settings.indexes.isEmpty || settings.indexes.contains { $0.text == index.name }
        }
        var objective = objective
        if case .saturation(let bound, _, _) = plan { objective = bound }
        return LoadReport.Setting(
            began: began.description, endpoint: endpoint, workload: settings.workload.name,
            seed: settings.seed, version: Fresnel.software, host: Machine.hostName,
            processors: Machine.processorCount, workers: status.workers.count,
            shards: asked.reduce(0) { $0 + $1.shards.count },
            documents: asked.reduce(0) { $0 + $1.documents }, plan: plan.text,
            objective: objective?.description)
    }
}
