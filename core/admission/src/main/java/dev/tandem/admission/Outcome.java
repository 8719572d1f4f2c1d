package dev.tandem.admission;

/// How a request's run ended.
public enum Outcome {
    /// As it was meant to: its time says what the route costs.
    ANSWERED,

    /// By an error or a lost connection: its time says nothing of the route.
    FAILED
}
