/// TLS: certificates, engines, tickets, the reader of hellos. Knows no sockets, threads or HTTP.
module dev.tandem.tls {
    requires io.netty.buffer;
    requires io.netty.handler;
    requires io.netty.tcnative.classes.openssl;
    requires static transitive org.jspecify;

    exports dev.tandem.tls;
}
