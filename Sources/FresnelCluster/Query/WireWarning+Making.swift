import FresnelQuery
import FresnelWire

extension WireWarning {
    init(_ warning: QueryWarning) {
        self.init()
        if let place = warning.offset { offset = UInt32(place) }
        message = warning.message
    }
}
