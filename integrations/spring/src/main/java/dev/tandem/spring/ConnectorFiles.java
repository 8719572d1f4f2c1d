package dev.tandem.spring;

import java.io.IOException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourceRegion;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.converter.ResourceHttpMessageConverter;
import org.springframework.http.converter.ResourceRegionHttpMessageConverter;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/// Has the handlers of static resources leave files to the connector. Handlers with converters of
/// the application's own keep them.
final class ConnectorFiles implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof SimpleUrlHandlerMapping mapping) {
            for (Object each : mapping.getHandlerMap().values()) {
                if (each instanceof ResourceHttpRequestHandler handler) {
                    replaceConverters(handler);
                }
            }
        }
        return bean;
    }

    private static void replaceConverters(ResourceHttpRequestHandler handler) {
        var whole = handler.getResourceHttpMessageConverter();
        if (whole == null || whole.getClass().equals(ResourceHttpMessageConverter.class)) {
            handler.setResourceHttpMessageConverter(new WholeFiles());
        }
        var regions = handler.getResourceRegionHttpMessageConverter();
        if (regions == null
                || regions.getClass().equals(ResourceRegionHttpMessageConverter.class)) {
            handler.setResourceRegionHttpMessageConverter(new Regions());
        }
    }

    private static final class WholeFiles extends ResourceHttpMessageConverter {
        @Override
        protected void writeContent(Resource resource, HttpOutputMessage to) throws IOException {
            if (!ConnectorFile.send(resource, 0, to.getHeaders().getContentLength(), to)) {
                super.writeContent(resource, to);
            }
        }
    }

    /// Several ranges in one response are written as before.
    private static final class Regions extends ResourceRegionHttpMessageConverter {
        @Override
        protected void writeResourceRegion(ResourceRegion region, HttpOutputMessage to)
                throws IOException {
            Resource resource = region.getResource();
            long size = resource.contentLength();
            long from = region.getPosition();
            long length = Math.min(region.getCount(), size - from);
            if (!ConnectorFile.send(resource, from, length, to)) {
                super.writeResourceRegion(region, to);
                return;
            }
            HttpHeaders headers = to.getHeaders();
            headers.set(
                    HttpHeaders.CONTENT_RANGE,
                    "bytes " + from + '-' + (from + length - 1) + '/' + size);
            headers.setContentLength(length);
        }
    }
}
