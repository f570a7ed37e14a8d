import FresnelJSON

/// Where a broker listens, as it tells its supervisor in its first line of output.
struct ClusterDoors: Sendable {
    let clients: String
    let workers: String

    init(clients: String, workers: String) {
        self.clients = clients
        self.workers = workers
    }

    /// Reads the line; nil when it is something else.
    init?(line: String) {
        // A line that is no JSON is something else.
        guard let json = try? JSONValue(parsing: line), let clients = json["clients"]?.string,
            let workers = json["workers"]?.string
        else { return nil }
        self.init(clients: clients, workers: workers)
    }

    /// The line.
    var line: String {
        let json: JSONValue = ["clients": .string(clients), "workers": .string(workers)]
        return json.serialized()
    }
}
