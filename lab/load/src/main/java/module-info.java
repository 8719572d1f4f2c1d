/// A load generator for HTTP servers. For HTTP/1 it has its own response decoder: a load generator
/// must not share the server's faults. For HTTP/2 it uses the product's codec in the client's role,
/// which is compared with other implementations' in its own tests.
module dev.tandem.load {
    requires HdrHistogram;
    requires dev.tandem.http;
    requires dev.tandem.net;
    requires static transitive org.jspecify;

    exports dev.tandem.load;
}
