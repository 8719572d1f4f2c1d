/// Programs that stay answer: FastCGI 1.0, as php-fpm speaks it.
module dev.tandem.fastcgi {
    requires dev.tandem.cgi;
    requires transitive dev.tandem.http;
    requires transitive dev.tandem.upstream;
    requires static transitive org.jspecify;

    exports dev.tandem.fastcgi;
}
