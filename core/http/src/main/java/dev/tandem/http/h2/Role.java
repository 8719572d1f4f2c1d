package dev.tandem.http.h2;

/// The role of this endpoint on a connection.
public enum Role {
    /// Receives the client's preface and requests.
    SERVER,
    /// Sends the preface and requests.
    CLIENT
}
