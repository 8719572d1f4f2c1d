/// A server's management: metrics, explanations, the console, traces.
@NullMarked
package dev.tandem.engine.manage;

import org.jspecify.annotations.NullMarked;
