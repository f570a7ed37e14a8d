internal import SwiftProtobuf

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// The one place where the generated `Data` fields are touched, beside writer and reader of control
// frames: upper floors see arrays of bytes.

extension WirePut {
    /// The client state that commits with the batch; nil leaves the stored one.
    package var clientStateBytes: [UInt8]? {
        get { hasClientState ? [UInt8](clientState) : nil }
        set {
            if let newValue { clientState = Data(newValue) } else { clearClientState() }
        }
    }

    /// The state that must be stored for the batch to be accepted; nil demands nothing.
    package var expectedClientStateBytes: [UInt8]? {
        get { hasExpectedClientState ? [UInt8](expectedClientState) : nil }
        set {
            if let newValue {
                expectedClientState = Data(newValue)
            } else {
                clearExpectedClientState()
            }
        }
    }
}

extension WireClientState {
    /// The stored client state; nil when there is none.
    package var stateBytes: [UInt8]? {
        get { hasState ? [UInt8](state) : nil }
        set {
            if let newValue { state = Data(newValue) } else { clearState() }
        }
    }
}

extension WireSearch {
    /// The cursor that the page lies beside; empty for none.
    package var afterBytes: [UInt8] {
        get { [UInt8](after) }
        set { after = Data(newValue) }
    }
}

extension WireSubquery {
    /// The sort key that the page lies beside; empty for none.
    package var afterKeyBytes: [UInt8] {
        get { [UInt8](afterKey) }
        set { afterKey = Data(newValue) }
    }
}

extension WireFound {
    /// A sort key that no later hit of this worker precedes; empty where nothing is known.
    package var boundBytes: [UInt8] {
        get { [UInt8](bound) }
        set { bound = Data(newValue) }
    }
}

extension WireCredit {
    /// The sort key behind which no hit is wanted; empty while all are.
    package var thresholdBytes: [UInt8] {
        get { [UInt8](threshold) }
        set { threshold = Data(newValue) }
    }
}

extension WireDone {
    /// The cursor beside the last hit; empty when nothing follows it.
    package var nextBytes: [UInt8] {
        get { [UInt8](next) }
        set { next = Data(newValue) }
    }

    /// The cursor beside the first hit; empty when nothing precedes it.
    package var previousBytes: [UInt8] {
        get { [UInt8](previous) }
        set { previous = Data(newValue) }
    }
}

extension WireSnapshotIndex {
    /// The client state that was stored; nil when there was none.
    package var clientStateBytes: [UInt8]? {
        get { hasClientState ? [UInt8](clientState) : nil }
        set {
            if let newValue { clientState = Data(newValue) } else { clearClientState() }
        }
    }
}
