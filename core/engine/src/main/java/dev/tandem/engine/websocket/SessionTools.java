package dev.tandem.engine.websocket;

import dev.tandem.engine.ContextKey;
import dev.tandem.engine.IoContext;
import dev.tandem.http.websocket.Inflation;

/// The inflater of each thread that decodes compressed messages.
final class SessionTools {
    private static final ContextKey<Inflation.Tools> KEY = ContextKey.of(Inflation.Tools.class);

    private SessionTools() {}

    /// Returns that of a thread; made with its first compressed message.
    static Inflation.Tools of(IoContext context) {
        Inflation.Tools known = context.get(KEY);
        if (known == null) {
            known = new Inflation.Tools();
            context.put(KEY, known);
        }
        return known;
    }
}
