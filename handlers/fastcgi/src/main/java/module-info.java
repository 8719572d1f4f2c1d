/// FastCGI 1.0: requests to application servers such as php-fpm.
module dev.tandem.fastcgi {
    requires dev.tandem.cgi;
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.upstream;
    requires static transitive org.jspecify;

    exports dev.tandem.fastcgi;
}
