/// The public half of a CURVE key pair: the name of a peer.
package struct CurveKey: Hashable, Sendable {
    /// 32 bytes.
    package let bytes: [UInt8]

    /// Takes the 32 bytes as they stand in an authentication request.
    package init(bytes: [UInt8]) throws(ZeroMQError) {
        self.bytes = try checkedKeyBytes(bytes)
    }

    /// Takes the 40 characters that people exchange.
    package init(z85: String) throws(ZeroMQError) {
        bytes = try checkedKeyBytes(Z85.decode(z85))
    }
}

extension CurveKey: CustomStringConvertible {
    /// The 40 characters.
    package var description: String { Z85.encode(bytes) }
}

/// The secret half of a CURVE key pair; its text is available only by asking for it.
package struct CurveSecretKey: Hashable, Sendable {
    let bytes: [UInt8]

    /// Takes the 40 characters of a key file.
    package init(z85: String) throws(ZeroMQError) {
        bytes = try checkedKeyBytes(Z85.decode(z85))
    }

    /// The 40 characters, for writing a key file that nobody else can read.
    package var z85: String { Z85.encode(bytes) }
}

extension CurveSecretKey: CustomStringConvertible, CustomReflectable {
    /// Nothing of the key, so that no log shows it.
    package var description: String { "CurveSecretKey(…)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Both halves.
package struct CurveKeyPair: Hashable, Sendable {
    package let publicKey: CurveKey
    package let secretKey: CurveSecretKey

    package init(publicKey: CurveKey, secretKey: CurveSecretKey) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }
}

private func checkedKeyBytes(_ bytes: [UInt8]?) throws(ZeroMQError) -> [UInt8] {
    guard let bytes else { throw .invalidKey(reason: "the text is not Z85") }
    guard bytes.count == 32 else {
        throw .invalidKey(reason: "it has \(bytes.count) bytes instead of 32")
    }
    return bytes
}
