package dev.tandem.engine.http2;

import dev.tandem.engine.IoContext;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.net.Loop;
import java.io.IOException;

/// What an exchange that continues on its loop uses of its stream.
interface ContinuedStream {
    /// May be called by any thread.
    Loop loop();

    IoContext loopContext();

    RequestAdmission admission();

    StreamOutput output();

    boolean isClosed();

    /// See [dev.tandem.engine.LoopSide#read].
    int readNow(byte[] to, int offset, int length) throws IOException;

    /// See [dev.tandem.engine.LoopSide#readDeadline].
    long readDeadline();

    /// See [dev.tandem.engine.LoopSide#readTimedOut].
    void readTimedOut();

    void abort();

    /// Has a worker run the exchange to its end.
    void submit();

    /// The exchange is over.
    void continuedIsOver();
}
