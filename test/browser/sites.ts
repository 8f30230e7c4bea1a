import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Makes one certificate for all names. */
export function makeCertificate(names: readonly string[]): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
    const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
    const subject = ['-subj', `/CN=${names[0]}`, '-addext', alternatives];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A site of the tests. */
export type Site = http.RequestListener;

/** Serves several sites by https on one port, by their names; an unknown name is answered with 502. */
export async function serveSites(
  certificate: { readonly key: string; readonly cert: string },
  siteOf: (host: string) => Site | undefined,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = https.createServer(certificate, (request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? '';
    const site = siteOf(host);
    if (site === undefined) return void response.writeHead(502).end();
    site(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Forwards requests to a target, as a proxy does. */
export function passTo(target: string): Site {
  return (request, response) => {
    const { method, headers, url } = request;
    const onward = http.request(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
}

/** Starts the demo site in a process of its own. */
export async function startDemoSite(
  env: Readonly<Record<string, string>>,
): Promise<{ close(): Promise<void> }> {
  const child = spawn(process.execPath, [join(root, 'demo', 'server.ts'), '--with-parent'], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
