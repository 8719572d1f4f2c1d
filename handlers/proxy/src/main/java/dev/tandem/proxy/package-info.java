/// Servers behind this one answer: a reverse proxy for HTTP/1.1.
@NullMarked
package dev.tandem.proxy;

import org.jspecify.annotations.NullMarked;
