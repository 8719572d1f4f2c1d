package dev.tandem.spring.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// The sample application.
@SpringBootApplication
public class Sample {
    public static void main(String[] arguments) {
        SpringApplication.run(Sample.class, arguments);
    }
}
