/// Messages, the handler contract and the codecs: bytes in, events out. No socket, no thread, no
/// clock.
module dev.tandem.http {
    requires static transitive org.jspecify;

    exports dev.tandem.http;
    exports dev.tandem.http.h1;
}
