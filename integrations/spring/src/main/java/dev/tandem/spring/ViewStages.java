package dev.tandem.spring;

import dev.tandem.staged.Stage;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Gives connections back when the controller is done, before its view is rendered: also those
/// that an open session (open-in-view) keeps. Stands around all other interceptors, so that it
/// sees what they take, and ends after them. Safe for use by any thread.
final class ViewStages implements AsyncHandlerInterceptor, WebMvcConfigurer {
    private static final String FRAME = ViewStages.class.getName();

    private final Stage.Later late;

    /// One call of the dispatcher; inside a view there may be others.
    private record Frame(Stage stage, Stage.Later late, @Nullable Frame outer) {}

    ViewStages(Stage.Later late) {
        this.late = late;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).order(Ordered.HIGHEST_PRECEDENCE);
    }

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        request.setAttribute(FRAME, new Frame(Stage.begin(), late, frame(request)));
        return true;
    }

    @Override
    public void postHandle(
            HttpServletRequest request,
            HttpServletResponse response,
            Object handler,
            @Nullable ModelAndView view)
            throws SQLException {
        endData(request);
    }

    /// The controller's data is made.
    static void endData(HttpServletRequest request) throws SQLException {
        Frame frame = frame(request);
        if (frame != null) {
            frame.stage.endData(frame.late);
        }
    }

    /// It goes on by itself, and comes back by another thread.
    @Override
    public void afterConcurrentHandlingStarted(
            HttpServletRequest request, HttpServletResponse response, Object handler)
            throws SQLException {
        Frame frame = pop(request);
        if (frame != null) {
            frame.stage.leave();
        }
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request,
            HttpServletResponse response,
            Object handler,
            @Nullable Exception failure)
            throws SQLException {
        Frame frame = pop(request);
        if (frame != null) {
            frame.stage.close();
        }
    }

    private static @Nullable Frame pop(HttpServletRequest request) {
        Frame frame = frame(request);
        request.setAttribute(FRAME, frame == null ? null : frame.outer);
        return frame;
    }

    private static @Nullable Frame frame(HttpServletRequest request) {
        return (Frame) request.getAttribute(FRAME);
    }
}
