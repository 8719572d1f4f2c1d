package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/// Every page and picture that clients requested, with its time and result. Safe for use by any
/// thread.
final class PageLog {
    /// Name of pictures.
    static final String PICTURE = "picture";

    private final Queue<Request> all = new ConcurrentLinkedQueue<>();

    /// One page. Written by its session's thread; read when the load is over.
    static final class Request {
        private final String page;
        private final long due;
        private volatile long completed;
        private volatile int status;
        private volatile boolean isRight;

        private Request(String page, long due) {
            this.page = page;
            this.due = due;
        }

        String page() {
            return page;
        }

        /// Records the response.
        ///
        /// @param status 0 without a response
        /// @param isRight whether it is the requested page
        void completed(int status, boolean isRight, long now) {
            this.status = status;
            this.isRight = isRight;
            this.completed = now;
        }

        boolean isRight() {
            return isRight;
        }

        boolean isRejected() {
            return status == 503;
        }

        double seconds() {
            return (completed - due) / 1e9;
        }

        private boolean hasRespondedIn(long from, long to) {
            return completed != 0 && completed - from >= 0 && completed - to < 0;
        }

        private boolean isUnderWayAt(long time) {
            return due - time <= 0 && (completed == 0 || completed - time > 0);
        }
    }

    /// @param due when the request is sent, by [System#nanoTime()]
    Request request(String page, long due) {
        var asked = new Request(page, due);
        all.add(asked);
        return asked;
    }

    /// Returns the pages with a response within a time, right or wrong.
    List<Request> completed(long from, long to) {
        return all.stream().filter(one -> one.hasRespondedIn(from, to)).toList();
    }

    /// Returns how many right pages were completed in each of `count` equal parts of a time.
    ///
    /// @param of which pages
    int[] completedEach(Predicate<String> of, long from, long to, int count) {
        var numbers = new int[count];
        for (Request one : completed(from, to)) {
            if (one.isRight && of.test(one.page)) {
                numbers[(int) ((one.completed - from) * count / (to - from))]++;
            }
        }
        return numbers;
    }

    /// Returns how many requests were in progress at each of `count` moments.
    ///
    /// @param of which pages
    List<Integer> inProgress(Predicate<String> of, long from, long to, int count) {
        List<Request> some = all.stream().filter(one -> of.test(one.page)).toList();
        var numbers = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            long time = from + (to - from) / count * i;
            numbers.add((int) some.stream().filter(one -> one.isUnderWayAt(time)).count());
        }
        return numbers;
    }
}
