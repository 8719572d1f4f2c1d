package dev.tandem.admission;

/// How a request's run ended.
public enum Outcome {
    /// As its handler intended: its time says what the route costs.
    COMPLETED,

    /// By an error or a lost connection: its time says nothing of the route.
    FAILED
}
