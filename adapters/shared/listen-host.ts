/** Chooses the address that the servers of a process listen on. */

const ALL_ADDRESSES = '::'

/**
 * Returns the host for `listen`. Sockets of `::` accept connections of IPv6 and IPv4, but fail
 * where the kernel has no IPv6. Without a host, Node tries `::` first and then `0.0.0.0`.
 *
 * @param host value of `HOST`
 */
export const listenHost = (host: string): string => (host === ALL_ADDRESSES ? '' : host)
