/// Event loops, listeners, connections, timers and buffers. Independent of HTTP.
module dev.tandem.net {
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports dev.tandem.net;

    uses dev.tandem.net.Datagrams;
    uses dev.tandem.net.Network;
}
