package dev.tandem.config;

import dev.tandem.fastcgi.FastCgiOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `fastcgi`: keys of [FastCgiOptions].
final class FastCgiKeys {
    private static final List<Key<FastCgiOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "suffixes",
                            ValueTypes.TEXTS,
                            "Suffixes of scripts' names.",
                            FastCgiOptions::suffixes,
                            FastCgiOptions::withSuffixes),
                    new Key<>(
                            "index",
                            ValueTypes.TEXT,
                            "The index script of a folder; empty for none.",
                            FastCgiOptions::indexFile,
                            FastCgiOptions::withIndexFile),
                    new Key<FastCgiOptions, String>(
                            "front_controller",
                            ValueTypes.TEXT,
                            "The script that serves paths without a file.",
                            FastCgiOptions::frontController,
                            FastCgiOptions::withFrontController),
                    new Key<FastCgiOptions, String>(
                            "remote_root",
                            ValueTypes.TEXT,
                            "The root's path as the application sees it.",
                            FastCgiOptions::remoteRoot,
                            FastCgiOptions::withRemoteRoot),
                    new Key<>(
                            "head_max",
                            ValueTypes.SMALL_SIZE,
                            "Maximum size of a response's head, in bytes. 256 to 1 MiB.",
                            FastCgiOptions::headMax,
                            FastCgiOptions::withHeadMax),
                    new Key<>(
                            "variables",
                            ValueTypes.PAIRS,
                            "More variables passed to scripts.",
                            FastCgiOptions::variables,
                            FastCgiOptions::withVariables),
                    new Key<>(
                            "pass_authorization",
                            ValueTypes.FLAG,
                            "Passes the Authorization header, which holds a password, to scripts.",
                            FastCgiOptions::isPassingAuthorization,
                            FastCgiOptions::withPassingAuthorization),
                    new Key<>(
                            "follow_links",
                            ValueTypes.FLAG,
                            "Follows symbolic links; never out of the folder.",
                            FastCgiOptions::isFollowingLinks,
                            FastCgiOptions::withFollowingLinks),
                    new Key<FastCgiOptions, Duration>(
                            "health_interval",
                            ValueTypes.DURATION,
                            "Interval of the application's health checks.",
                            FastCgiOptions::healthInterval,
                            FastCgiOptions::withHealthInterval));

    static final Section<Service.FastCgiScripts> SECTION = section();

    private FastCgiKeys() {}

    private static Section<Service.FastCgiScripts> section() {
        var keys = new ArrayList<Key<Service.FastCgiScripts, ?>>();
        keys.add(
                new Key<Service.FastCgiScripts, Path>(
                        "root",
                        ValueTypes.FOLDER,
                        "The folder of scripts, and of other files in it.",
                        Service.FastCgiScripts::root,
                        Service.FastCgiScripts::withRoot));
        keys.add(
                new Key<Service.FastCgiScripts, List<String>>(
                        "to",
                        ProxyKeys.ADDRESSES,
                        "The application: HOST:PORT or unix:/PATH.",
                        Service.FastCgiScripts::to,
                        Service.FastCgiScripts::withTo));
        for (Key<FastCgiOptions, ?> key : OPTIONS) {
            keys.add(
                    key.within(
                            Service.FastCgiScripts::options, Service.FastCgiScripts::withOptions));
        }
        keys.addAll(
                UpstreamKeys.of(
                        s -> s.options().upstream(),
                        (s, upstream) -> s.withOptions(o -> o.withUpstream(upstream))));
        var start = new Service.FastCgiScripts(Path.of(""), List.of(), FastCgiOptions.DEFAULT);
        return Section.of(start, keys)
                .requiring("root", "to")
                .checkedBy(s -> UpstreamKeys.checkNotEmpty(s.to()));
    }
}
