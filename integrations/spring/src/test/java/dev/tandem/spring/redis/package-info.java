/// An application with sessions in Redis.
@NullMarked
package dev.tandem.spring.redis;

import org.jspecify.annotations.NullMarked;
