/// TLS: certificates, engines, tickets, the ClientHello reader. Independent of sockets, threads and
/// HTTP.
module dev.tandem.tls {
    requires static transitive org.jspecify;

    exports dev.tandem.tls;

    uses dev.tandem.tls.TlsProvider;
}
