package dev.tandem.config;

/// Where a server tells how it fares. Immutable.
///
/// @param isOpen whether other machines may reach it
public record ManageSettings(Address.Inet address, boolean isOpen) {}
