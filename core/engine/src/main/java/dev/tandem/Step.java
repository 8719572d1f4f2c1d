package dev.tandem;

/// The steps of a request. Logs, metrics, traces and ARCHITECTURE.md use these words.
public enum Step {
    /// A loop takes the connection from the kernel.
    ACCEPT,
    /// The loop reads and decodes the head.
    READ,
    /// The request's route decides where and when it runs.
    ADMIT,
    /// The handler runs: on the loop if it never blocks, else on a worker.
    HANDLE,
    /// The response is written to the socket.
    WRITE,
    /// The exchange is over and logged.
    LOG
}
