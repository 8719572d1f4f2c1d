/// The HTTP API for handlers (RFC 9110): exchanges, requests, bodies, routes, cookies, forms,
/// conditional requests. Start at [dev.tandem.http.Handler] and [dev.tandem.http.Exchange].
@NullMarked
package dev.tandem.http;

import org.jspecify.annotations.NullMarked;
