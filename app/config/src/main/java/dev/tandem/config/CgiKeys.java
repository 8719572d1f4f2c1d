package dev.tandem.config;

import dev.tandem.cgi.CgiOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `cgi`: keys of [CgiOptions].
final class CgiKeys {
    private static final List<Key<CgiOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "processes",
                            ValueTypes.NUMBER,
                            "Maximum number of running programs. 1 to 4,096.",
                            CgiOptions::processesMax,
                            CgiOptions::withProcessesMax),
                    new Key<>(
                            "queue",
                            ValueTypes.NUMBER,
                            "Maximum number of requests waiting for a program to end. 0 to 65,536.",
                            CgiOptions::queueMax,
                            CgiOptions::withQueueMax),
                    new Key<>(
                            "queue_wait",
                            ValueTypes.DURATION,
                            "Maximum waiting time of a request; up to a day.",
                            CgiOptions::queueWait,
                            CgiOptions::withQueueWait),
                    new Key<>(
                            "inactivity_timeout",
                            ValueTypes.DURATION,
                            "How long a program may neither write output nor read input.",
                            CgiOptions::inactivityTimeout,
                            CgiOptions::withInactivityTimeout),
                    new Key<>(
                            "lifetime_max",
                            ValueTypes.DURATION,
                            "Maximum run time of a program.",
                            CgiOptions::lifetimeMax,
                            CgiOptions::withLifetimeMax),
                    new Key<>(
                            "head_max",
                            ValueTypes.SMALL_SIZE,
                            "Maximum size of a response's head, in bytes. 256 to 1 MiB.",
                            CgiOptions::headMax,
                            CgiOptions::withHeadMax),
                    new Key<>(
                            "inherited",
                            ValueTypes.TEXTS,
                            "Variables of the server's environment passed to programs.",
                            CgiOptions::inherited,
                            CgiOptions::withInherited),
                    new Key<>(
                            "variables",
                            ValueTypes.PAIRS,
                            "More variables passed to programs.",
                            CgiOptions::variables,
                            CgiOptions::withVariables),
                    new Key<>(
                            "pass_authorization",
                            ValueTypes.FLAG,
                            "Passes the Authorization header, which holds a password, to programs.",
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
                        Service.CgiPrograms::withRoot));
        for (Key<CgiOptions, ?> key : OPTIONS) {
            keys.add(key.within(Service.CgiPrograms::options, Service.CgiPrograms::withOptions));
        }
        var start = new Service.CgiPrograms(Path.of(""), CgiOptions.DEFAULT);
        return Section.of(start, keys).requiring("root");
    }
}
