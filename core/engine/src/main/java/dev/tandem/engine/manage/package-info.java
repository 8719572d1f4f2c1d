/// What a server tells about itself: metrics, explanations, the console, traces.
@NullMarked
package dev.tandem.engine.manage;

import org.jspecify.annotations.NullMarked;
