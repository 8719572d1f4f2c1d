/// An application with sessions and nothing else, which runs in several processes.
@NullMarked
package dev.tandem.spring.visits;

import org.jspecify.annotations.NullMarked;
