import Testing
import ZeroMQ

@Suite("CURVE keys")
struct CurveKeyTests {
    @Test("The installed libzmq has CURVE")
    func available() {
        #expect(Library.has("curve"))
    }

    @Test("The example of ZeroMQ RFC 32 encodes and decodes")
    func z85Example() {
        let bytes: [UInt8] = [0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B]
        #expect(Z85.encode(bytes) == "HelloWorld")
        #expect(Z85.decode("HelloWorld") == bytes)
    }

    @Test(
        "Text that is not Z85 is refused", arguments: ["abcd", "#####", "ab de", "abcdé", "~~~~~"])
    func notZ85(text: String) {
        #expect(Z85.decode(text) == nil)
    }

    @Test("A generated pair reads back, and its secret half gives its public half")
    func generated() throws {
        let keys = try CurveKeyPair.generate()
        #expect(try CurveKey(z85: keys.publicKey.description) == keys.publicKey)
        let secret = try CurveSecretKey(z85: keys.secretKey.z85)
        #expect(secret == keys.secretKey)
        #expect(try CurveKeyPair(secretKey: secret) == keys)
        #expect(try CurveKeyPair.generate() != keys)
    }

    @Test("A key of the wrong length is refused", arguments: [0, 4, 28, 36])
    func wrongLength(count: Int) {
        let error = #expect(throws: ZeroMQError.self) {
            try CurveKey(bytes: [UInt8](repeating: 1, count: count))
        }
        #expect(error?.description.contains("40 characters") == true)
    }
}
