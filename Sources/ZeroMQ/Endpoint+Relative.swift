extension Endpoint {
    /// The endpoint that listens beside this one: the next port, or the path with a suffix.
    package func neighbour(_ suffix: String) -> Endpoint {
        switch transport {
        case .tcp(let host, let port):
            Endpoint(.tcp(host: host, port: port.flatMap { $0 == .max ? nil : $0 + 1 }))
        case .ipc(let path):
            Endpoint(.ipc(path: "\(path).\(suffix)"))
        case .inproc(let name):
            Endpoint(.inproc(name: "\(name).\(suffix)"))
        }
    }

    /// Where a peer connects that reached the announcer at `known`: a wildcard host means "where
    /// you found me".
    package func reached(like known: Endpoint) -> Endpoint {
        guard case .tcp(let host, let port) = transport, Self.wildcards.contains(host),
            case .tcp(let knownHost, _) = known.transport
        else { return self }
        return Endpoint(.tcp(host: knownHost, port: port))
    }

    private static let wildcards: Set<String> = ["*", "0.0.0.0", "[::]", "::"]
}
