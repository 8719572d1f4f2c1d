/// WebSocket sessions: a connection that a request has turned into one belongs to its loop while it
/// is silent, and to a worker while one of its messages is handled.
@NullMarked
package dev.tandem.engine.websocket;

import org.jspecify.annotations.NullMarked;
