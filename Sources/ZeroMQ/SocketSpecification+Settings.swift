import CZeroMQ

/// One option with the value it shall have.
struct OptionSetting: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case int32(Int32)
        case int64(Int64)
        case uint64(UInt64)
        case text(String)
        /// Read back as a C string of Z85, never shown.
        case key([UInt8])
    }

    let number: Int32
    let name: String
    let value: Value
    /// libzmq 4.3.4 offers no way to read some options back; behaviour tests cover these.
    var isReadable = true
}

extension SocketSpecification {
    /// The option that makes an authentication domain binding.
    ///
    /// Debian's build takes the number although only the draft interface names it. Without it
    /// a missing authentication handler lets everybody in.
    static let enforceDomain: Int32 = 93

    /// All options, in the order in which they are set.
    var settings: [OptionSetting] {
        common + ofKind + transport + timers + security.settings
    }

    private var common: [OptionSetting] {
        let frameBytes = Int64(maximumFrameBytes + Self.curveFramingBytes)
        return [
            .init(ZMQ_SNDTIMEO, "SNDTIMEO", .int32(0)),
            .init(ZMQ_RCVTIMEO, "RCVTIMEO", .int32(0)),
            .init(ZMQ_SNDHWM, "SNDHWM", .int32(Int32(clamping: sendQueueMessages))),
            .init(ZMQ_RCVHWM, "RCVHWM", .int32(Int32(clamping: receiveQueueMessages))),
            .init(ZMQ_MAXMSGSIZE, "MAXMSGSIZE", .int64(frameBytes)),
            .init(ZMQ_LINGER, "LINGER", .int32(linger.milliseconds32)),
            .init(ZMQ_AFFINITY, "AFFINITY", .uint64(ioThreadMask)),
            .init(ZMQ_IPV6, "IPV6", .int32(allowsIPv6 ? 1 : 0)),
            .init(ZMQ_BACKLOG, "BACKLOG", .int32(Int32(clamping: backlog))),
        ]
    }

    private var ofKind: [OptionSetting] {
        switch kind {
        case .router:
            [
                .init(
                    ZMQ_ROUTER_MANDATORY, "ROUTER_MANDATORY", .int32(isMandatory ? 1 : 0),
                    isReadable: false),
                // A peer that claims the routing id of another must never get its messages.
                .init(ZMQ_ROUTER_HANDOVER, "ROUTER_HANDOVER", .int32(0), isReadable: false),
            ]
        case .dealer:
            [
                .init(
                    ZMQ_PROBE_ROUTER, "PROBE_ROUTER", .int32(probesRouter ? 1 : 0),
                    isReadable: false),
                .init(ZMQ_IMMEDIATE, "IMMEDIATE", .int32(needsConnection ? 1 : 0)),
            ]
        case .reply, .pair: []
        }
    }

    private var transport: [OptionSetting] {
        var settings: [OptionSetting] = [
            .init(
                ZMQ_TCP_MAXRT, "TCP_MAXRT",
                .int32(retransmissionTimeout?.milliseconds32 ?? 0)),
            .init(ZMQ_TCP_KEEPALIVE, "TCP_KEEPALIVE", .int32(keepAlive == nil ? 0 : 1)),
        ]
        if let keepAlive {
            settings += [
                .init(ZMQ_TCP_KEEPALIVE_IDLE, "TCP_KEEPALIVE_IDLE", .int32(keepAlive.idleSeconds)),
                .init(
                    ZMQ_TCP_KEEPALIVE_INTVL, "TCP_KEEPALIVE_INTVL",
                    .int32(keepAlive.intervalSeconds)),
                .init(ZMQ_TCP_KEEPALIVE_CNT, "TCP_KEEPALIVE_CNT", .int32(keepAlive.count)),
            ]
        }
        return settings
    }

    private var timers: [OptionSetting] {
        var settings: [OptionSetting] = [
            .init(ZMQ_HANDSHAKE_IVL, "HANDSHAKE_IVL", .int32(handshakeTimeout.milliseconds32)),
            .init(ZMQ_CONNECT_TIMEOUT, "CONNECT_TIMEOUT", .int32(connectTimeout.milliseconds32)),
            .init(ZMQ_RECONNECT_IVL, "RECONNECT_IVL", .int32(reconnect.first.milliseconds32)),
            .init(
                ZMQ_RECONNECT_IVL_MAX, "RECONNECT_IVL_MAX",
                .int32(reconnect.longest.milliseconds32)),
        ]
        if let heartbeat {
            settings += [
                .init(
                    ZMQ_HEARTBEAT_IVL, "HEARTBEAT_IVL", .int32(heartbeat.interval.milliseconds32)),
                .init(
                    ZMQ_HEARTBEAT_TIMEOUT, "HEARTBEAT_TIMEOUT",
                    .int32(heartbeat.timeout.milliseconds32)),
                .init(
                    ZMQ_HEARTBEAT_TTL, "HEARTBEAT_TTL",
                    .int32(heartbeat.timeToLive.milliseconds32)),
            ]
        }
        return settings
    }
}

extension Security {
    fileprivate var settings: [OptionSetting] {
        switch self {
        case .plain: []
        case .curveServer(let secret, let domain):
            [
                .init(ZMQ_CURVE_SERVER, "CURVE_SERVER", .int32(1)),
                .init(ZMQ_CURVE_SECRETKEY, "CURVE_SECRETKEY", .key(secret.bytes)),
                .init(ZMQ_ZAP_DOMAIN, "ZAP_DOMAIN", .text(domain)),
                .init(SocketSpecification.enforceDomain, "ZAP_ENFORCE_DOMAIN", .int32(1)),
            ]
        case .curveClient(let keys, let server):
            [
                .init(ZMQ_CURVE_SERVERKEY, "CURVE_SERVERKEY", .key(server.bytes)),
                .init(ZMQ_CURVE_PUBLICKEY, "CURVE_PUBLICKEY", .key(keys.publicKey.bytes)),
                .init(ZMQ_CURVE_SECRETKEY, "CURVE_SECRETKEY", .key(keys.secretKey.bytes)),
            ]
        }
    }
}

extension OptionSetting {
    init(_ number: Int32, _ name: String, _ value: Value, isReadable: Bool = true) {
        self.number = number
        self.name = name
        self.value = value
        self.isReadable = isReadable
    }
}

extension OptionSetting.Value: CustomStringConvertible {
    var description: String {
        switch self {
        case .int32(let number): String(number)
        case .int64(let number): String(number)
        case .uint64(let number): String(number)
        case .text(let text): "\"\(text)\""
        case .key: "(a key)"
        }
    }
}
