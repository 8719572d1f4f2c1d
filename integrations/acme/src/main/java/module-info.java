/// Certificates from an authority such as Let's Encrypt: ordered, proved, stored and renewed by
/// themselves (ACME, RFC 8555).
module dev.tandem.acme {
    requires transitive dev.tandem.engine;
    requires java.net.http;
    requires org.shredzone.acme4j;
    requires static transitive org.jspecify;

    exports dev.tandem.acme;
}
