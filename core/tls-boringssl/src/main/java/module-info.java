/// BoringSSL engines, through netty-tcnative. Found at run time by `tls`; exports nothing.
module dev.tandem.tls.boringssl {
    requires dev.tandem.tls;
    requires io.netty.tcnative.classes.openssl;
    requires static transitive org.jspecify;

    provides dev.tandem.tls.TlsProvider with
            dev.tandem.tls.boringssl.BoringSslProvider;
}
