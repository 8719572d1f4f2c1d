package dev.tandem.lab;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Settings of an experiment for servers, as far as each server has them.
///
/// @param threads maximum concurrent requests, or connections where each has its thread; 1 to
///     16,384. Purely event-driven servers have none
/// @param keepAlive idle time-out of a connection, where the server has one; 1 ms to a day
/// @param isShortened whether the multi-threaded rival shortens that by Coyote's rule
/// @param certificate for TLS, in addition to plain HTTP; null without TLS
/// @param isHttp2 whether HTTP/2 is offered over TLS by servers that need a setting for it
/// @param isFixed whether Tandem has exactly `threads` workers for applications, instead of a
///     number that it finds
/// @param managePort of Tandem's management, for recordings; 0 for none
record RivalSettings(
        int threads,
        Duration keepAlive,
        boolean isShortened,
        @Nullable Certificate certificate,
        boolean isHttp2,
        boolean isFixed,
        int managePort)
        implements RivalSettingsWith {

    /// As many threads as Tomcat and Jetty have by default, and Apache's former default time-out.
    static final RivalSettings DEFAULT =
            new RivalSettings(200, Duration.ofSeconds(15), false, null, false, false, 0);
}
