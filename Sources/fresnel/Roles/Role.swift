import ArgumentParser
import Logging
import ServiceLifecycle
import UnixSignals

/// A command that runs until a signal ends it.
protocol LongLivedCommand: AsyncParsableCommand {}

/// One long-lived process of the cluster: runs until SIGTERM, SIGINT or its supervisor's end.
enum Role {
    /// Runs a service; returns after an orderly end.
    static func run(_ service: any Service, isSupervised: Bool, logger: Logger) async throws {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(
                service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .cancelGroup)
        ]
        if isSupervised {
            services.append(
                .init(
                    service: SupervisorWatch(),
                    successTerminationBehavior: .gracefullyShutdownGroup))
        }
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(45)
        configuration.maximumCancellationDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }
}
