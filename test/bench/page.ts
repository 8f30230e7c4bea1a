import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { Secret } from '../../src/config/setting.ts';
import type { Center } from '../../src/core/model/center/center.ts';
import { readSubjectId, type Subject } from '../../src/core/model/person/subject.ts';
import type { PreferencePage } from '../../src/pages/person/preferences.ts';
import { createPlatform, type HttpPlatform } from '../../src/upstream/platform.ts';
import { createAssets } from '../../src/web/assets.ts';
import { draw } from '../core/page-builder.ts';
import { centerId, type Material, person } from './material.ts';

const root = join(import.meta.dirname, '..', '..');
export const viewsDir = join(root, 'views');
export const assets = createAssets({ publicDir: join(root, 'public') });

/** The product's own client, for a stand-in platform. */
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
  const { page, snapshot } = draw(center, { subject });
  const token = Buffer.from(JSON.stringify(snapshot)).toString('base64url');
  return { ...page, form: { ...page.form, token } };
}
