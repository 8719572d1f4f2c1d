/// Filters in front of handlers: redirects and rewrites, passwords, error pages.
@NullMarked
package dev.tandem.filters;

import org.jspecify.annotations.NullMarked;
