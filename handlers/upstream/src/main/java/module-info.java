/// Connections to upstream servers: addresses, pools, balancing, health, time-outs.
module dev.tandem.upstream {
    requires static transitive org.jspecify;

    exports dev.tandem.upstream;
}
