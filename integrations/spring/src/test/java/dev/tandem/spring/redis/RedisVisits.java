package dev.tandem.spring.redis;

import dev.tandem.spring.visits.Visits;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.session.data.redis.config.annotation.web.http.EnableRedisHttpSession;

/// The same with sessions in Redis.
@SpringBootApplication
@EnableRedisHttpSession
public class RedisVisits extends Visits {
    public static void main(String[] arguments) {
        SpringApplication.run(RedisVisits.class, arguments);
    }
}
