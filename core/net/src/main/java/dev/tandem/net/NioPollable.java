package dev.tandem.net;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;

interface NioPollable extends Poller.Pollable {
    SelectableChannel channel();

    /// Returns the selector's operation for readiness to read.
    int readOperation();

    /// Returns the selector's operation for readiness to write.
    default int writeOperation() {
        return SelectionKey.OP_WRITE;
    }
}
