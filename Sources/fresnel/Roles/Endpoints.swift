/// Where processes meet when nobody says otherwise.
enum Endpoints {
    /// The broker's control lane for clients.
    static let clients = "tcp://127.0.0.1:7700"
    /// The broker's control lane for workers.
    static let workers = "tcp://127.0.0.1:7710"
}
