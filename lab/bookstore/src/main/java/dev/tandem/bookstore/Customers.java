package dev.tandem.bookstore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/// Customers and their addresses.
final class Customers {
    private static final String WITH_ADDRESS =
            "select * from customer join address on addr_id = c_addr_id join country on co_id ="
                    + " addr_co_id where ";

    private Customers() {}

    private static Customer customer(ResultSet row) throws SQLException {
        return new Customer(
                row.getLong("c_id"),
                row.getString("c_uname"),
                row.getString("c_fname") + " " + row.getString("c_lname"),
                row.getInt("c_discount"),
                new Customer.Address(
                        row.getLong("addr_id"),
                        row.getString("addr_street1"),
                        row.getString("addr_city"),
                        row.getString("addr_state"),
                        row.getString("addr_zip"),
                        row.getString("co_name")));
    }

    static @Nullable Customer find(Connection c, long id) throws SQLException {
        return Sql.find(c, Customers::customer, WITH_ADDRESS + "c_id = ?", id);
    }

    /// Returns the customer with this name and password.
    static @Nullable Customer signIn(Connection c, String userName, String password)
            throws SQLException {
        String kept =
                Sql.find(
                        c,
                        row -> row.getString(1),
                        "select c_passwd from customer where c_uname = ?",
                        userName);
        return kept != null && Passwords.isRight(password, kept)
                ? Sql.find(c, Customers::customer, WITH_ADDRESS + "c_uname = ?", userName)
                : null;
    }

    /// @param password shown to the customer once
    record New(Customer customer, String password) {}

    static New register(Connection c, NewCustomer newCustomer) throws SQLException {
        long address = address(c, newCustomer.address());
        String password = Passwords.random();
        long id =
                Sql.insert(
                        c,
                        "c_id",
                        "insert into customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id,"
                                + " c_phone, c_email, c_since, c_discount, c_balance, c_ytd_pmt,"
                                + " c_birthdate, c_data) values (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0,"
                                + " ?, ?)",
                        "?" + password,
                        Passwords.hash(password),
                        newCustomer.firstName(),
                        newCustomer.lastName(),
                        address,
                        newCustomer.phone(),
                        newCustomer.email(),
                        LocalDate.now(),
                        newCustomer.birthdate(),
                        newCustomer.data());
        // The name follows from the number, which is known only now.
        Sql.change(c, "update customer set c_uname = ? where c_id = ?", Words.syllables(id, 7), id);
        Customer made = find(c, id);
        if (made == null) {
            throw new SQLException("customer " + id + " is not there");
        }
        return new New(made, password);
    }

    /// Returns the number of an address like this, new or known.
    static long address(Connection c, NewCustomer.Place place) throws SQLException {
        Long country =
                Sql.find(
                        c,
                        row -> row.getLong(1),
                        "select co_id from country where co_name = ?",
                        place.country());
        long countryId = country == null ? 1 : country;
        Long known =
                Sql.find(
                        c,
                        row -> row.getLong(1),
                        "select addr_id from address where addr_zip = ? and addr_street1 = ? and"
                                + " addr_street2 = ? and addr_city = ? and addr_state = ? and"
                                + " addr_co_id = ?",
                        place.zip(),
                        place.street1(),
                        place.street2(),
                        place.city(),
                        place.state(),
                        countryId);
        return known != null
                ? known
                : Sql.insert(
                        c,
                        "addr_id",
                        "insert into address (addr_street1, addr_street2, addr_city, addr_state,"
                                + " addr_zip, addr_co_id) values (?, ?, ?, ?, ?, ?)",
                        place.street1(),
                        place.street2(),
                        place.city(),
                        place.state(),
                        place.zip(),
                        countryId);
    }
}
