package dev.tandem.engine.container;

/// How a server reads requests for its [Container].
///
/// @param isLenient whether the syntax of old clients is accepted; default false.
///     [dev.tandem.http.h1.Http1Limits] says what it is, and decision 0005 what it risks. Handlers
///     of other hosts respond to HTTP/0.9 with a head
/// @param usesSpecificStatus whether a request line or a head over its limit gets 414 or 431;
///     default true. Otherwise it gets 400, for containers whose applications and tests know
///     nothing else
/// @param areBodiesCollected whether a body of up to 64 KiB is read before a worker is used for its
///     request; default true. Otherwise handlers notice clients that stall or disconnect in the
///     middle, and can respond before the body's end, as servlets expect
/// @param areAmbiguousPathsAccepted whether `%2F`, `%5C` and codes of control characters are
///     accepted in paths; default false: they get 400. For containers that decide themselves what
///     they mean; paths of other handlers contain them as they were sent
public record ContainerOptions(
        boolean isLenient,
        boolean usesSpecificStatus,
        boolean areBodiesCollected,
        boolean areAmbiguousPathsAccepted)
        implements ContainerOptionsWith {

    /// As for handlers.
    public static final ContainerOptions DEFAULT = new ContainerOptions(false, true, true, false);
}
