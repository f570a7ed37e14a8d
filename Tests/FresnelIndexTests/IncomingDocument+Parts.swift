import FresnelIndex
import FresnelModel
import FresnelWire

extension IncomingDocument {
    /// What is stored.
    var encoded: [UInt8] {
        switch form {
        case .decoded(_, let encoded): encoded
        case .plain(_, let bytes, let place): Array(bytes[place])
        }
    }

    /// What is indexed; tests of segments make decoded ones only.
    var document: Document {
        guard case .decoded(let document, _) = form else { preconditionFailure("\(form)") }
        return document
    }
}
