/// CGI/1.1 (RFC 3875): runs the programs of a folder, one process for each request.
@NullMarked
package dev.tandem.cgi;

import org.jspecify.annotations.NullMarked;
