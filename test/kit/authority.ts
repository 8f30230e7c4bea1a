import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate authority of one test. Only clients that are given its certificate trust it. */
export interface Authority {
  /** The path of its own certificate, a value for NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  issue(names: readonly string[]): { readonly key: string; readonly cert: string };
  /** Issues a certificate that has expired. */
  issueOver(names: readonly string[]): { readonly key: string; readonly cert: string };
  close(): void;
}

export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-authority-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const own = ['-subj', '/CN=Authority of the tests', '-addext', 'basicConstraints=critical,CA:TRUE'];
  openssl('req', '-x509', ...curve, '-days', '2', '-keyout', at('ca.key'), '-out', at('ca.pem'), ...own);
  let issued = 0;

  function sign(names: readonly string[], days: readonly string[]) {
    issued += 1;
    const [key, request, cert, more] = ['key', 'csr', 'pem', 'ext'].map((end) => at(`${issued}.${end}`)) as [
      string,
      string,
      string,
      string,
    ];
    writeFileSync(more, `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
    openssl('req', ...curve, '-keyout', key, '-out', request, '-subj', `/CN=${names[0]}`);
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', String(issued)];
    openssl('x509', '-req', '-in', request, ...by, '-out', cert, '-extfile', more, ...days);
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  }

  return {
    file: at('ca.pem'),
    issue: (names) => sign(names, ['-days', '2']),
    issueOver: (names) => sign(names, ['-days', '-1']),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
