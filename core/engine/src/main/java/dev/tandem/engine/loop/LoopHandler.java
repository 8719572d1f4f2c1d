package dev.tandem.engine.loop;

/// Continues an exchange on its event loop. Called on the loop only; must never block, since all
/// connections of the loop would wait.
public interface LoopHandler {

    /// Continues as far as possible without waiting. Called first when the handler that began it
    /// has returned, then whenever the client has sent or taken something, and by
    /// [LoopExchange#proceed()].
    ///
    /// @throws Exception as from a handler: responds with an error, or truncates the response
    void proceed(LoopExchange x) throws Exception;

    /// The exchange is over, for whatever reason, and can no longer be used. Called once.
    void ended();
}
