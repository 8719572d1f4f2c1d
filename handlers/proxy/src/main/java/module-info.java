/// A reverse proxy for HTTP/1.1.
module dev.tandem.proxy {
    requires dev.tandem.engine;
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.upstream;
    requires static transitive org.jspecify;

    exports dev.tandem.proxy;
}
