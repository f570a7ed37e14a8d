import Foundation
import Glibc
import Testing

@testable import ZeroMQ

@Suite("Paths where sockets listen")
struct SocketPathTests {
    /// A path in a directory of its own, removed with it.
    private final class Place {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("fresnel-path-\(UUID().uuidString.prefix(8))")
        var path: String { folder.appendingPathComponent("a socket").path }
        var endpoint: Endpoint { Endpoint(.ipc(path: path)) }

        init() throws {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        }

        deinit {
            // What cannot be removed stays in the directory for temporary files.
            try? FileManager.default.removeItem(at: folder)
        }

        /// What is at the path: its number, and its bytes where it is a file; nil for nothing.
        var contents: [Int]? {
            // Nothing there has no attributes.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let number = attributes?[.systemFileNumber] as? Int,
                let bytes = attributes?[.size] as? Int
            else { return nil }
            return [number, bytes]
        }

        func remove() throws { try FileManager.default.removeItem(atPath: path) }
    }

    private func listen(_ desk: Desk, _ place: Place) throws -> SocketID {
        try desk.poller.listen(.quiet(.router), on: place.endpoint, in: desk.context).0
    }

    private func isRefused(_ place: Place, because reason: String) throws -> Bool {
        let desk = try Desk()
        let before = place.contents
        for listens in [true, false] {
            let error = #expect(throws: ZeroMQError.self) {
                if listens { _ = try listen(desk, place) } else { try place.endpoint.requireFree() }
            }
            guard "\(error.debugDescription)".contains(reason) else { return false }
        }
        desk.poller.closeAll()
        return before == place.contents
    }

    @Test("A file or a directory in the way stays, and is named")
    func files() throws {
        let place = try Place()
        try Data("the only copy".utf8).write(to: URL(fileURLWithPath: place.path))
        #expect(try isRefused(place, because: "\(place.path) is there and is no socket"))
        try place.remove()
        try FileManager.default.createDirectory(
            atPath: place.path, withIntermediateDirectories: false)
        #expect(try isRefused(place, because: "is there and is no socket"))
        try place.remove()
        try FileManager.default.createSymbolicLink(
            atPath: place.path, withDestinationPath: "/etc/hostname")
        #expect(try isRefused(place, because: "is there and is no socket"))
    }

    @Test("A socket on which somebody listens stays", arguments: [SOCK_STREAM, SOCK_DGRAM])
    func live(kind: __socket_type) throws {
        let place = try Place()
        let other = socket(AF_UNIX, Int32(kind.rawValue), 0)
        defer { close(other) }
        let address = try #require(SocketAddress(place.endpoint))
        #expect(address.apply(.bind, to: other) == 0)
        if kind == SOCK_STREAM { #expect(Glibc.listen(other, 1) == 0) }
        #expect(try isRefused(place, because: "another process listens there"))
    }

    @Test("A socket that a dead process left is replaced, and removed at the end")
    func dead() throws {
        let place = try Place()
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let address = try #require(SocketAddress(place.endpoint))
        #expect(address.apply(.bind, to: other) == 0)
        #expect(Glibc.listen(other, 1) == 0)
        close(other)
        #expect(place.contents != nil)
        let desk = try Desk()
        let router = try listen(desk, place)
        let dealer = try desk.poller.connect(.quiet(.dealer), to: place.endpoint, in: desk.context)
        try desk.deliver([text("found")], on: dealer)
        try desk.turn { desk.count(router) == 1 }
        desk.poller.closeAll()
        #expect(place.contents == nil)
    }
}
