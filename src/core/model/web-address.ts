type CenterConfig = Pick<URL, 'protocol' | 'hostname'>;

/** Where secrets and people may go: https, or http on this very machine. */
export function isSafeAddress(centerConfig: CenterConfig): boolean {
  return centerConfig.protocol === 'https:' || isLoopback(centerConfig);
}

/** Scheme, host and port of an http or https address whose host is plain: nothing that could end a header's part. */
export function webOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, origin } = new URL(address);
  return (protocol === 'https:' || protocol === 'http:') && isPlainHost(hostname) ? origin : undefined;
}

/** Letters, digits, dots and hyphens, or an IPv6 address: no wildcard, and no sign that URLs allow and headers do not. */
export function isPlainHost(hostname: string): boolean {
  return /^(\[[\da-f:.]+\]|[a-z\d.-]+)$/.test(hostname);
}

export function isLoopback({ protocol, hostname }: CenterConfig): boolean {
  return protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Where a link of a brand may lead: nothing that runs, nothing of ours. */
export function isLink(address: string): boolean {
  if (/^(mailto:[^\s"'<>]+@[^\s"'<>]+|tel:\+?[\d-]+)$/.test(address)) return true;
  return /^https:\/\/[^\s"'<>]+$/.test(address) && URL.canParse(address);
}
