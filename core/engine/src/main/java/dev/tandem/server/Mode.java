package dev.tandem.server;

/// What an [Http1Connection] connection is at; its drawing tells whose it is then.
enum Mode {
    READ,
    BODY,
    RUN,
    WRITE,
    LINGER
}
