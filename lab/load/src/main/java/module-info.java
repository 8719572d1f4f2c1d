/// A load generator for HTTP servers. Its decoder of answers is its own: what loads a server must
/// not share that server's faults.
module dev.tandem.load {
    requires HdrHistogram;
    requires dev.tandem.net;
    requires static transitive org.jspecify;

    exports dev.tandem.load;
}
