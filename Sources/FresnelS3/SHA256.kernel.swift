import CCrypto
import FresnelSystem

/// SHA-256 by OpenSSL's libcrypto: what S3 demands beside the signature, and compares with the
/// bytes that arrive.
///
/// libcurl 7.88 signs the header where it is given, and does not make it.
enum SHA256 {
    /// 64 hexadecimal digits; nil when the library refuses, as where a policy forbids the hash.
    static func digits(of bytes: SharedBytes?) -> String? {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let source = bytes ?? SharedBytes()
        // The library reads `count` bytes and writes 32; both places outlive the call.
        let code = unsafe digest.withUnsafeMutableBufferPointer { target in
            withExtendedLifetime(source) {
                let start = unsafe source.unsafeBytes.baseAddress
                return unsafe EVP_Digest(
                    start, source.count, target.baseAddress, &length, EVP_sha256(), nil)
            }
        }
        guard code == 1, length == 32 else { return nil }
        return digest.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
