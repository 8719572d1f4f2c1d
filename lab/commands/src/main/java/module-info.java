/// The commands of the laboratory.
module dev.tandem.lab.commands {
    requires dev.tandem.bookstore;
    requires dev.tandem.cli;
    requires dev.tandem.lab;
    requires dev.tandem.load;
    requires dev.tandem.engine;
    requires java.management;
    requires static dev.tandem.tomcat;
    requires static transitive org.jspecify;

    provides dev.tandem.cli.CommandProvider with
            dev.tandem.lab.commands.LabCommands;
}
