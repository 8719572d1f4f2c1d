package dev.tandem.net;

import java.nio.channels.SelectableChannel;

interface NioPollable extends Poller.Pollable {
    SelectableChannel channel();

    /// What a selector calls readiness to read.
    int readOperation();
}
