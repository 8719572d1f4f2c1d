/// Connections to upstream servers: addresses, pools, balancing, health, time-outs.
module dev.tandem.upstream {
    requires dev.tandem.admission;
    requires transitive dev.tandem.net;
    requires static transitive org.jspecify;

    exports dev.tandem.upstream;
}
