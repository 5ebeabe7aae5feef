import Jobs
import Logging
import Operations
import Postgres
import ServiceLifecycle
import Storage

/// The long-lived parts of one process.
struct Parts: Sendable {
    let writing: Pool
    let reading: Pool
    /// Connects screens to the primary while the replica will not do; nil without a replica.
    let fallback: Pool?
    let database: Database
    let inbox: NotificationInbox
    let backOffice: BackOffice
    let worker: NotificationWorker

    /// The connections, which run as long as anything else does.
    var pools: [(name: String, service: any Service)] {
        [("writing pool", writing), ("reading pool", reading)] + (fallback.map { [("fallback pool", $0)] } ?? [])
    }

    init(
        _ configuration: ServerConfiguration,
        connectionString: String,
        secret: [UInt8]?,
        timelines: TimelineHistory?,
        logger: Logger,
        hearing: Hearing = .whenApplied,
        isCommand: Bool = false
    ) {
        var write = PoolConfiguration(connectionString: connectionString)
        write.name = "writing"
        var read = PoolConfiguration(connectionString: configuration.readDatabaseURL ?? connectionString)
        read.name = "reading"
        read.isReadOnly = true
        if isCommand {
            // Somebody waits at the terminal, and nobody else for them: to add everything up anew may take long.
            for limit in [\PoolConfiguration.answerTimeout, \.transactionTimeout] {
                write[keyPath: limit] = nil
                read[keyPath: limit] = nil
            }
            write.lockTimeout = .seconds(10)
        }
        writing = Pool(write, logger: logger, admission: timelines.map(ServerAdmission.primary))
        reading = Pool(
            read,
            logger: logger,
            admission: timelines.map(
                configuration.readDatabaseURL == nil ? ServerAdmission.primary : ServerAdmission.replica
            )
        )
        if configuration.readDatabaseURL == nil {
            fallback = nil
            database = Database(writing: writing, reading: reading, readsPrimary: true)
        } else {
            read.connectionString = connectionString
            read.name = "fallback"
            let fallback = Pool(read, logger: logger, admission: timelines.map(ServerAdmission.primary))
            self.fallback = fallback
            database = Database(
                writing: writing,
                replica: Replica(pool: reading, fallback: fallback, maximumAge: configuration.replicaMaximumAge)
            )
        }
        let (arrivals, arrived) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        inbox = NotificationInbox(database: database) { arrived.yield() }
        backOffice = BackOffice(
            database: database,
            inbox: inbox,
            logger: logger,
            vault: secret.map(Vault.init(secret:)),
            hearing: hearing
        )
        worker = NotificationWorker(backOffice: backOffice, arrivals: arrivals, arrived: arrived)
    }
}
