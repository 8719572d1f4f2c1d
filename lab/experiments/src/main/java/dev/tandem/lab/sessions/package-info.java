/// A store of servlet sessions that several instances share.
@NullMarked
package dev.tandem.lab.sessions;

import org.jspecify.annotations.NullMarked;
