package dev.tandem.engine.http1;

/// The state of an [Http1Connection]; the table there names the owner in each state.
enum Http1State {
    READ,
    BODY,
    RUN,
    WRITE,
    LINGER
}
