package dev.tandem.net;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;

interface NioPollable extends Poller.Pollable {
    SelectableChannel channel();

    /// What a selector calls readiness to read.
    int readOperation();

    /// What a selector calls readiness to write.
    default int writeOperation() {
        return SelectionKey.OP_WRITE;
    }
}
