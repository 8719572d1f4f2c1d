package dev.tandem.testkit;

import java.util.List;
import java.util.TreeSet;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.TestGrading;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.TestConfig;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.os.AffinityMode;
import org.openjdk.jcstress.os.SchedulingClass;

/// Runs all jcstress tests of the class path, one after the other in this JVM. jcstress's own main
/// class first starts twenty JVMs to find out which flags they support, and then one for each test,
/// which takes many times as long as the tests. Compiled and started by [Races].
final class RaceRun {
    private RaceRun() {}

    /// @param arguments options of jcstress
    public static void main(String[] arguments) throws Exception {
        var options = new Options(arguments);
        if (!options.parse()) {
            System.exit(2);
        }
        int passed = 0;
        var names = new TreeSet<String>(TestList.tests());
        for (String name : names) {
            passed += passes(options, TestList.getInfo(name)) ? 1 : 0;
        }
        System.out.println(passed + " of " + names.size() + " passed");
        System.exit(passed == names.size() ? 0 : 1);
    }

    private static boolean passes(Options options, TestInfo info) throws Exception {
        var anywhere = new SchedulingClass(AffinityMode.NONE, info.threads(), null);
        var config = new TestConfig(options, info, 0, List.of(), 0, anywhere);
        var runner =
                (Runner<?>)
                        Class.forName(info.generatedRunner())
                                .getConstructor(ForkedTestConfig.class)
                                .newInstance(new ForkedTestConfig(config));
        TestResult result = runner.run();
        result.setConfig(config);
        System.out.println(info.name() + ": " + result.status());
        for (String state : result.getStateKeys()) {
            System.out.println("  " + state + ": " + result.getCount(state));
        }
        result.getMessages().forEach(System.out::println);
        TestGrading grading = result.grading();
        grading.failureMessages.forEach(System.out::println);
        return grading.isPassed;
    }
}
