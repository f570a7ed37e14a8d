package import FresnelSnapshot
package import FresnelSystem

/// Who asks an S3-compatible store, and where that is: from the environment, under the names that
/// the tools of AWS use, never from a command line.
package struct S3Identity: Sendable {
    let key: String
    let secret: String
    let token: String?
    let region: String
    /// Scheme, host and port; nil for AWS itself.
    let endpoint: String?
    /// A file of certificates to trust instead of the system's.
    let authorities: String?

    /// Headers of every request.
    var headers: [String] {
        // Without this, libcurl would call a body a form.
        ["Content-Type: application/octet-stream"]
            + (token.map { ["x-amz-security-token: \($0)"] } ?? [])
    }

    /// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, or the profile
    /// `AWS_PROFILE` of `AWS_SHARED_CREDENTIALS_FILE` (by default `~/.aws/credentials`);
    /// `AWS_REGION`, `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`, and `AWS_CA_BUNDLE`.
    ///
    /// - Parameter variable: a variable of the environment, nil when it is not set.
    package init(
        _ variable: (String) -> String?, storage: any Storage
    ) throws(SnapshotError) {
        func value(_ name: String) -> String? {
            variable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        region = value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? "us-east-1"
        authorities = value("AWS_CA_BUNDLE")
        endpoint = try Self.checked(value("AWS_ENDPOINT_URL_S3") ?? value("AWS_ENDPOINT_URL"))
        if let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
            self.key = key
            self.secret = secret
            token = value("AWS_SESSION_TOKEN")
        } else {
            let profile = try Self.profile(value, storage)
            guard let key = profile["aws_access_key_id"],
                let secret = profile["aws_secret_access_key"]
            else {
                throw .setting(
                    "AWS_ACCESS_KEY_ID",
                    reason: "no credentials: set it and AWS_SECRET_ACCESS_KEY in the environment "
                        + "of this process, or name a file by AWS_SHARED_CREDENTIALS_FILE")
            }
            self.key = key
            self.secret = secret
            token = profile["aws_session_token"]
        }
        for (name, text) in [
            ("AWS_ACCESS_KEY_ID", key), ("AWS_SECRET_ACCESS_KEY", secret),
            ("AWS_SESSION_TOKEN", token ?? ""), ("AWS_REGION", region),
        ] where text.unicodeScalars.contains(where: { $0.value <= 32 || $0.value > 126 }) {
            throw .setting(name, reason: "it has spaces or control characters; set it anew")
        }
    }

    private static func checked(_ endpoint: String?) throws(SnapshotError) -> String? {
        guard var endpoint else { return nil }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        let isPlain = endpoint.unicodeScalars.allSatisfy { $0.value > 32 && $0.value < 127 }
        guard isPlain, endpoint.hasPrefix("https://") || endpoint.hasPrefix("http://"),
            !endpoint.contains("?"), !endpoint.contains("@"), !endpoint.contains("#")
        else {
            throw .setting(
                "AWS_ENDPOINT_URL", reason: "\"\(endpoint)\" is not https://HOST or http://HOST")
        }
        return endpoint
    }

    /// The keys of one section of a credentials file: `[name]`, then `key = value` lines.
    private static func profile(
        _ value: (String) -> String?, _ storage: any Storage
    ) throws(SnapshotError) -> [String: String] {
        let home = value("HOME").map { FilePath.join($0, ".aws/credentials") }
        guard let path = value("AWS_SHARED_CREDENTIALS_FILE") ?? home else { return [:] }
        let bytes: [UInt8]
        do throws(SystemError) {
            guard try storage.size(of: path) != nil else { return [:] }
            bytes = try storage.read(path)
        } catch {
            throw .system(error)
        }
        let wanted = value("AWS_PROFILE") ?? "default"
        var section = ""
        var keys: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast()).trimmed
            } else if section == wanted, let sign = line.firstIndex(of: "=") {
                let name = String(line[..<sign]).trimmed
                keys[name] = String(line[line.index(after: sign)...]).trimmed
            }
        }
        return keys
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
