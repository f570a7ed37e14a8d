import CZeroMQ
import Glibc

// A socket's file outlives its process, and binding needs the name free. What is removed for that
// has to be a socket of this user that nobody listens on: a file of anybody, a directory, or the
// socket of a program that runs stays, and the caller hears of it.

/// What stands at a path where a socket shall listen.
enum SocketPath {
    /// Removes what a former process of ours left; refuses everything else that is there.
    static func clear(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard case .ipc(let path) = endpoint.transport, !path.hasPrefix("@") else { return }
        guard try isAbandoned(path, endpoint) else { return }
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw .call("unlink", ErrorNumber(rawValue: errno), subject: "\(endpoint)")
        }
    }

    /// Refuses what is there unless `clear` may remove it; changes nothing.
    static func check(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard case .ipc(let path) = endpoint.transport, !path.hasPrefix("@") else { return }
        _ = try isAbandoned(path, endpoint)
    }

    /// Whether a socket of this user is there that nobody listens on; false where nothing is.
    private static func isAbandoned(
        _ path: String, _ endpoint: Endpoint
    ) throws(ZeroMQError) -> Bool {
        var status = stat()
        // The path is read and the structure written during the call; a link is not followed.
        guard unsafe lstat(path, &status) == 0 else {
            // Where the path cannot be looked at, binding says why.
            return false
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw .occupied(
                endpoint,
                "\(path) is there and is no socket; nothing was changed: name another path")
        }
        guard try !isListening(endpoint) else {
            throw .occupied(
                endpoint,
                "another process listens there; nothing was changed: stop it, or name another path")
        }
        guard status.st_uid == geteuid() else {
            throw .occupied(
                endpoint,
                "\(path) is another user's socket; nothing was changed: remove it, or name another "
                    + "path")
        }
        return true
    }

    /// Whether somebody takes connections there.
    private static func isListening(_ endpoint: Endpoint) throws(ZeroMQError) -> Bool {
        guard let address = SocketAddress(endpoint) else { return false }
        for kind in [SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET] {
            let descriptor = socket(AF_UNIX, Int32(kind.rawValue) | fresnel_socket_flags(), 0)
            guard descriptor >= 0 else {
                throw .call("socket", ErrorNumber(rawValue: errno), subject: "\(endpoint)")
            }
            defer { close(descriptor) }
            guard address.apply(.connect, to: descriptor) != 0 else { return true }
            // Refused is the answer of a socket without a process; of another kind, that of one
            // that has to be asked otherwise. Everything else is not known to be dead.
            guard errno == ECONNREFUSED || errno == EPROTOTYPE else { return errno != ENOENT }
        }
        return false
    }
}

extension Endpoint {
    /// Refuses to listen here where something is in the way that must not be removed: a file, or
    /// the socket of a process that runs.
    package func requireFree() throws(ZeroMQError) { try SocketPath.check(self) }
}
