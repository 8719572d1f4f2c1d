/// CGI/1.1: a folder of programs, each run anew for every request (RFC 3875).
@NullMarked
package dev.tandem.cgi;

import org.jspecify.annotations.NullMarked;
