import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createLocalJWKSet, type FlattenedJWSInput, flattenedVerify, type JSONWebKeySet } from 'jose';
import { request } from 'undici';
import type { RecordCopy } from '../../../src/core/model/evidence/record-copy.ts';
import { readSubjectId } from '../../../src/core/model/person/subject.ts';
import { noIntent } from '../../../src/core/model/submission/intent.ts';
import { aRequest } from '../../delivery/fixture.ts';
import { productOf } from '../../kit/for-suite.ts';
import { save } from '../../kit/form.ts';
import { openJournalIn } from '../../kit/journal-file.ts';
import { carryOut, planMoves } from '../../kit/moves.ts';
import { oneClick } from '../../kit/one-click.ts';
import { books, newBooks as letter } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { finish, put } from '../../store/contract/people-fixture.ts';

const home = `/centers/${books}`;

const product = productOf();

async function visit(
  identifier: string,
  { flags = [], headers = {} }: { flags?: string[]; headers?: Record<string, string> } = {},
): Promise<{ visitor: Visitor; page: Answer }> {
  const visitor = createVisitor(product.url, headers);
  const link = await product.link({ center: books, identifier, flags });
  return { visitor, page: await visitor.open(link) };
}

function submitMoves(visitor: Visitor, page: Answer): Promise<Answer> {
  return visitor.submit(page, (form) => carryOut(planMoves(form), form), save);
}

async function keySet(url = product.url): Promise<JSONWebKeySet> {
  const answer = await request(`${url}/.well-known/jwks.json`);
  assert.match(String(answer.headers['content-type']), /^application\/jwk-set\+json/);
  assert.equal(answer.headers['access-control-allow-origin'], '*', 'anyone may verify, in a browser too');
  return (await answer.body.json()) as JSONWebKeySet;
}

async function verify(text: string, keys: JSONWebKeySet): Promise<RecordCopy> {
  const signed = JSON.parse(text) as FlattenedJWSInput;
  const { payload } = await flattenedVerify(signed, createLocalJWKSet(keys), { algorithms: ['EdDSA'] });
  return JSON.parse(new TextDecoder().decode(payload)) as RecordCopy;
}

suite('My record', () => {
  test('the record lists changes with time, channel and receipt, the newest first', async () => {
    const identifier = 'anna@example.org';
    const { visitor, page } = await visit(identifier, { headers: { 'accept-language': 'en' } });
    const result = await submitMoves(visitor, page);
    const [, receipt = ''] = /Receipt <code[^>]*>([^<]+)/.exec(result.text) ?? [];
    await oneClick(product, identifier);
    await settled(visitor);

    const record = await visitor.get(`${home}/record?lang=en`);
    const entries = record.text.split('<li class="record-entry"').slice(1);
    assert.equal(entries.length, 2);
    const [left = '', changed = ''] = entries;
    assert.match(left, /One-click unsubscribe in an email/);
    assert.match(left, /Unsubscribe from all/);
    assert.match(left, /Offers and sales<\/span>: Turned off\./);
    assert.match(left, /Order updates<\/span>: This is part of the service/, 'an always active purpose');
    assert.match(changed, /By a link/);
    assert.match(changed, /Harbour Letter<\/span> <span class="move">On .*→.* Off<\/span>\s*(<ul|<\/li>)/);
    assert.ok(changed.includes(receipt) && receipt !== '');
    const [, iso = ''] = /<time datetime="([^"]+)" data-local="time">\d+:\d\d/.exec(changed) ?? [];
    assert.ok(Math.abs(Date.now() - Date.parse(iso)) < 60_000, iso);
    const french = await visitor.get(`${home}/record?lang=fr`);
    assert.match(french.text, /<html lang="fr"/);
    assert.match(french.text, /La Lettre du port/);
  });

  test('the record shows no change of another person', async () => {
    const { visitor } = await visit('other.person@example.org');
    const record = await visitor.get(`${home}/record?lang=en`);
    assert.match(record.text, /Nothing has changed here yet\./);
    const copy = await verify((await visitor.get(`${home}/record.json`)).text, await keySet());
    assert.deepEqual(copy.records, []);
    assert.equal(copy.sub, 'other.person@example.org');
  });

  test('the record can be downloaded with a signature', async () => {
    const { visitor } = await visit('anna@example.org');
    const answer = await visitor.get(`${home}/record.json?lang=en`);
    assert.equal(answer.headers['content-type'], 'application/jose+json; charset=utf-8');
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="my-record.json"');
    const { iss, sub, records } = await verify(answer.text, await keySet());
    assert.deepEqual([iss, sub], [product.url, 'anna@example.org']);
    const ways = records.map((each) => `${each['sayso:channel']} ${each['sayso:everything']}`);
    assert.deepEqual(ways, ['one-click true', 'link false']);
  });

  test('a downloaded record is proven by the published keys after two changes of the secret', async () => {
    const { visitor } = await visit('anna@example.org');
    const old = (await visitor.get(`${home}/record.json`)).text;
    const first = await keySet();
    await product.stop();
    const env = product.env as Record<string, string>;
    const secret = env['SECRET'] ?? '';
    try {
      for (const next of [
        'UPQDPT2bB1OBHt9macIc10ZOEuPnEnCHUAAY9GPS3hU',
        'oaqIvOOXUtNW5hDOp0lePQL4SA3ObE0UqzK27KRr9K8',
      ]) {
        env['SECRET'] = next;
        await product.start();
        const keys = await keySet();
        assert.notEqual(keys.keys[0]?.kid, first.keys[0]?.kid);
        assert.equal((await verify(old, keys)).sub, 'anna@example.org');
        await product.stop();
      }
    } finally {
      env['SECRET'] = secret;
      await product.start();
    }
    assert.equal((await keySet()).keys.length, 3);
  });

  test('a long record is complete on its pages and in its files', async () => {
    const identifier = 'long.standing@example.org';
    const subject = readSubjectId(identifier);
    assert.ok(subject);
    const { journal, close } = await openJournalIn(join(product.home, 'data'), product.env['SECRET'] ?? '');
    const references = new Set<string>();
    // A running product would process the submissions that are recorded here.
    await product.stop();
    const intent = { ...noIntent, purposes: [{ kind: 'off', purpose: letter } as const] };
    for (let number = 0; number < 260; number++) {
      const [reference, now] = [`long-${number}`, Date.now()];
      const request = aRequest({ nonce: reference, center: books, subject, intent });
      await put(journal, request, { reference, now });
      await finish(journal, now);
      references.add(reference);
    }
    await close();
    await product.start();

    const { visitor } = await visit(identifier);
    const seen = new Set<string>();
    let href: string | undefined = `${home}/record?lang=en`;
    let pages = 0;
    while (href !== undefined && pages < 100) {
      const page: Answer = await visitor.get(href);
      pages += 1;
      assert.match(page.text, new RegExp(`<p>Page ${pages} of 6</p>`));
      for (const [, reference = ''] of page.text.matchAll(/<code dir="ltr">(long-\d+)</g))
        seen.add(reference);
      href = /href="([^"]+)" rel="next"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(pages, 6);
    assert.deepEqual(seen, references);

    const last = await visitor.get(`${home}/record?lang=en&purpose=${letter}&page=6`);
    assert.match(last.text, /Page 6 of 6/);
    assert.equal(last.text.split('<li class="record-entry"').length, 11);

    const first = await visitor.get(`${home}/record?lang=en`);
    const files = [...first.text.matchAll(/href="([^"]*record\.json[^"]*)"/g)].map(([, file = '']) =>
      file.replaceAll('&amp;', '&'),
    );
    assert.equal(files.length, 3);
    const proven: string[] = [];
    for (const [at, file] of files.entries()) {
      const answer = await visitor.get(file);
      assert.equal(
        answer.headers['content-disposition'],
        `attachment; filename="my-record-${at + 1}-of-3.json"`,
      );
      const copy = await verify(answer.text, await keySet());
      assert.deepEqual([copy['sayso:total'], copy['sayso:part'], copy['sayso:parts']], [260, at + 1, 3]);
      proven.push(...copy.records.map((each) => each.record_id));
    }
    assert.equal(proven.length, 260);
    assert.deepEqual(new Set(proven), references);

    for (const page of ['0', '-1', '7', '99999999999', 'x', '1&page=2']) {
      const answer = await visitor.get(`${home}/record?page=${page}`);
      assert.equal(answer.status, 200, page);
      assert.match(answer.text, /<li class="record-entry"/);
    }
  });

  /** Waits until no change on the record is still being saved. */
  async function settled(visitor: Visitor): Promise<void> {
    await until(async () => !(await visitor.get(`${home}/record?lang=en`)).text.includes('Being saved'));
  }
});
