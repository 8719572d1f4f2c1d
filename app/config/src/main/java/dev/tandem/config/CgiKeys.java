package dev.tandem.config;

import dev.tandem.cgi.CgiOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `cgi`: what [CgiOptions] has.
final class CgiKeys {
    private static final List<Key<CgiOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "processes",
                            ValueTypes.NUMBER,
                            "The most programs that run at once. 1 to 4,096.",
                            CgiOptions::processesMax,
                            CgiOptions::withProcessesMax),
                    new Key<>(
                            "queue",
                            ValueTypes.NUMBER,
                            "How many requests may wait for one of them to end. 0 to 65,536.",
                            CgiOptions::queueMax,
                            (c, queue) -> c.withQueue(queue, c.queueWait())),
                    new Key<>(
                            "queue_wait",
                            ValueTypes.DURATION,
                            "How long a request waits there at most; up to a day.",
                            CgiOptions::queueWait,
                            (c, wait) -> c.withQueue(c.queueMax(), wait)),
                    new Key<>(
                            "silence_max",
                            ValueTypes.DURATION,
                            "How long a program may neither give output nor take input.",
                            CgiOptions::inactivityTimeout,
                            (c, silence) -> c.withTimeouts(silence, c.lifetimeMax())),
                    new Key<>(
                            "lifetime_max",
                            ValueTypes.DURATION,
                            "How long a program may run in all.",
                            CgiOptions::lifetimeMax,
                            (c, lifetime) -> c.withTimeouts(c.inactivityTimeout(), lifetime)),
                    new Key<>(
                            "head_max",
                            ValueTypes.SMALL_SIZE,
                            "The longest head of an answer, in bytes. 256 to 1 MiB.",
                            CgiOptions::headMax,
                            CgiOptions::withHeadMax),
                    new Key<>(
                            "inherited",
                            ValueTypes.TEXTS,
                            "Variables of the server's environment that programs get.",
                            CgiOptions::inherited,
                            (c, names) -> c.withEnvironment(names, c.variables())),
                    new Key<>(
                            "variables",
                            ValueTypes.PAIRS,
                            "More variables that programs get.",
                            CgiOptions::variables,
                            (c, variables) -> c.withEnvironment(c.inherited(), variables)),
                    new Key<>(
                            "pass_authorization",
                            ValueTypes.FLAG,
                            "Shows programs the Authorization field, which holds a password.",
                            CgiOptions::isPassingAuthorization,
                            CgiOptions::withPassingAuthorization),
                    new Key<>(
                            "follow_links",
                            ValueTypes.FLAG,
                            "Follows symbolic links; never out of the folder.",
                            CgiOptions::isFollowingLinks,
                            CgiOptions::withFollowingLinks));

    static final Section<Service.CgiPrograms> SECTION = section();

    private CgiKeys() {}

    private static Section<Service.CgiPrograms> section() {
        var keys = new ArrayList<Key<Service.CgiPrograms, ?>>();
        keys.add(
                new Key<Service.CgiPrograms, Path>(
                        "root",
                        ValueTypes.FOLDER,
                        "The folder whose programs are run.",
                        Service.CgiPrograms::root,
                        (programs, root) -> new Service.CgiPrograms(root, programs.options())));
        for (Key<CgiOptions, ?> key : OPTIONS) {
            keys.add(
                    key.within(
                            Service.CgiPrograms::options,
                            (programs, options) ->
                                    new Service.CgiPrograms(programs.root(), options)));
        }
        var start = new Service.CgiPrograms(Path.of(""), CgiOptions.DEFAULT);
        return Section.of(start, keys).requiring("root");
    }
}
