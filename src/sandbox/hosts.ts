import type { RequestHandler } from 'express';

/** What a machine is called by itself. */
const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests to a host name that is not listed. A page of the internet may have its name lead to 127.0.0.1 (DNS
 * rebinding): it would read what asks for no token, of the sandbox as of its own site. With `checksOrigin` a request of
 * a page from elsewhere is refused, too: a browser lets it send what it may not read.
 */
export function hostGuard({
  hosts,
  checksOrigin,
}: {
  readonly hosts: readonly string[];
  readonly checksOrigin: boolean;
}): RequestHandler {
  const names = new Set([...ownNames, ...hosts].flatMap((host) => nameIn(`http://${host}`) ?? []));
  const isOurs = (address: string) => names.has(nameIn(address) ?? '');
  return (request, response, next) => {
    const { host, origin } = request.headers;
    const isOwn = host !== undefined && isOurs(`http://${host}`);
    if (isOwn && (!checksOrigin || origin === undefined || isOurs(origin))) return next();
    const what = isOwn ? 'Origin' : 'Host';
    response
      .status(403)
      .type('text')
      .send(`The sandbox does not answer to this ${what}: name its host in SANDBOX_HOSTS.\n`);
  };
}

/** As a browser writes it, without the port; undefined where there is none. */
function nameIn(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname || undefined : undefined;
}
