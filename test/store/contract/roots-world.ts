import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { SignedRecord } from '../../../src/core/model/evidence/record-copy.ts';
import type { Wording } from '../../../src/core/model/evidence/wording.ts';
import { everyEventType } from '../../../src/core/model/submission/center-event.ts';
import { openDayRoots, readSigned, rootIn } from '../../../src/store/day-roots.ts';
import { rootNews } from '../../../src/store/event-news.ts';
import { openEvents } from '../../../src/store/events.ts';
import { type EvidenceFinding, evidenceChecks } from '../../../src/store/evidence-check.ts';
import { createRecordSigner } from '../../../src/store/record-signer.ts';
import { reading, type StoreParts } from '../../../src/store/sql.ts';
import { openWordings } from '../../../src/store/wordings.ts';
import { aRequest, intentOf, off, on } from '../../delivery/fixture.ts';
import { aPeopleStore, finish, newReference, put } from './people-fixture.ts';
import { day, hour, personOf } from './test-store.ts';

export const centers = ['center', 'other center'] as const;
const seeds = [Buffer.alloc(32, 7)];
const noKeys = { publish: async () => undefined, all: async () => [] };

export const aSigner = (seed = seeds) => createRecordSigner(seed, noKeys);

/** A store of submissions with the roots of their days. */
export async function rootsStore({ sql, seal }: StoreParts) {
  const signer = await aSigner();
  const types = { asks: ['root.signed'], 'does not ask': everyEventType } as const;
  const routes = () => ({ receivers: Object.entries(types).map(([id, each]) => ({ id, types: each })) });
  const { events } = await openEvents({ sql, seal, routes });
  const news = rootNews({ seal, routes });
  const roots = openDayRoots(sql, news);
  const checks = evidenceChecks({ sql, seal }, signer);
  const wordings = openWordings({ sql });
  return {
    ...aPeopleStore({ sql, seal }),
    signer,
    seal,
    roots,
    wordings,
    events,
    make: () => roots.make({ issuer: 'https://preferences.example', signer }),
    erased: checks.erased,
    async findings(): Promise<readonly EvidenceFinding[]> {
      const found: EvidenceFinding[] = [];
      for (const part of [checks.ofSubmissions(), checks.ofWords(), checks.ofRoots(0)])
        for await (const each of part) found.push(each);
      return found;
    },
  };
}

export type RootsStore = Awaited<ReturnType<typeof rootsStore>>;

const allRoots = reading<{ readonly center: string; readonly day: number; readonly signed?: string }>`
  SELECT * FROM day_root ORDER BY center, day`;

export async function rootsIn({ sql }: Pick<RootsStore, 'sql'>) {
  return (await sql.all(allRoots)).map(({ center, day, signed: text }) => {
    const signed = text === undefined ? undefined : readSigned(text);
    return { center, day, root: signed && rootIn(signed), signed };
  });
}

const kept = (value: object) => {
  const content = JSON.stringify(value);
  return { digest: hash('sha256', content, 'base64url'), content };
};

/** A wording of a center whose purposes have these names, and its texts. */
export function wordingOf(...names: readonly string[]) {
  const around = kept({ save: 'Save', unsubscribeAll: 'Leave' });
  const texts = names.map((name) => kept({ name }));
  const purposes = texts.map(({ digest: text }, place) => ({ id: 'ab'.charAt(place), version: 1, text }));
  const of = { center: 'center', revision: '1', language: 'en' };
  const wording: Wording = { ...of, around: around.digest, elements: [], purposes };
  return [kept(wording), [around, ...texts]] as const;
}

/** Keeps a wording with a purpose of this name; gives its digest. */
export async function keepWords({ wordings }: RootsStore, name: string): Promise<string> {
  const [whole, texts] = wordingOf(name);
  await wordings.keep(whole, texts);
  return whole.digest;
}

/** Each of these people makes one submission that ends on the day of `at`. */
export async function endOn(
  store: RootsStore,
  at: number,
  people: readonly number[],
  more: { readonly words?: string; readonly center?: string; readonly undoes?: string } = {},
): Promise<readonly string[]> {
  const references: string[] = [];
  for (const index of people) {
    const reference = newReference();
    const { words, undoes, center = centers[index % 2] ?? 'center' } = more;
    const shown = words === undefined ? {} : { shown: { by: 'form', words, language: 'en' } as const };
    const intent = intentOf(index % 3 === 0 ? off('a') : on('a'));
    await put(store, aRequest({ subject: personOf(index), center, intent, undoes, ...shown }), {
      reference,
      now: at,
    });
    await finish(store, at + 5);
    references.push(reference);
  }
  return references;
}

/** Closes days and makes all their roots, as the sweeps of a day do. */
export async function makeAll(store: RootsStore, clock: { at: number }, until: number): Promise<void> {
  clock.at = Math.max(clock.at, until);
  while ((await store.make()) > 0);
  clock.at += hour;
  while ((await store.make()) > 0);
}

export function dayOf(at: number): number {
  return at - (at % day);
}

export function payloadOf({ payload }: SignedRecord): string {
  const text = Buffer.from(payload, 'base64url').toString();
  assert.ok(text.startsWith('{'));
  return text;
}
