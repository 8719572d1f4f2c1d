package dev.tandem.spring.plain;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.web.WebProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/// Files with the extension `shout` have other bytes than those on the disk.
@Configuration(proxyBeanMethods = false)
class ShoutedResources implements WebMvcConfigurer {
    private final String[] locations;

    ShoutedResources(WebProperties properties) {
        locations = properties.getResources().getStaticLocations();
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/*.shout")
                .addResourceLocations(locations)
                .resourceChain(false)
                .addResolver(new Shouting());
    }

    private static final class Shouting extends PathResourceResolver {
        @Override
        protected @Nullable Resource getResource(String path, Resource location)
                throws IOException {
            Resource found = super.getResource(path, location);
            return found == null ? null : new Shouted(found);
        }
    }

    private static final class Shouted extends FileSystemResource {
        Shouted(Resource found) throws IOException {
            super(found.getFile());
        }

        @Override
        public InputStream getInputStream() throws IOException {
            String text = Files.readString(getFile().toPath());
            return new ByteArrayInputStream(
                    text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        }
    }
}
