type CenterConfig = Pick<URL, 'protocol' | 'hostname'>;

/** Whether secrets and people may be sent to the address: https, or http on this machine. */
export function isSafeAddress(centerConfig: CenterConfig): boolean {
  return centerConfig.protocol === 'https:' || isLoopback(centerConfig);
}

/** The origin of an http or https address with a plain host, which cannot end a part of a header. */
export function webOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, origin } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && isPlainHost(hostname) ? origin : undefined;
}

/**
 * Whether the host is of letters, digits, dots and hyphens, or an IPv6 address. Wildcards fail, and so do
 * characters that a URL allows and a header does not.
 */
export function isPlainHost(hostname: string): boolean {
  return /^(\[[\da-f:.]+\]|[a-z\d.-]+)$/.test(hostname);
}

export function isLoopback({ protocol, hostname }: CenterConfig): boolean {
  return protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Whether a brand may link to the address: it runs no code and leads to no page of this server. */
export function isLink(address: string): boolean {
  if (/^(mailto:[^\s"'<>]+@[^\s"'<>]+|tel:\+?[\d-]+)$/.test(address)) return true;
  return /^https:\/\/[^\s"'<>]+$/.test(address) && URL.canParse(address);
}
