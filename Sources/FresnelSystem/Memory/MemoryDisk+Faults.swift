extension MemoryDisk {
    mutating func takeSyncFault() -> ErrorNumber? {
        takeFault { if case .sync(let reason) = $0 { reason } else { nil } }
    }

    mutating func takeReadFault() -> ErrorNumber? {
        takeFault { if case .read(let reason) = $0 { reason } else { nil } }
    }

    /// Counts a write against the first write fault, and takes the fault when it passes its mark.
    mutating func takeWriteFault(bytes: Int) -> (allowed: Int, reason: ErrorNumber)? {
        for (index, fault) in faults.enumerated() {
            guard case .write(let afterBytes, let reason) = fault else { continue }
            guard bytes > afterBytes else {
                faults[index] = .write(afterBytes: afterBytes - bytes, reason: reason)
                return nil
            }
            faults.remove(at: index)
            return (afterBytes, reason)
        }
        return nil
    }

    /// Removes the first fault that `match` recognises.
    mutating func takeFault(_ match: (StorageFault) -> ErrorNumber?) -> ErrorNumber? {
        for (index, fault) in faults.enumerated() {
            if let reason = match(fault) {
                faults.remove(at: index)
                return reason
            }
        }
        return nil
    }
}
