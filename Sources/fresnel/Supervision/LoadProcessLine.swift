import Foundation
import FresnelLoad

/// What a load and its processes say to each other, as lines of JSON.
enum LoadProcessLine {
    static func line(_ message: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .throw
        return String(decoding: try encoder.encode(message), as: UTF8.self)
    }

    static func command(_ line: String) throws -> GeneratorCommand {
        try JSONDecoder().decode(GeneratorCommand.self, from: Data(line.utf8))
    }

    static func message(_ line: String) throws -> GeneratorMessage {
        try JSONDecoder().decode(GeneratorMessage.self, from: Data(line.utf8))
    }
}
