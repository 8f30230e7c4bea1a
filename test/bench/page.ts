import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { Secret } from '../../src/config/setting.ts';
import type { Center } from '../../src/core/model/center/center.ts';
import { readSubjectId, type Subject } from '../../src/core/model/person/subject.ts';
import { plainBrand } from '../../src/pages/layout.ts';
import type { PageContext } from '../../src/pages/person/layout.ts';
import type { PreferencePage } from '../../src/pages/person/preferences.ts';
import { buildPreferencePage } from '../../src/pages/person/preferences.ts';
import { createPlatform, type HttpPlatform } from '../../src/upstream/platform.ts';
import { createAssets } from '../../src/web/assets.ts';
import { centerId, type Material, person } from './material.ts';

const root = join(import.meta.dirname, '..', '..');
export const viewsDir = join(root, 'views');
export const assets = createAssets({ publicDir: join(root, 'public') });

/** The product's own client of a stand-in platform. */
export function platformAt(url: string): HttpPlatform {
  return createPlatform({
    url: new URL(url),
    clientId: 'bench',
    clientSecret: new Secret('bench-secret'),
    clock: systemClock,
    log: undefined,
    metrics: undefined,
    // A thousand purposes are more than a platform would send.
    limits: { answerBytes: 32 * 1024 * 1024 },
  });
}

export interface Found {
  readonly center: Center;
  readonly subject: Subject;
}

export async function find(platform: HttpPlatform, material: Material): Promise<Found> {
  const identifier = readSubjectId(person);
  const center = await platform.findCenter(centerId(material));
  if (center === undefined || identifier === undefined)
    throw new Error('the stand-in platform has no center');
  return { center, subject: await platform.readSubject(center.id, identifier) };
}

export function pageOf({ center, subject }: Found): PreferencePage {
  const built = buildPreferencePage({
    pageContext: pageContext(subject),
    center,
    page: undefined,
    subject,
    language: 'en-us',
    scope: 'manage',
    action: '/centers/bench',
    unsubscribeHref: '/centers/bench/unsubscribe',
  });
  if (built === undefined) throw new Error('the center has no page');
  const token = Buffer.from(JSON.stringify(built.snapshot)).toString('base64url');
  return { ...built.page, form: { ...built.page.form, token } };
}

function pageContext(subject: Subject): PageContext {
  return {
    brand: plainBrand('Bench'),
    subject: subject.id,
    frame: 'top',
    pageHref: (page) => `/centers/bench/${page}`,
    languageHref: (language) => `/centers/bench?lang=${language}`,
    recordHref: '/centers/bench/record',
    everywhereHref: '/centers/bench/devices',
    signOut: { action: '/centers/bench/sign-out', token: 'x'.repeat(240) },
    session: {
      endsIn: 1_800,
      warnBefore: 120,
      continueHref: '/centers/bench',
      endingHref: '/centers/bench/session-ending',
    },
  };
}
