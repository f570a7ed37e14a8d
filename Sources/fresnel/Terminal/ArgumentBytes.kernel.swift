/// The arguments of the process as the system passed them.
enum ArgumentBytes {
    /// The number of the first argument that is not UTF-8; nil when all are.
    ///
    /// `CommandLine.arguments` repairs such an argument, which makes another query of it.
    static var firstInvalid: Int? {
        (1..<max(1, Int(CommandLine.argc))).first { position in
            // The system ends each of the `argc` arguments with a zero, and nobody changes them.
            guard let argument = unsafe CommandLine.unsafeArgv[position] else { return false }
            return unsafe String(validatingCString: argument) == nil
        }
    }
}
