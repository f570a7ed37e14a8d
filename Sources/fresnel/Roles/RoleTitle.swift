import FresnelSystem

/// How a process of a cluster is called in `ps` and `top`.
enum RoleTitle {
    /// Shows the role first, then who it is, then the arguments that it was started with.
    ///
    /// - Parameter name: what tells it from others of its role; nil where its arguments do.
    static func show(_ role: String, name: String? = nil) {
        var arguments = Array(CommandLine.arguments.dropFirst())
        // What only a supervisor says goes last: it may find no room.
        let hidden = arguments.filter { $0 == "--supervised" }
        arguments.removeAll { $0 == "--supervised" }
        if let name, let position = arguments.firstIndex(of: "--name") {
            arguments.removeSubrange(position..<min(position + 2, arguments.count))
            arguments.insert(name, at: min(1, arguments.count))
        }
        ProcessTitle.show(["fresnel"] + arguments + hidden, short: "fresnel-\(role)")
    }
}
