import CZeroMQ

extension CurveKeyPair {
    /// Draws a new pair from libzmq's secure source.
    package static func generate() throws(ZeroMQError) -> CurveKeyPair {
        // libzmq writes 40 characters and a zero into each, and keeps no pointer.
        var publicText = [CChar](repeating: 0, count: 41)
        var secretText = [CChar](repeating: 0, count: 41)
        guard unsafe zmq_curve_keypair(&publicText, &secretText) == 0 else {
            throw .last("zmq_curve_keypair", "a libzmq without CURVE")
        }
        return CurveKeyPair(
            publicKey: try CurveKey(z85: text(publicText)),
            secretKey: try CurveSecretKey(z85: text(secretText)))
    }

    /// The pair to which a secret key belongs.
    package init(secretKey: CurveSecretKey) throws(ZeroMQError) {
        var publicText = [CChar](repeating: 0, count: 41)
        // The secret is read during the call only; libzmq writes 40 characters and a zero.
        guard unsafe zmq_curve_public(&publicText, secretKey.z85) == 0 else {
            throw .last("zmq_curve_public", "a secret key")
        }
        self.init(publicKey: try CurveKey(z85: Self.text(publicText)), secretKey: secretKey)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix(40).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
