package dev.tandem.spring.redis;

import dev.tandem.spring.visits.CountingApplication;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.session.data.redis.config.annotation.web.http.EnableRedisHttpSession;

/// The counting application with sessions in Redis.
@SpringBootApplication
@EnableRedisHttpSession
public class RedisCountingApplication extends CountingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RedisCountingApplication.class, arguments);
    }
}
