/// CGI/1.1 (RFC 3875): programs in any language that respond to requests.
module dev.tandem.cgi {
    requires transitive dev.tandem.http;
    requires static transitive org.jspecify;

    exports dev.tandem.cgi;

    uses dev.tandem.cgi.Spawner;
}
