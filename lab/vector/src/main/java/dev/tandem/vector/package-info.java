/// LZ4's block format by the JDK's vector instructions, an incubating module.
@NullMarked
package dev.tandem.vector;

import org.jspecify.annotations.NullMarked;
