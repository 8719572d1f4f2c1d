/// What stands before handlers: redirects and rewrites, passwords, pages for errors.
@NullMarked
package dev.tandem.filters;

import org.jspecify.annotations.NullMarked;
