/// TLS: certificates, engines, tickets, the reader of hellos. Knows no sockets, threads or HTTP.
module dev.tandem.tls {
    requires static transitive org.jspecify;

    exports dev.tandem.tls;

    uses dev.tandem.tls.TlsProvider;
}
