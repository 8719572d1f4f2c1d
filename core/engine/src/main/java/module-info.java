/// The engine: joins the codecs of `http` and the loops of `net`; exchanges, routes, drain.
module dev.tandem.server {
    requires transitive dev.tandem.admission;
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.net;
    requires jdk.jfr;
    requires java.management;
    requires transitive dev.tandem.tls;
    requires static transitive org.jspecify;

    exports dev.tandem.server;
}
