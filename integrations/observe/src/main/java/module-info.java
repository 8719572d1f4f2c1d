/// A server's metrics for Micrometer and its requests for OpenTelemetry, each only where it is
/// used.
module dev.tandem.observe {
    requires transitive dev.tandem.engine;
    requires static io.opentelemetry.api;
    requires static io.opentelemetry.context;
    requires static micrometer.core;
    requires static transitive org.jspecify;

    exports dev.tandem.observe;
}
