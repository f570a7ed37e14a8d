extension Rule {
    static let words = [
        unsafeWords, unsafeSignatures, clocks, chance, sleeping, unowned, dying, publicWord,
        writing,
    ]

    private static let unsafeWords = code("unsafe words", about: ["unsafe"], in: { !$0.isKernel }) {
        let word = (/\bunsafe\b/).inCode
        return { code in
            code.contains(word)
                ? "unsafe code, use a file named Something.kernel.swift for it" : nil
        }
    }

    /// What is marked `@unsafe` needs the word at every use, so it stays within kernels.
    private static let unsafeSignatures = Rule(name: "unsafe signatures") { file in
        guard file.isKernel else { return [] }
        let signature = (/\b(package|public)\b(?! import).*\bUnsafe\w*(Pointer|Bytes)\b/)
            .inCode
        return file.tokens.indices.compactMap { index in
            let code = file.tokens[index].code
            guard code.contains(signature), !code.contains("private"),
                index == 0 || !file.tokens[index - 1].code.contains("@unsafe")
            else { return nil }
            return file.complaint(
                index, "an unsafe type in a signature, use Span, an array or a string")
        }
    }

    /// What a document or a peer says must not command a terminal, nor forge a line of a log.
    private static let writing = code(
        "writing for people",
        about: [
            "print", "debugPrint", "fputs", "puts", "standardOutput", "standardError",
            "StreamLogHandler", "serialized", "jsonText",
        ],
        in: {
            $0.path.hasPrefix("Sources/")
                && !["Streams.swift", "TextLogHandler.swift"].contains($0.name)
        }
    ) {
        let call = (/(^|[^.\w])(print|debugPrint|fputs|puts)\(/).inCode
        let stream = (/(^|\W|\bFileHandle)\.standard(Output|Error)\b/).inCode
        let json = (/\bStreams\.(say|complain)\(.*\b(serialized\(\)|jsonText\b)/).inCode
        return { code in
            if code.contains(json) {
                return "JSON as text for people, use Streams.say of the value, or sayJSON"
            }
            let isRaw = code.contains(call) || code.contains(stream)
            return isRaw || code.contains("StreamLogHandler")
                ? "a stream written by the way, use Streams, which cleans what is shown" : nil
        }
    }

    private static let clocks = code(
        "clocks", about: ["Date", "UUID", "now", "ContinuousClock", "SuspendingClock"],
        in: { !["FresnelSystem", "ClusterTests"].contains($0.room) }
    ) {
        let clock =
            (/\b(Date|UUID)\(\)|\b(Date|\w*Clock)\.now\b|\b(Continuous|Suspending)Clock\(\)/)
            .inCode
        return { code in
            code.contains(clock)
                ? "a clock or an identity out of nothing, use a time given by the caller" : nil
        }
    }

    private static let chance = code(
        "chance",
        about: ["random", "shuffle", "shuffled", "randomElement", "SystemRandomNumberGenerator"],
        in: { $0.room != "FresnelSystem" }
    ) {
        let chance =
            (/\.(random\((in:|\))|shuffled?\(|randomElement\()|\bSystemRandomNumberGenerator\b/)
            .inCode
        return { code in
            code.contains(chance) && !code.contains("using:")
                ? "unseeded chance, use a generator given by the caller: using: &generator" : nil
        }
    }

    private static let sleeping = code(
        "sleeping", about: ["sleep", "usleep", "nanosleep"], in: \.isTest
    ) {
        let sleep = (/\b(Task|Thread)\.sleep\b|\bu?sleep\(|\bnanosleep\(/).inCode
        return { code in
            code.contains(sleep) ? "a test that sleeps, use the event it waits for" : nil
        }
    }

    private static let unowned = code(
        "unowned concurrency",
        about: ["detached", "DispatchQueue", "DispatchSemaphore", "DispatchGroup"]
    ) {
        let word = (/\bTask\.detached\b|\bDispatch(Queue|Semaphore|Group)\b/).inCode
        return { code in
            code.contains(word)
                ? "concurrency that nobody owns, use a task group, a run() or a SocketThread" : nil
        }
    }

    private static let dying = code("dying", about: ["fatalError", "as"]) {
        let death = (/\bfatalError\(|\bas!/).inCode
        return { code in
            code.contains(death)
                ? "a wilful crash, use precondition with the state in its message, or throw" : nil
        }
    }

    private static let publicWord = code(
        "public", about: ["public", "open"],
        in: {
            $0.path.hasPrefix("Sources/") && !["FresnelModel", "FresnelClient"].contains($0.room)
        }
    ) {
        let access = (/\bpublic\b(?! import)|\bopen (class|func|var)\b/).inCode
        return { code in
            code.contains(access)
                ? "public outside of FresnelModel and FresnelClient, use package" : nil
        }
    }
}
