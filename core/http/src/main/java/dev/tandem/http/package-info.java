/// What handlers see of HTTP (RFC 9110): requests, answers, routes, cookies, forms, validators.
@NullMarked
package dev.tandem.http;

import org.jspecify.annotations.NullMarked;
