package import FresnelSnapshot
package import FresnelSystem

/// A store in a bucket of an S3-compatible service.
///
/// An object of S3 is there whole or not at all, and durable when PUT is answered, which is what a
/// store promises; that a name is free is demanded by `If-None-Match`, beside being looked up.
package struct S3Store: SnapshotStore {
    package let location: StoreLocation
    private let bucket: String
    private let prefix: String
    private let identity: S3Identity

    /// Bytes that one PUT may have, by the rules of S3.
    private static let limitBytes: UInt64 = 5 << 30
    /// Tries of a request that failed by chance.
    private static let tries = 3

    package init(
        bucket: String, prefix: String, _ location: StoreLocation, as identity: S3Identity
    ) {
        self.bucket = bucket
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        self.location = location
        self.identity = identity
    }

    package func put(_ name: String, _ bytes: SharedBytes) throws(SnapshotError) -> Bool {
        guard UInt64(bytes.count) <= Self.limitBytes else {
            throw .tooLarge(object: name, bytes: UInt64(bytes.count), limit: Self.limitBytes)
        }
        guard try size(of: name) == nil else { return false }
        var request = HTTPRequest(method: "PUT", url: url(of: name))
        request.body = bytes
        request.headers = ["If-None-Match: *"]
        let answer = try ask(request, about: name)
        switch answer.status {
        case 200..<300: return true
        // Another PUT of the name is under way, or was first.
        case 409, 412: return false
        // A service that does not know the condition: the look above has to do.
        case 501:
            request.headers = []
            let second = try ask(request, about: name)
            guard (200..<300).contains(second.status) else {
                throw refusal(of: second, "PUT \(name)")
            }
            return true
        default: throw refusal(of: answer, "PUT \(name)")
        }
    }

    package func size(of name: String) throws(SnapshotError) -> UInt64? {
        let answer = try ask(HTTPRequest(method: "HEAD", url: url(of: name)), about: name)
        switch answer.status {
        case 200..<300:
            guard let length = answer.length else {
                throw .refused(request: "HEAD \(name)", reason: "the answer names no length")
            }
            return length
        // HEAD has no body that says whether it is the object or the bucket that is missing.
        case 404: return try requireBucket()
        default: throw try explained(answer, "HEAD \(name)")
        }
    }

    package func read(
        _ name: String, from offset: UInt64, count: Int
    ) throws(SnapshotError) -> [UInt8] {
        guard count > 0 else { return [] }
        var request = HTTPRequest(url: url(of: name))
        request.range = "\(offset)-\(offset + UInt64(count) - 1)"
        request.limitBytes = count + (64 << 10)
        let answer = try ask(request, about: name)
        switch answer.status {
        case 206: return Array(answer.body.prefix(count))
        // The range was not looked at: only a small object comes whole through the limit.
        case 200: return Array(answer.body.dropFirst(Int(clamping: offset)).prefix(count))
        case 416: return []
        case 404 where S3Answer(answer.body).code != "NoSuchBucket":
            throw .missing(object: name, store: location.text)
        default: throw refusal(of: answer, "GET \(name)")
        }
    }

    package func list(_ prefix: String) throws(SnapshotError) -> [ListedObject] {
        var objects: [ListedObject] = []
        while true {
            let answer = try list(prefix, after: objects.last?.name)
            let page = S3Answer(answer)
            objects += page.objects.compactMap { object in
                guard object.name.hasPrefix(self.prefix + prefix) else { return nil }
                let name = String(object.name.dropFirst(self.prefix.count))
                return ListedObject(name: name, bytes: object.bytes)
            }
            guard page.isTruncated, !page.objects.isEmpty else { return objects }
        }
    }

    package func remove(_ name: String) throws(SnapshotError) {
        let answer = try ask(HTTPRequest(method: "DELETE", url: url(of: name)), about: name)
        switch answer.status {
        case 200..<300: return
        case 404 where S3Answer(answer.body).code != "NoSuchBucket": return
        default: throw refusal(of: answer, "DELETE \(name)")
        }
    }

    /// One page of a list; the parameters are in the order that the signature demands.
    private func list(_ prefix: String, after name: String?) throws(SnapshotError) -> [UInt8] {
        var query = "list-type=2&max-keys=1000&prefix=\(Self.escaped(self.prefix + prefix))"
        if let name { query += "&start-after=\(Self.escaped(self.prefix + name))" }
        let answer = try ask(HTTPRequest(url: "\(base)?\(query)"), about: prefix)
        guard (200..<300).contains(answer.status) else {
            throw refusal(of: answer, "the list of \(prefix)")
        }
        return answer.body
    }

    /// - Returns: nil.
    /// - Throws: `missingBucket`, or why it cannot be looked at.
    private func requireBucket() throws(SnapshotError) -> UInt64? {
        _ = try list(StoredObject.manifests, after: "~")
        return nil
    }

    /// What is wrong, by a request whose answer has a body.
    private func explained(
        _ answer: HTTPAnswer, _ request: String
    ) throws(SnapshotError) -> SnapshotError {
        _ = try requireBucket()
        return refusal(of: answer, request)
    }

    private func refusal(of answer: HTTPAnswer, _ request: String) -> SnapshotError {
        let said = S3Answer(answer.body)
        let reason =
            ["HTTP \(answer.status)", said.code, said.message].compactMap { $0 }
            .joined(separator: ", ")
        switch (answer.status, said.code) {
        case (_, "NoSuchBucket"?): return .missingBucket(location.text, reason: reason)
        case (401, _), (403, _): return .denied(store: location.text, reason: reason)
        case (301, _), (307, _), (400, "AuthorizationHeaderMalformed"?):
            return .setting(
                "AWS_REGION", reason: "the bucket of \(location) is elsewhere (\(reason))")
        default: return .refused(request: "\(request) in \(location)", reason: reason)
        }
    }

    /// Asks, and once more what failed by chance: every request may be repeated.
    private func ask(_ request: HTTPRequest, about name: String) throws(SnapshotError) -> HTTPAnswer
    {
        var last = ""
        for _ in 0..<Self.tries {
            do throws(HTTPFailure) {
                let answer = try request.perform(as: identity)
                guard [500, 502, 503, 504].contains(answer.status) else { return answer }
                last = "HTTP \(answer.status) \(S3Answer(answer.body).message ?? "")"
            } catch {
                last = error.reason
                guard error.isPassing else { break }
            }
        }
        throw .unreachable(base, reason: last)
    }

    /// By path where an endpoint is named, or the bucket's name has dots, which no certificate
    /// covers; else by host.
    private var base: String {
        if let endpoint = identity.endpoint { return "\(endpoint)/\(bucket)" }
        let host = "s3.\(identity.region).amazonaws.com"
        return bucket.contains(".") ? "https://\(host)/\(bucket)" : "https://\(bucket).\(host)"
    }

    /// Names and prefixes are made of letters that a path holds as they are (`StoreLocation`).
    private func url(of name: String) -> String { "\(base)/\(prefix)\(name)" }

    private static func escaped(_ text: String) -> String {
        text.replacing("/", with: "%2F")
    }
}
