/// A reverse proxy for HTTP/1.1.
@NullMarked
package dev.tandem.proxy;

import org.jspecify.annotations.NullMarked;
