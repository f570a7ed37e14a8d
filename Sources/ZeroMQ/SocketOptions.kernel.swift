import CZeroMQ

/// Sets the options of a fresh socket and reads them back.
enum SocketOptions {
    /// Sets every option in order; throws at the first that libzmq refuses or changes.
    static func apply(
        _ settings: [OptionSetting], to socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) {
        for setting in settings { try unsafe set(setting, on: socket) }
        for setting in settings where setting.isReadable { try unsafe check(setting, on: socket) }
    }

    /// Reads an option that is text.
    static func text(
        _ option: Int32, of socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) -> String {
        // The longest option is a path of 107 bytes or a domain of 255, with its zero.
        var buffer = [UInt8](repeating: 0, count: 512)
        var count = buffer.count
        guard unsafe zmq_getsockopt(socket, option, &buffer, &count) == 0 else {
            throw .last("zmq_getsockopt", "option \(option)")
        }
        return String(decoding: buffer.prefix(max(0, count - 1)), as: UTF8.self)
    }

    /// What libzmq says of a socket as it is now.
    static func number(
        _ option: Int32, _ name: String, of socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) -> Int32 {
        var number: Int32 = 0
        var count = MemoryLayout<Int32>.size
        guard unsafe zmq_getsockopt(socket, option, &number, &count) == 0 else {
            throw .last("zmq_getsockopt", name)
        }
        return number
    }

    private static func set(
        _ setting: OptionSetting, on socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) {
        // libzmq copies each value during the call.
        let status =
            switch setting.value {
            case .int32(let number): unsafe put(number, setting.number, socket)
            case .int64(let number): unsafe put(number, setting.number, socket)
            case .uint64(let number): unsafe put(number, setting.number, socket)
            case .text(let text):
                unsafe zmq_setsockopt(socket, setting.number, text, text.utf8.count)
            case .key(let bytes):
                unsafe zmq_setsockopt(socket, setting.number, bytes, bytes.count)
            }
        guard status == 0 else {
            throw .optionRefused(
                option: setting.name, wanted: setting.value.description,
                ErrorNumber(rawValue: zmq_errno()))
        }
    }

    private static func check(
        _ setting: OptionSetting, on socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) {
        let found: OptionSetting.Value
        switch setting.value {
        case .int32:
            found = .int32(try unsafe get(setting, 0, socket))
        case .int64:
            found = .int64(try unsafe get(setting, 0, socket))
        case .uint64:
            found = .uint64(try unsafe get(setting, 0, socket))
        case .text:
            found = .text(try unsafe text(setting.number, of: socket))
        case .key:
            found = .key(Z85.decode(try unsafe text41(setting, of: socket)) ?? [])
        }
        guard found == setting.value else {
            throw .optionDiffers(
                option: setting.name, wanted: setting.value.description,
                found: found.description)
        }
    }

    private static func put<Number: BitwiseCopyable>(
        _ number: Number, _ option: Int32, _ socket: UnsafeMutableRawPointer
    ) -> Int32 {
        unsafe withUnsafeBytes(of: number) { bytes in
            unsafe zmq_setsockopt(socket, option, bytes.baseAddress, bytes.count)
        }
    }

    private static func get<Number: BitwiseCopyable>(
        _ setting: OptionSetting, _ start: Number, _ socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) -> Number {
        var number = start
        var count = MemoryLayout<Number>.size
        guard unsafe zmq_getsockopt(socket, setting.number, &number, &count) == 0 else {
            throw .last("zmq_getsockopt", setting.name)
        }
        return number
    }

    /// A key as libzmq shows it: 40 characters and a zero, and only in a buffer of just that size.
    private static func text41(
        _ setting: OptionSetting, of socket: UnsafeMutableRawPointer
    ) throws(ZeroMQError) -> String {
        var buffer = [UInt8](repeating: 0, count: 41)
        var count = buffer.count
        guard unsafe zmq_getsockopt(socket, setting.number, &buffer, &count) == 0 else {
            throw .last("zmq_getsockopt", setting.name)
        }
        return String(decoding: buffer.prefix(40), as: UTF8.self)
    }
}
