/// Connections to servers behind this one: addresses, pools, balance, health, time-outs.
module dev.tandem.upstream {
    requires static transitive org.jspecify;

    exports dev.tandem.upstream;
}
