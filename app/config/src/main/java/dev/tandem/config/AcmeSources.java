package dev.tandem.config;

import dev.tandem.acme.AcmeCertificates;
import dev.tandem.acme.AcmeSettings;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// The certificates of authorities that a configuration uses. Listeners with the same settings
/// share one source, and a new configuration keeps those that it has, too.
///
/// @param used by their settings
record AcmeSources(Map<AcmeSettings, AcmeCertificates> used) {
    static final AcmeSources NONE = new AcmeSources(Map.of());

    /// Opens those of a configuration. None is started.
    ///
    /// @param previous whose sources are used again, and whose certificates stay in use
    /// @throws IOException if a storage cannot be read; none stays open that is not in `previous`
    static AcmeSources of(Configuration configuration, AcmeSources previous) throws IOException {
        var used = new LinkedHashMap<AcmeSettings, AcmeCertificates>();
        var opened = new AcmeSources(used);
        try {
            for (ListenSettings listen : configuration.listeners()) {
                var settings = listen.tls().flatMap(ListenerTls::acme);
                if (settings.isPresent() && !used.containsKey(settings.get())) {
                    AcmeCertificates known = previous.used.get(settings.get());
                    used.put(
                            settings.get(),
                            known == null
                                    ? AcmeCertificates.open(settings.get(), previous.all())
                                    : known);
                }
            }
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.closeAllBut(previous);
            throw e;
        }
    }

    Collection<AcmeCertificates> all() {
        return used.values();
    }

    /// Begins to order, for those that are not in `previous`.
    void start(AcmeSources previous, AcmeCertificates.Reload reload) {
        used.forEach(
                (settings, source) -> {
                    if (!previous.used.containsKey(settings)) {
                        source.start(reload);
                    }
                });
    }

    void closeAllBut(AcmeSources kept) {
        used.forEach(
                (settings, source) -> {
                    if (kept.used.get(settings) != source) {
                        source.close();
                    }
                });
    }
}
