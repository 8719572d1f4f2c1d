/// CGI/1.1 (RFC 3875): programs of any language that answer requests.
module dev.tandem.cgi {
    requires transitive dev.tandem.http;
    requires static transitive org.jspecify;

    exports dev.tandem.cgi;

    uses dev.tandem.cgi.Spawner;
}
