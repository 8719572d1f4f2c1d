package dev.tandem.net;

import java.net.InetAddress;

/// Addresses that begin with the same bits, as in `10.0.0.0/8`; or one address.
///
/// @param bits number of significant bits
public record AddressRange(InetAddress base, int bits) {

    /// Reads `ADDRESS` or `ADDRESS/BITS`. No name is looked up.
    ///
    /// @throws IllegalArgumentException if it is neither; names the value and the form
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress base = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int most = Byte.SIZE * base.getAddress().length;
            String bits = slash < 0 ? Integer.toString(most) : text.substring(slash + 1);
            if (bits.matches("[0-9]{1,3}") && Integer.parseInt(bits) <= most) {
                return new AddressRange(base, Integer.parseInt(bits));
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not ADDRESS or ADDRESS/BITS, such as 10.0.0.0/8 or ::1");
    }

    /// Returns the form that [#parse] reads.
    @Override
    public String toString() {
        String address = base.getHostAddress();
        return bits == Byte.SIZE * base.getAddress().length ? address : address + "/" + bits;
    }

    /// Returns whether an address is among them. One of IPv4 is never in a range of IPv6, or the
    /// reverse.
    public boolean has(InetAddress address) {
        byte[] mine = base.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += Byte.SIZE) {
            int shift = Math.max(0, Byte.SIZE - (bits - bit));
            int at = bit / Byte.SIZE;
            if ((mine[at] & 0xff) >>> shift != (other[at] & 0xff) >>> shift) {
                return false;
            }
        }
        return true;
    }
}
