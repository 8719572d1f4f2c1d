/// What those see who collect from many servers.
@NullMarked
package dev.tandem.observe;

import org.jspecify.annotations.NullMarked;
