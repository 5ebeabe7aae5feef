import CLibPQ
import Foundation

/// A program started by posix_spawn(3) and awaited by waitpid(2).
///
/// Foundation's Process is no use here: it takes a program for running as long as any program started by it is.
struct ChildProcess {
    let processID: Int32

    /// Starts a program in `directory`, in a process group of its own (so that a Ctrl-C for us does not hit it), without
    /// our signal settings; what it writes goes to the descriptor `output`. It gets none of our other files: a library's
    /// listening socket in a child's hands would keep the port taken after our end.
    init(_ words: [String], environment: [String: String], directory: String = "/", output: Int32) throws {
        #if os(Linux)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        var flags = Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        #if os(Linux)
        _ = clibpq_spawn_closes_from(&actions, 3)
        #else
        flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, flags)

        // The shell changes the directory, which posix_spawn cannot do everywhere; its process becomes the program's.
        let command = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", directory] + words
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var processID: pid_t = 0
        let failure = posix_spawn(&processID, command[0], &actions, &attributes, &arguments, &variables)
        guard failure == 0 else {
            throw PostgresError(.cluster, "cannot run \(words[0]): \(String(cString: strerror(failure)))")
        }
        self.processID = processID
    }

    /// Blocks until the program has ended; true when it ended well.
    func waitUntilExit() -> Bool {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
