import FresnelQuery
import FresnelWire

extension WireWarning {
    init(_ warning: QueryWarning) {
        self.init()
        offset = UInt32(warning.offset)
        message = warning.message
    }
}
