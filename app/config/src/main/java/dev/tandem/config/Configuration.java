package dev.tandem.config;

import dev.tandem.Options;
import dev.tandem.logs.AccessSettings;
import java.util.List;
import java.util.Optional;

/// All that a server is told, from a file or by flags. Immutable.
///
/// @param accessLog the access log; empty for none
/// @param manage where it tells how it fares; empty for nowhere
/// @param pageCache where folders' files are kept; empty for none, but the kernel's
public record Configuration(
        Options limits,
        List<ListenSettings> listeners,
        List<SiteSettings> sites,
        Optional<AccessSettings> accessLog,
        ErrorSettings errorLog,
        Optional<ManagementSettings> manage,
        Optional<PageCacheSettings> pageCache,
        ProcessSettings process) {

    /// Serves nothing yet, at 127.0.0.1:8080.
    public static final Configuration DEFAULT =
            new Configuration(
                    Options.DEFAULT,
                    List.of(ListenSettings.at(new Address.Inet("127.0.0.1", 8080))),
                    List.of(),
                    Optional.empty(),
                    ErrorSettings.DEFAULT,
                    Optional.empty(),
                    Optional.empty(),
                    ProcessSettings.DEFAULT);

    /// Takes copies.
    public Configuration {
        listeners = List.copyOf(listeners);
        sites = List.copyOf(sites);
    }

    public Configuration withLimits(Options limits) {
        return new Configuration(
                limits, listeners, sites, accessLog, errorLog, manage, pageCache, process);
    }

    public Configuration withListeners(List<ListenSettings> listeners) {
        return new Configuration(
                limits, listeners, sites, accessLog, errorLog, manage, pageCache, process);
    }

    public Configuration withSites(List<SiteSettings> sites) {
        return new Configuration(
                limits, listeners, sites, accessLog, errorLog, manage, pageCache, process);
    }

    public Configuration withAccessLog(AccessSettings settings) {
        var present = Optional.of(settings);
        return new Configuration(
                limits, listeners, sites, present, errorLog, manage, pageCache, process);
    }

    public Configuration withErrorLog(ErrorSettings errors) {
        return new Configuration(
                limits, listeners, sites, accessLog, errors, manage, pageCache, process);
    }

    public Configuration withManage(ManagementSettings settings) {
        var present = Optional.of(settings);
        return new Configuration(
                limits, listeners, sites, accessLog, errorLog, present, pageCache, process);
    }

    public Configuration withPageCache(PageCacheSettings settings) {
        var present = Optional.of(settings);
        return new Configuration(
                limits, listeners, sites, accessLog, errorLog, manage, present, process);
    }

    public Configuration withProcess(ProcessSettings process) {
        return new Configuration(
                limits, listeners, sites, accessLog, errorLog, manage, pageCache, process);
    }
}
