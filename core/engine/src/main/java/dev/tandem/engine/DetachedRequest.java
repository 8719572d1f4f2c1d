package dev.tandem.engine;

/// A request that outlives the call that began it, and that no thread holds meanwhile.
public interface DetachedRequest {

    /// Closes its connection without a response: the server has stopped, and so have its workers.
    void drop();
}
