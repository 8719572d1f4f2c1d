package dev.tandem.engine.http1;

/// What an [Http1Connection] connection is at; its drawing tells whose it is then.
enum Http1State {
    READ,
    BODY,
    RUN,
    WRITE,
    LINGER
}
