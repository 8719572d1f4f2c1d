/// The engine: joins the codecs of `http` and the loops of `net`; exchanges, routes, drain.
module dev.tandem.engine {
    requires transitive dev.tandem.admission;
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.net;
    requires jdk.jfr;
    requires java.management;
    requires transitive dev.tandem.tls;
    requires static transitive org.jspecify;

    uses dev.tandem.net.Network;

    exports dev.tandem;
    exports dev.tandem.engine.container;
    exports dev.tandem.engine.database;
    exports dev.tandem.engine.loop;
    exports dev.tandem.engine.tuning;
}
