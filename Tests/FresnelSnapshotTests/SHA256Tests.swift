import FresnelSystem
import Testing

@testable import FresnelS3

@Suite("SHA-256 of what is sent to S3")
struct SHA256Tests {
    // The examples of FIPS 180-4 and its predecessors.
    @Test(
        "has the digests of the standard",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func standard(text: String, count: Int, digits: String) {
        let bytes = [[UInt8]](repeating: Array(text.utf8), count: count).flatMap(\.self)
        #expect(SHA256.digits(of: SharedBytes(bytes)) == digits)
    }

    @Test("of no bytes is that of an empty text, and of a part that of its bytes alone")
    func parts() {
        #expect(SHA256.digits(of: nil) == SHA256.digits(of: SharedBytes()))
        let bytes = SharedBytes(Array("xxabcyy".utf8))
        let alone = SHA256.digits(of: SharedBytes(Array("abc".utf8)))
        #expect(SHA256.digits(of: bytes.slice(2..<5)) == alone)
        #expect(SHA256.digits(of: bytes) != alone)
    }
}
