import Configuration
import FresnelJSON
import FresnelModel
import FresnelQuery
import FresnelSystem
import Logging
import ZeroMQ

/// The settings of one process: flags before the environment before the file.
struct Settings {
    private let reader: ConfigReader

    /// - Parameters:
    ///   - flags: what the command line says; nil where it says nothing.
    ///   - file: `--config`; nil takes `FRESNEL_CONFIG`, and no file when that is not set either.
    init(
        flags: [Setting: String?], file: String?, environment: [String: String],
        storage: any Storage = DiskStorage()
    ) throws(CommandError) {
        try Self.checkVariables(environment)
        var providers: [any ConfigProvider] = [
            Self.provider("flags", flags.compactMapValues { $0 }),
            EnvironmentVariablesProvider(environmentVariables: environment)
                .prefixKeys(with: "fresnel"),
        ]
        if let path = file ?? environment["FRESNEL_CONFIG"], !path.isEmpty {
            providers.append(Self.provider(path, try Self.values(in: path, storage)))
        }
        reader = ConfigReader(providers: providers)
    }

    /// The text of a setting; nil when it is set nowhere.
    func text(_ setting: Setting) -> String? {
        reader.string(forKey: ConfigKey(setting.components))
    }

    /// An endpoint.
    func endpoint(_ setting: Setting, default standard: String) throws(CommandError) -> Endpoint {
        do throws(ZeroMQError) {
            return try Endpoint(text(setting) ?? standard)
        } catch {
            throw .usage("\(setting.flag): \(error)")
        }
    }

    /// A whole number inside a range.
    func number(
        _ setting: Setting, in range: ClosedRange<Int>, default standard: Int
    ) throws(CommandError) -> Int {
        guard let text = text(setting) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "\(setting.flag) must be a number from \(range.lowerBound) to "
                    + "\(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// How much a broker may keep of its answers, in MiB.
    func keptAnswers() throws(CommandError) -> Int {
        try number(.brokerKeptAnswers, in: 0...4096, default: Limits.keptAnswersBytes >> 20)
    }

    /// A yes or no.
    func truth(_ setting: Setting) throws(CommandError) -> Bool {
        switch text(setting) {
        case nil, "false", "no", "0": return false
        case "true", "yes", "1": return true
        case let text?: throw .usage("\(setting.flag) must be true or false, not \"\(text)\"")
        }
    }

    /// A text that has to be there.
    func required(_ setting: Setting) throws(CommandError) -> String {
        guard let text = text(setting), !text.isEmpty else {
            throw .usage(
                "\(setting.flag) is missing; give it, or set \(setting.rawValue) in the settings "
                    + "file")
        }
        return text
    }

    /// How much the process tells.
    func logLevel() throws(CommandError) -> Logger.Level {
        guard let text = text(.logLevel) else { return .info }
        guard let level = Logger.Level(rawValue: text) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--log-level must be one of \(known), not \"\(text)\"")
        }
        return level
    }

    private static func provider(_ name: String, _ values: [Setting: String]) -> InMemoryProvider {
        var entries: [AbsoluteConfigKey: ConfigValue] = [:]
        for (setting, text) in values {
            entries[AbsoluteConfigKey(setting.components)] = ConfigValue(
                .string(text), isSecret: false)
        }
        return InMemoryProvider(name: name, values: entries)
    }

    private static func values(
        in path: String, _ storage: any Storage
    ) throws(CommandError) -> [Setting: String] {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: try storage.read(path))
        } catch {
            throw .usage("settings file \(path): \(error)")
        }
        guard let sections = root.object else {
            throw .usage("settings file \(path): it must be an object: \(example)")
        }
        var values: [Setting: String] = [:]
        for (section, members) in sections {
            guard let members = members.object else {
                throw .usage(
                    "settings file \(path): \"\(section)\" must be an object of settings: "
                        + example)
            }
            for (name, value) in members {
                let key = "\(section).\(name)"
                guard let setting = Setting(rawValue: key) else {
                    throw .usage(
                        "settings file \(path): there is no setting \"\(key)\"; "
                            + advice(key, among: Setting.allCases.map(\.rawValue)))
                }
                values[setting] = try text(of: value, key, path)
            }
        }
        return values
    }

    private static let example = #"{"broker": {"data": "/var/lib/fresnel/broker"}}"#

    /// The text of a value: lists, objects and null mean nothing in a settings file.
    private static func text(
        of value: JSONValue, _ key: String, _ path: String
    ) throws(CommandError) -> String {
        switch value {
        case .string(let text): return text
        case .integer, .number, .bool: return value.serialized()
        case .null, .array, .object:
            throw .usage(
                "settings file \(path): \(key) must be a text, a number, true or false, not "
                    + value.serialized())
        }
    }

    /// Refuses a variable of a role that names no setting: nothing else would say so.
    private static func checkVariables(
        _ environment: [String: String]
    ) throws(CommandError) {
        let known = Setting.allCases.map(\.variable)
        let roles = ["FRESNEL_BROKER_", "FRESNEL_WORKER_", "FRESNEL_LOG_"]
        let names = environment.keys.filter { name in roles.contains { name.hasPrefix($0) } }
        guard let strange = names.sorted().first(where: { !known.contains($0) }) else { return }
        throw .usage(
            "the environment has \(strange), which is no setting; "
                + advice(strange, among: known))
    }

    /// What was probably meant, else where all names are.
    private static func advice(_ name: String, among names: [String]) -> String {
        NearestName.find(name, among: names).map { "did you mean \($0)" }
            ?? "deploy/README.md lists the settings"
    }
}
