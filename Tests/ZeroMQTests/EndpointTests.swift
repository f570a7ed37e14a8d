import Testing
@testable import ZeroMQ

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        "An endpoint reads back as it was written",
        arguments: [
            "tcp://127.0.0.1:7700", "tcp://broker.example:1", "tcp://[::1]:65535", "tcp://*:7700",
            "tcp://127.0.0.1:*", "ipc:///run/broker.sock", "ipc://@broker", "inproc://name",
            "ipc:///my data/a\tb%20*@é.socket",
        ])
    func readsBack(text: String) throws {
        #expect(try Endpoint(text).description == text)
    }

    @Test("Port 0 lets the system choose, as * does")
    func portZero() throws {
        #expect(try Endpoint("tcp://127.0.0.1:0") == Endpoint("tcp://127.0.0.1:*"))
    }

    @Test(
        "Text that is no endpoint is refused with the reason",
        arguments: [
            ("", "\"://\""), ("127.0.0.1:7700", "\"://\""), ("tcp://", "nothing"),
            ("tcp://host", "port is missing"), ("tcp://:7700", "no host"),
            ("tcp://host:port", "no port"), ("tcp://host:65536", "no port"),
            ("tcp://host:+1", "no port"), ("tcp://::1:7700", "no host"), ("udp://a:1", "unknown"),
            ("tcp://a b:1", "blank"), ("ipc:///a\0b", "control character"),
            ("ipc://" + String(repeating: "x", count: 108), "107"),
        ])
    func refuses(text: String, reason: String) {
        let error = #expect(throws: ZeroMQError.self) { try Endpoint(text) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(
        "An address without its transport, or with another one, is named as it has to be",
        arguments: [
            ("127.0.0.1:7700", "tcp://127.0.0.1:7700"),
            ("http://search:7700/", "tcp://search:7700"), ("tpc://[::1]:1", "tcp://[::1]:1"),
            ("localhost", nil), ("https://host", nil), ("", nil), ("/var/run/fresnel", nil),
        ])
    func meant(text: String, meant: String?) {
        let error = #expect(throws: ZeroMQError.self) { try Endpoint(text) }
        let advice = meant.map { "did you mean \($0)" } ?? "write tcp://host:port"
        #expect(error?.description.hasSuffix("; \(advice)") == (meant != nil))
        #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
    }

    @Test(
        "Only addresses of this host are loopback",
        arguments: [
            ("tcp://127.0.0.1:1", true), ("tcp://127.8.8.8:1", true), ("tcp://[::1]:1", true),
            ("tcp://localhost:1", true), ("ipc://path", true), ("inproc://name", true),
            ("tcp://0.0.0.0:1", false), ("tcp://*:1", false), ("tcp://10.0.0.1:1", false),
            ("tcp://127.0.0.1.example:1", false), ("tcp://[::]:1", false),
            ("tcp://127.example.0.1:1", false),
        ])
    func loopback(text: String, expected: Bool) throws {
        #expect(try Endpoint(text).isLoopback == expected)
    }

    @Test(
        "A connection on the loopback lets its own port be listened on",
        arguments: [
            ("tcp://127.0.0.1:7700", "tcp://127.0.0.1:0;127.0.0.1:7700"),
            ("tcp://localhost:7700", "tcp://127.0.0.1:0;localhost:7700"),
            ("tcp://127.9.0.2:7700", "tcp://127.9.0.2:0;127.9.0.2:7700"),
            ("tcp://[::1]:7700", "tcp://[::1]:0;[::1]:7700"),
            ("tcp://search.example:7700", "tcp://search.example:7700"),
            ("tcp://10.0.0.1:7700", "tcp://10.0.0.1:7700"), ("ipc:///tmp/a", "ipc:///tmp/a"),
        ])
    func outgoing(text: String, connected: String) throws {
        #expect(try Endpoint(text).outgoing == connected)
    }
}
