package dev.tandem.engine.http1;

/// The state of an [Http1Connection]; its drawing says who owns the connection then.
enum Http1State {
    READ,
    BODY,
    RUN,
    WRITE,
    LINGER
}
