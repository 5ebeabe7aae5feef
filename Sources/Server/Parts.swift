import Jobs
import Logging
import Operations
import Postgres
import Storage
import Web

/// The long-lived parts of one process.
struct Parts: Sendable {
    let writing: Pool
    let reading: Pool
    let exporting: Pool
    let database: Database
    let inbox: NotificationInbox
    let backOffice: BackOffice
    let worker: NotificationWorker

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
        var export = read
        export.name = "exporting"
        export.sharedConnections = 1
        // As many as people take at a time, and one for the regular reports.
        export.exclusiveConnections = ExportLimits().inTotal + 1
        let reads = timelines.map(configuration.readDatabaseURL == nil ? ServerAdmission.primary : ServerAdmission.replica)
        writing = Pool(write, logger: logger, admission: timelines.map(ServerAdmission.primary))
        reading = Pool(read, logger: logger, admission: reads)
        exporting = Pool(export, logger: logger, admission: reads)
        database = Database(
            writing: writing,
            reading: reading,
            exporting: exporting,
            readsPrimary: configuration.readDatabaseURL == nil
        )
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
