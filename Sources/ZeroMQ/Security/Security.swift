/// How the two ends of a connection prove who they are.
package enum Security: Hashable, Sendable {
    /// Not at all; only for endpoints that nobody outside this host can reach.
    case plain
    /// The side that others know by its public key.
    ///
    /// Each connecting key is shown to the authentication handler under `domain`; without
    /// a running handler nobody gets in.
    case curveServer(CurveSecretKey, domain: String)
    /// The side that shows its own key and demands that the other end owns `server`.
    case curveClient(CurveKeyPair, server: CurveKey)
}
