import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWell } from '../../src/cli/check/report.ts';
import { type CheckOptions, checkTenant } from '../../src/cli/check/tenant-check.ts';
import { readConfig } from '../../src/config/environment.ts';
import { CLIENT } from '../sandbox/tenant.ts';
import { startScripted } from '../upstream/scripted-platform.ts';

export const center = 'b00c5000-0000-4000-8000-000000000001';
export const center2 = 'b00c5000-0000-4000-8000-000000000002';
export const center3 = 'b00c5000-0000-4000-8000-000000000003';
export const purposeId = 'b00c5000-0000-4000-8000-0000000000aa';
export const anna = 'anna@example.org';

/** Behaviour of a tenant with two centers and one person on record. */
export interface TenantWays {
  readonly key?: 'dsDataElements' | 'DsDataElements';
  /** How the tenant decodes the header of the identifier. */
  readonly encoding?: 'utf-8' | 'percent';
  readonly person?: string;
  /** A pattern of paths that are denied. */
  readonly denies?: RegExp;
  readonly headers?: Record<string, string>;
  /** The tenant ignores every change after the first. */
  readonly takesOnce?: boolean;
  /** Number of readings after a change that still show the older record. */
  readonly late?: number;
  /** Status of a third, unpublished center. */
  readonly third?: string;
  readonly single?: Record<string, unknown>;
  /** Number of pages of the second center. */
  readonly pages?: number;
}

export async function startTenant(ways: TenantWays = {}) {
  const { key = 'dsDataElements', encoding, person = anna } = ways;
  let elements: Readonly<Record<string, string>> = { 'First name': 'Anna', Email: person };
  let [older, staleReads] = [elements, 0];
  const puts: { readonly Purposes: readonly { readonly Id: string }[] }[] = [];
  const DataElements = Object.entries({ mail: 'Email', first: 'First name' }).map(([Id, Label]) => {
    return { Id, Label, DataElementType: 'USER_INPUT' };
  });
  const single = {
    Status: 200,
    Template: 'ENHANCED',
    Language: 'en',
    Languages: ['en'],
    Purposes: [{ Id: purposeId, Label: 'News', Status: 'ACTIVE', PurposeType: 'STANDARD' }],
    ProfileSettings: { IsEnabled: true, DataElements },
    ...ways.single,
  };
  const page = { id: 'p', sections: [{ id: 's', purposes: [{ id: purposeId, label: 'News' }] }] };
  const third = ways.third === undefined ? [] : [{ id: center3, status: ways.third }];
  const nameIn = (header: string) => {
    if (encoding === 'percent') return decodeURIComponent(header);
    return encoding === 'utf-8' ? Buffer.from(header, 'latin1').toString('utf8') : header;
  };
  const server = await startScripted(({ method, path, headers, body }) => {
    const answer = (body: unknown, status = 200) => ({ status, body, headers: ways.headers ?? {} });
    if (ways.denies?.test(path) === true) return answer({ message: 'no' }, 403);
    if (path.includes('/datasubjects/')) {
      const DataSubjectId = nameIn(String(headers['identifier']));
      if (DataSubjectId !== person) return answer({ DataSubjectId, Status: 400, Purposes: [] });
      if (method === 'PUT') {
        const update = JSON.parse(body) as (typeof puts)[number] & Record<string, Record<string, string>>;
        puts.push(update);
        [older, staleReads] = [elements, ways.late ?? 0];
        if (!ways.takesOnce || puts.length === 1) elements = { ...elements, ...update[key] };
        return answer({ Purposes: [{ Id: purposeId, Status: true }] });
      }
      const Purposes = [{ Id: purposeId, TransactionStatus: 'ACTIVE', Topics: [], CustomPreferences: [] }];
      staleReads -= 1;
      const DsDataElements = staleReads >= 0 ? older : elements;
      return answer({ DataSubjectId, Status: 200, Purposes, DsDataElements });
    }
    if (path.includes('preferencecenters?'))
      return answer({ content: [{ id: center }, { id: center2 }, ...third], last: true });
    if (path.includes(center3)) return answer({}, 404);
    if (path.includes(center2) && path.includes('/v1/'))
      return answer({ Status: 200, Template: 'MULTIPAGE' });
    if (path.includes('/schema') && path.includes(center2))
      return answer({ pages: Array.from({ length: ways.pages ?? 1 }, (_, at) => ({ id: `p${at}` })) });
    if (path.includes('preferencecenterpage')) return answer(page);
    if (path.includes(center)) return answer(single);
    if (path.includes('/tasks/')) return answer({}, 404);
    return answer({ content: [], last: true, totalPages: 0 });
  });
  return { ...server, puts, elements: () => elements };
}

/** Settings of the product on this tenant. The sandbox accepts the client, too. */
export const settingsOf = ({ url }: { readonly url: string }, home: string) => ({
  DATA_DIR: home,
  PUBLIC_URL: 'https://preferences.example.org',
  SECRET: 'Xq/m/rwL0DHKr7od3DMGNhPZJOCTQb4sNQIjLQE0D8s=',
  PLATFORM_URL: url,
  PLATFORM_CLIENT_ID: CLIENT.clientId,
  PLATFORM_CLIENT_SECRET: CLIENT.clientSecret,
});

export async function checked(
  ways: TenantWays,
  { env = {}, ...options }: CheckOptions & { readonly env?: Record<string, string> } = {},
) {
  const tenant = await startTenant(ways);
  const home = mkdtempSync(join(tmpdir(), 'sayso-check-'));
  const settings = { ...settingsOf(tenant, home), ...env };
  try {
    const config = readConfig(settings, (path) => readFileSync(path, 'utf8'));
    const lines = await checkTenant(config, { lookEveryMs: 5, ...options });
    const found = (about: string) =>
      lines.filter((line) => line.about.startsWith(about)).map(({ status, words }) => `${status}: ${words}`);
    return { lines, found, tenant, isWell: isWell(lines) };
  } finally {
    await tenant.close();
    rmSync(home, { recursive: true, force: true });
  }
}
