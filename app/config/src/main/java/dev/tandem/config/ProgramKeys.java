package dev.tandem.config;

import dev.tandem.cgi.CgiOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `cgi`: what [CgiOptions] has.
final class ProgramKeys {
    private static final List<Key<CgiOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "processes",
                            Kinds.NUMBER,
                            "The most programs that run at once. 1 to 4,096.",
                            CgiOptions::processesMax,
                            CgiOptions::withProcessesMax),
                    new Key<>(
                            "queue",
                            Kinds.NUMBER,
                            "How many requests may wait for one of them to end. 0 to 65,536.",
                            CgiOptions::queueMax,
                            (c, queue) -> c.withQueue(queue, c.queueWait())),
                    new Key<>(
                            "queue_wait",
                            Kinds.DURATION,
                            "How long a request waits there at most; up to a day.",
                            CgiOptions::queueWait,
                            (c, wait) -> c.withQueue(c.queueMax(), wait)),
                    new Key<>(
                            "silence_max",
                            Kinds.DURATION,
                            "How long a program may neither give output nor take input.",
                            CgiOptions::inactivityTimeout,
                            (c, silence) -> c.withTimeouts(silence, c.lifetimeMax())),
                    new Key<>(
                            "lifetime_max",
                            Kinds.DURATION,
                            "How long a program may run in all.",
                            CgiOptions::lifetimeMax,
                            (c, lifetime) -> c.withTimeouts(c.inactivityTimeout(), lifetime)),
                    new Key<>(
                            "head_max",
                            Kinds.SMALL_SIZE,
                            "The longest head of an answer, in bytes. 256 to 1 MiB.",
                            CgiOptions::headMax,
                            CgiOptions::withHeadMax),
                    new Key<>(
                            "inherited",
                            Kinds.TEXTS,
                            "Variables of the server's environment that programs get.",
                            CgiOptions::inherited,
                            (c, names) -> c.withEnvironment(names, c.variables())),
                    new Key<>(
                            "variables",
                            Kinds.PAIRS,
                            "More variables that programs get.",
                            CgiOptions::variables,
                            (c, variables) -> c.withEnvironment(c.inherited(), variables)),
                    new Key<>(
                            "pass_authorization",
                            Kinds.FLAG,
                            "Shows programs the Authorization field, which holds a password.",
                            CgiOptions::isPassingAuthorization,
                            CgiOptions::withPassingAuthorization),
                    new Key<>(
                            "follow_links",
                            Kinds.FLAG,
                            "Follows symbolic links; never out of the folder.",
                            CgiOptions::isFollowingLinks,
                            CgiOptions::withFollowingLinks));

    static final Section<Service.Programs> SECTION = section();

    private ProgramKeys() {}

    private static Section<Service.Programs> section() {
        var keys = new ArrayList<Key<Service.Programs, ?>>();
        keys.add(
                new Key<Service.Programs, Path>(
                        "root",
                        Kinds.FOLDER,
                        "The folder whose programs are run.",
                        Service.Programs::root,
                        (programs, root) -> new Service.Programs(root, programs.options())));
        for (Key<CgiOptions, ?> key : OPTIONS) {
            keys.add(
                    key.within(
                            Service.Programs::options,
                            (programs, options) -> new Service.Programs(programs.root(), options)));
        }
        var start = new Service.Programs(Path.of(""), CgiOptions.DEFAULT);
        return Section.of(start, keys).requiring("root");
    }
}
