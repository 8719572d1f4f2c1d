/// Sessions and nothing else: an application that runs in several processes.
@NullMarked
package dev.tandem.spring.visits;

import org.jspecify.annotations.NullMarked;
