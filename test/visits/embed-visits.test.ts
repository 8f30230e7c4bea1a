import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Request } from 'express';
import { tolerance } from '../../src/core/model/age.ts';
import type { CenterConfig } from '../../src/core/model/center/center-config.ts';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { createSeal } from '../../src/store/seal.ts';
import { embedVisits } from '../../src/visits/embed-visits.ts';
import { lookAgain } from '../../src/web/body.ts';
import { shop } from '../web/fixture.ts';

const subject = readSubjectId('anna@example.org');
assert.ok(subject);
const bank = { ...shop, name: 'bank' };
const minute = 60_000;
const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);

/** The parts of an Express request that the visits read. */
function asked(href: string): Request {
  const query = Object.fromEntries(new URL(href, 'http://localhost').searchParams);
  const request = { query, get: () => undefined, acceptsLanguages: () => [] };
  return request as unknown as Request;
}

suite('A visit in a frame', () => {
  let now = 1_000_000_000_000;
  const signedOut = new Map<string, number>();
  const visits = embedVisits({
    seal,
    clock: { now: () => now },
    signedOutAt: async (person) => signedOut.get(person),
  });
  const find = async (request: Request, centerConfig: CenterConfig) => {
    await visits.load(request);
    return visits.find(request, centerConfig);
  };
  const renew = async (href: string) => {
    const request = asked(href);
    await visits.load(request);
    return visits.href(request, shop, '');
  };
  const begin = () => visits.begin(asked('/'), shop, { subject, scope: 'withdraw', since: now });

  test('is in the address, sealed: the person, the center, the channel and the rights', async () => {
    const href = begin();
    assert.doesNotMatch(Buffer.from(href.split('v=')[1] ?? '', 'base64url').toString('latin1'), /anna|shop/);
    assert.deepEqual(await find(asked(href), shop), {
      center: 'shop',
      subject,
      scope: 'withdraw',
      channel: 'embed',
      since: now,
    });
    assert.equal(await find(asked(href), bank), undefined);
    assert.equal(await find(asked('/embed/shop'), shop), undefined);
  });

  test('lasts 30 minutes, and every page renews it, up to 12 hours', async () => {
    const first = begin();
    const start = now;
    now = start + 30 * minute - 1;
    assert.ok(await find(asked(first), shop));
    now = start + 30 * minute;
    assert.equal(await find(asked(first), shop), undefined);

    now = start;
    let href = begin();
    while (now - start < 12 * 60 * minute - 29 * minute) {
      now += 29 * minute;
      const request = asked(href);
      assert.ok(await find(request, shop), `${(now - start) / minute} minutes`);
      href = visits.href(request, shop, '/news');
      assert.match(href, /^\/embed\/shop\/news\?v=/);
    }
    now = start + 12 * 60 * minute;
    assert.equal(await find(asked(href), shop), undefined);
  });

  test('ends when the person signs out on all devices; one that begins later does not', async () => {
    const before = begin();
    const renewed = await renew(before);
    now += minute;
    signedOut.set(subject, now);
    for (const href of [before, renewed]) assert.equal(await find(asked(href), shop), undefined);
    now += 1;
    assert.ok(await find(asked(begin()), shop));
    now -= 10 * minute;
    assert.equal(await find(asked(before), shop), undefined, 'a clock that was set back revives nothing');
    signedOut.clear();
    now += 10 * minute;
  });

  test('is not accepted if it began or was renewed in the future, for its age is unknown', async () => {
    const start = now;
    const first = begin();
    now += 5 * minute;
    const renewed = await renew(first);
    now = start - tolerance - 1;
    assert.equal(await find(asked(first), shop), undefined);
    now = start;
    assert.ok(await find(asked(first), shop));
    assert.equal(await find(asked(renewed), shop), undefined);
    now = start + 5 * minute;
    assert.ok(await find(asked(renewed), shop));
  });

  test('is checked again after the body arrived', async () => {
    const request = asked(begin());
    assert.ok(await find(request, shop));
    signedOut.set(subject, now);
    assert.ok(visits.find(request, shop), 'one check serves the whole request');
    await lookAgain(request);
    assert.equal(visits.find(request, shop), undefined);
    signedOut.clear();
  });

  test('keeps the language, and is the same in all addresses of a page', async () => {
    const request = asked(`${begin()}&lang=fr`);
    await visits.load(request);
    assert.match(visits.href(request, shop, ''), /&lang=fr$/);
    assert.match(visits.href(request, shop, '', { lang: 'de' }), /&lang=de$/);
    assert.equal(
      visits.href(request, shop, '/a').split('v=')[1],
      visits.href(request, shop, '/b').split('v=')[1],
    );
  });

  test('is not accepted if it was sealed for another use, or changed', async () => {
    const visit = { center: 'shop', subject, scope: 'manage', channel: 'embed', since: now };
    assert.equal(await find(asked(`/?v=${seal.seal('action', { visit, at: now })}`), shop), undefined);
    for (const odd of [
      {},
      { visit },
      { visit: { ...visit, scope: 'all' }, at: now },
      { visit: { ...visit, subject: '' }, at: now },
    ]) {
      assert.equal(await find(asked(`/?v=${seal.seal('embed visit', odd)}`), shop), undefined);
    }
    assert.ok(await find(asked(`/?v=${seal.seal('embed visit', { visit, at: now })}`), shop));
  });
});
