/// Test kit for handlers.
@NullMarked
package dev.tandem.testkit.server;

import org.jspecify.annotations.NullMarked;
