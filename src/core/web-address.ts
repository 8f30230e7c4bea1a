type Address = Pick<URL, 'protocol' | 'hostname'>;

/** Where secrets and people may go: https, or http on this very machine. */
export function isSafeAddress(address: Address): boolean {
  return address.protocol === 'https:' || isLoopback(address);
}

export function isLoopback({ protocol, hostname }: Address): boolean {
  return protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
