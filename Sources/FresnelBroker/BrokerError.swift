package import FresnelCluster
package import FresnelSystem
package import ZeroMQ

/// Why a broker did not start, or stopped.
package enum BrokerError: Error, CustomStringConvertible, Sendable {
    case plaintext(Endpoint)
    case storage(SystemError)
    /// What clients ask cannot be written down where it should be.
    case queryLog(String, SystemError)
    /// A file that is no query log is where one shall be written.
    case noQueryLog(String)
    case state(path: String, ClusterStateError)
    case sockets(ZeroMQError)
    case directoryOfWorker(String)
    case socketInUse(Endpoint, SystemError)

    package var description: String {
        switch self {
        case .plaintext(let endpoint):
            """
            \(endpoint) is reachable from other machines and nothing is encrypted yet; listen on \
            127.0.0.1, or accept the risk with --insecure
            """
        case .storage(let error): error.description
        case .queryLog(let path, let error):
            """
            the query log \(path) cannot be written: \(error); name a file in a directory that is \
            there
            """
        case .noQueryLog(let path):
            """
            \(path) is there and is no query log; nothing was changed: name another file with \
            --query-log
            """
        case .state(let path, let error): "\(path): \(error)"
        case .sockets(let error): error.description
        case .socketInUse(let endpoint, let error):
            "\(endpoint) is listened on by another broker, or its lock cannot be taken: \(error)"
        case .directoryOfWorker(let directory):
            """
            \(directory) belongs to a worker: it holds worker-name; give the broker a directory of \
            its own with --data
            """
        }
    }
}
