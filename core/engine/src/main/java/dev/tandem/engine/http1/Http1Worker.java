package dev.tandem.engine.http1;

import dev.tandem.admission.Decision;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.RequestHeadDecoder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Processes a connection that is handed over to a thread: runs its exchange, then those that were
/// pipelined behind it, in order, and returns the connection to its loop.
final class Http1Worker {
    /// Number of pipelined requests of one connection that run before those of others: 32.
    private static final int BATCH = 32;

    private Http1Worker() {}

    static void run(Http1Connection http, IoContext context) {
        try {
            Http1Exchange x = http.exchange();
            if (x == null) {
                http.output().sendMoreOfTail(context);
                http.returnToLoop();
            } else {
                runAll(http, x, context);
            }
        } catch (IOException e) {
            http.connection().close();
        } catch (Throwable e) {
            http.connection().close();
            Log.LOG.log(Level.ERROR, "a connection failed", e);
        } finally {
            // The rest of a truncated response must not reach the next client.
            context.output().bytes().clear();
            http.engine().dispatcher().startNextAtEnd();
        }
    }

    private static void runAll(Http1Connection http, Http1Exchange first, IoContext context)
            throws IOException {
        LoopThread inPlace = Thread.currentThread() instanceof LoopThread t ? t : null;
        Http1Exchange current = first;
        for (int count = 1; ; count++) {
            if (inPlace != null) {
                inPlace.runs(current.timing());
            }
            if (!http.admission().run(current, context)) {
                return; // and by now another thread may have it
            }
            http.exchange(null);
            http.afterExchange(current);
            Http1Exchange following = http.canRespondAgain() ? next(http, context) : null;
            boolean isBatchOver = count == BATCH || inPlace != null && !isShort(following);
            if (following == null || isBatchOver) {
                http.returnToLoop(); // and what follows with it
                return;
            }
            if (!isAdmitted(http, following)) {
                return;
            }
            current = following;
        }
    }

    private static boolean isShort(@Nullable Http1Exchange x) {
        return x != null && x.timing().isShort();
    }

    /// Decides whether a pipelined request may run at once; if not, the connection no longer
    /// belongs to this thread.
    private static boolean isAdmitted(Http1Connection http, Http1Exchange x) {
        if (!http.mayWaitForAdmission(x)) {
            http.reject(Http1Connection.NO_MEMORY_SECONDS);
            return false;
        }
        Decision decision = http.admission().decide(x.timing(), x.head(), x.isSecure());
        if (decision instanceof Decision.Reject rejection) {
            http.reject(rejection.retryAfterSeconds());
        }
        return decision instanceof Decision.Run;
    }

    /// Returns the next pipelined request, ready to run, if it is complete; what is incomplete or
    /// malformed is left to the loop.
    private static @Nullable Http1Exchange next(Http1Connection http, IoContext context) {
        UnreadInput input = http.input();
        if (input.isEmpty()) {
            return null;
        }
        Http1Codec codec = Http1Codec.of(context, http.engine());
        RequestHeadDecoder decoder = codec.decoder();
        try {
            if (decoder.decode(input.bytes(), input.from(), input.to())
                    != RequestHeadDecoder.Result.COMPLETE) {
                return null;
            }
            Http1RequestHead head = decoder.head();
            if (head.hasBody()) {
                return null; // the loop collects bodies
            }
            if (!(codec.resolver().resolve(head, TlsSocket.isOf(http.connection()))
                    instanceof Resolved resolved)) {
                return null;
            }
            http.countRequest();
            var following = new Http1Exchange(http, head.copy(), resolved);
            http.exchange(following);
            input.used(head.length());
            return following;
        } finally {
            decoder.reset();
        }
    }
}
