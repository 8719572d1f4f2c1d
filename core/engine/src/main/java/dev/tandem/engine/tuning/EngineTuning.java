package dev.tandem.engine.tuning;

import dev.tandem.engine.container.ContainerOptions;
import dev.tandem.http.Bounds;
import dev.tandem.net.Loop;

/// How an engine works, for measurements and for the management's server. Set by
/// [dev.tandem.Tandem#tuning].
///
/// @param container how requests are read; that of the server's container, if it has one
/// @param isAdmitting whether admission decides on each request; default true. Otherwise all run at
///     once, as far as there are threads, and none is rejected: to measure what admission costs
/// @param isAllOnLoop whether every handler runs on the thread that has the loop, however long it
///     takes; default false. There are no workers then, which makes a server that is purely
///     event-driven, or, with a [dev.tandem.net.Network] whose sockets block and whose loops have
///     one connection each, one with a thread for each connection. Where sockets do not block, an
///     exchange that would have to wait for its client is aborted
/// @param loopBuffer how much a loop reads or writes at once, in bytes; default 65,536: the
///     requests or responses of a pipeline in one call. Each loop has two such buffers, so that
///     many loops need smaller ones. 4,096 to 1 MiB; with TLS at least 34,816, which is two records
public record EngineTuning(
        ContainerOptions container, boolean isAdmitting, boolean isAllOnLoop, int loopBuffer)
        implements EngineTuningWith {

    public static final EngineTuning DEFAULT =
            new EngineTuning(ContainerOptions.DEFAULT, true, false, Loop.INPUT_SIZE);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public EngineTuning {
        Bounds.check("loopBuffer", loopBuffer, 4_096, 1 << 20);
    }
}
