/// Messages, the handler API and the codecs. No socket, thread or clock.
module dev.tandem.http {
    requires dev.tandem.admission;
    requires static transitive org.jspecify;

    exports dev.tandem.http;

    uses dev.tandem.http.BodyMapper;

    exports dev.tandem.http.h1;
    exports dev.tandem.http.h2;
    exports dev.tandem.http.websocket;
}
