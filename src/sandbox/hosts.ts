import type { RequestHandler } from 'express';

/** Names of the machine that runs the sandbox. */
const ownNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests to a host name that is not listed. A foreign page can point its own name at 127.0.0.1
 * (DNS rebinding); its scripts could then read all answers that need no token. `checksOrigin` also refuses
 * requests from pages of other sites: a browser sends them, although the page cannot read the answers.
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
    const header = isOwn ? 'Origin' : 'Host';
    response
      .status(403)
      .type('text')
      .send(`The sandbox does not answer to this ${header}: name its host in SANDBOX_HOSTS.\n`);
  };
}

/** The host name of an address in the browser's spelling, without the port; undefined when it has none. */
function nameIn(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname || undefined : undefined;
}
