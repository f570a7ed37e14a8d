import CCurl
import FresnelSystem

// One HTTP request by libcurl, which signs it (AWS signature, version 4), speaks TLS, and waits.
// A handle belongs to one call; nothing is shared but what libcurl keeps for the process.

/// What is asked.
struct HTTPRequest {
    var method = "GET"
    /// With its query, which is in the order and the spelling that the signature demands: libcurl
    /// 7.88 signs it as it stands.
    var url: String
    var headers: [String] = []
    var body: SharedBytes?
    /// Bytes of the answer, `first-last`; nil for all.
    var range: String?
    /// Bytes that an answer may have.
    var limitBytes = 64 << 20
}

/// What was answered.
struct HTTPAnswer {
    var status: Int
    var body: [UInt8]
    /// What the answer says of its length; nil where it does not.
    var length: UInt64?
}

/// Why there is no answer.
struct HTTPFailure: Error {
    let reason: String
    /// Whether the same may succeed in a moment.
    let isPassing: Bool
}

extension HTTPRequest {
    /// Asks, and waits for the answer.
    func perform(as identity: S3Identity) throws(HTTPFailure) -> HTTPAnswer {
        guard Self.isReady, let handle = unsafe curl_easy_init() else {
            throw HTTPFailure(reason: "libcurl cannot start", isPassing: false)
        }
        defer { unsafe curl_easy_cleanup(handle) }
        let sink = AnswerSink(limit: limitBytes)
        var list: UnsafeMutablePointer<curl_slist>?
        defer { unsafe curl_slist_free_all(list) }
        guard let digest = SHA256.digits(of: body) else {
            throw HTTPFailure(reason: "libcrypto has no SHA-256 here", isPassing: false)
        }
        for header in headers + identity.headers + ["x-amz-content-sha256: \(digest)"] {
            // The list copies the text.
            unsafe list = curl_slist_append(list, header)
        }
        unsafe set(handle, identity)
        _ = unsafe fresnel_curl_set_headers(handle, list)
        // The sink outlives the call below.
        let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
        _ = unsafe fresnel_curl_set_writer(handle, AnswerSink.write, context)
        let code = withExtendedLifetime((sink, body)) { unsafe curl_easy_perform(handle) }
        guard code == CURLE_OK else {
            if sink.isOverfull {
                throw HTTPFailure(reason: "the answer is too long", isPassing: false)
            }
            let text = unsafe String(cString: curl_easy_strerror(code))
            throw HTTPFailure(reason: text, isPassing: Self.passing.contains(code.rawValue))
        }
        let length = unsafe fresnel_curl_length(handle)
        return HTTPAnswer(
            status: unsafe Int(fresnel_curl_status(handle)), body: sink.bytes,
            length: length >= 0 ? UInt64(length) : nil)
    }

    /// Once in a process, before any handle is made.
    private static let isReady = fresnel_curl_begin() == CURLE_OK

    /// Connections that could not be made, broke, or stood still.
    private static let passing: Set<UInt32> = Set(
        [
            CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING,
            CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
        ].map(\.rawValue))

    private func set(_ handle: UnsafeMutableRawPointer, _ identity: S3Identity) {
        // Every text is copied by libcurl.
        unsafe setText(handle, CURLOPT_URL, url)
        unsafe setText(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe setText(handle, CURLOPT_AWS_SIGV4, "aws:amz:\(identity.region):s3")
        unsafe setText(handle, CURLOPT_USERNAME, identity.key)
        unsafe setText(handle, CURLOPT_PASSWORD, identity.secret)
        if let bundle = identity.authorities { unsafe setText(handle, CURLOPT_CAINFO, bundle) }
        // Signals would hit any thread of the process.
        _ = unsafe fresnel_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = unsafe fresnel_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 10)
        _ = unsafe fresnel_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        _ = unsafe fresnel_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, 60)
        if let range { unsafe setText(handle, CURLOPT_RANGE, range) }
        switch method {
        case "GET": break
        case "HEAD": _ = unsafe fresnel_curl_set_long(handle, CURLOPT_NOBODY, 1)
        default: unsafe setText(handle, CURLOPT_CUSTOMREQUEST, method)
        }
        guard let body else { return }
        // libcurl reads the bytes where they are, while `perform` keeps them.
        let size = curl_off_t(body.count)
        _ = unsafe fresnel_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, size)
        _ = unsafe fresnel_curl_set_pointer(
            handle, CURLOPT_POSTFIELDS, body.unsafeBytes.baseAddress)
    }

    private func setText(
        _ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ text: String
    ) {
        _ = unsafe fresnel_curl_set_text(handle, option, text)
    }
}

/// Where the bytes of an answer gather.
private final class AnswerSink {
    var bytes: [UInt8] = []
    var isOverfull = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes what libcurl hands over: `size` × `count` bytes, valid during the call.
    static let write: fresnel_curl_writer = { start, size, count, context in
        guard let context = unsafe context, let start = unsafe start else { return 0 }
        let sink = unsafe Unmanaged<AnswerSink>.fromOpaque(context).takeUnretainedValue()
        let length = size * count
        guard sink.bytes.count + length <= sink.limit else {
            sink.isOverfull = true
            return 0
        }
        unsafe sink.bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: start, count: length))
        return length
    }
}
