package dev.tandem.lab;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What an experiment sets on servers, as far as each has it.
///
/// @param threads the most requests in progress at once, or connections where each has its thread;
///     1 to 16,384. Servers of events alone have none
/// @param keepAlive how long a connection may be idle where the server closes such; 1 ms to a day
/// @param isShortened whether the multi-threaded rival shortens that by Coyote's rule
/// @param certificate by which it speaks TLS, beside plain HTTP; null if it does not
/// @param managePort where Tandem may be asked for a recording; 0 for nowhere
record RivalSettings(
        int threads,
        Duration keepAlive,
        boolean isShortened,
        @Nullable Certificate certificate,
        int managePort) {

    /// As many threads as Tomcat and Jetty have by default, and Apache's time-out of old.
    static final RivalSettings DEFAULT =
            new RivalSettings(200, Duration.ofSeconds(15), false, null, 0);

    RivalSettings withThreads(int threads) {
        return new RivalSettings(threads, keepAlive, isShortened, certificate, managePort);
    }

    RivalSettings withKeepAlive(Duration keepAlive) {
        return new RivalSettings(threads, keepAlive, isShortened, certificate, managePort);
    }

    RivalSettings withShortened(boolean isShortened) {
        return new RivalSettings(threads, keepAlive, isShortened, certificate, managePort);
    }

    RivalSettings withCertificate(Certificate certificate) {
        return new RivalSettings(threads, keepAlive, isShortened, certificate, managePort);
    }

    RivalSettings withManagePort(int managePort) {
        return new RivalSettings(threads, keepAlive, isShortened, certificate, managePort);
    }
}
