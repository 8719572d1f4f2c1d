/// A load generator for HTTP servers. It has its own response decoder: a load generator must not
/// share the server's faults.
module dev.tandem.load {
    requires HdrHistogram;
    requires dev.tandem.net;
    requires static transitive org.jspecify;

    exports dev.tandem.load;
}
