import { type LyingProvider, startLyingProvider } from '../kit/lying-provider.ts';
import { createVisitor, type Visitor } from '../kit/visitor.ts';
import { ask } from './browser.ts';

/** The organization whose members may see the staff pages; its tokens have the time of the fast clock. */
export interface Organization {
  readonly env: Readonly<Record<string, string>>;
  /** Signs in an editor in a new browser; undefined where that failed. */
  signIn(places: {
    readonly publicUrl: string;
    readonly address: () => string;
  }): Promise<Visitor | undefined>;
  close(): void;
}

const clientId = 'staff';

/** `now`: milliseconds since 1970 by the clock of the product. */
export async function startOrganization(now: () => number): Promise<Organization> {
  const provider: LyingProvider = await startLyingProvider();
  provider.claims = { name: 'Edda Editor', roles: ['editor'] };
  provider.lie = {
    change({ claims }) {
      const at = Math.floor(now() / 1000);
      Object.assign(claims, { iat: at, exp: at + 3_000 });
    },
  };
  return {
    env: {
      STAFF_OIDC_ISSUER: provider.url,
      STAFF_OIDC_CLIENT_ID: clientId,
      STAFF_OIDC_CLIENT_SECRET: provider.clientSecret,
      STAFF_OIDC_ROLES_CLAIM: 'roles',
    },
    async signIn({ publicUrl, address }) {
      const browser = createVisitor(publicUrl);
      const leave = await ask(browser, ['GET', new URL('/staff/sign-in', address())]);
      if (!leave?.location?.startsWith(provider.url)) return undefined;
      const back = await ask(browser, ['GET', new URL(leave.location)]);
      if (back?.location === undefined) return undefined;
      const { pathname, search } = new URL(back.location);
      const headers = { 'sec-fetch-site': 'cross-site' };
      const answer = await ask(browser, ['GET', new URL(pathname + search, address())], { headers });
      return answer?.status === 200 || answer?.status === 303 ? browser : undefined;
    },
    close: provider.close,
  };
}
