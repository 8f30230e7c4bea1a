import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { tolerance } from '../../src/core/model/age.ts';
import { readSubjectId, type SubjectId } from '../../src/core/model/person/subject.ts';
import type { Visit } from '../../src/core/model/person/visit.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { createSeal } from '../../src/store/seal.ts';
import { openAction, sealAction } from '../../src/web/action-token.ts';
import { shop } from './fixture.ts';

const seal = createSeal(['a-secret-of-at-least-thirty-two-bytes-1']);
const day = 24 * 60 * 60 * 1000;
const at = 1_000_000_000_000;

const bank = { ...shop, center: 'ba4c0000-0000-4000-8000-000000000001' };

function visitOf(identifier: string): Visit {
  const subject: SubjectId | undefined = readSubjectId(identifier);
  assert.ok(subject);
  return { center: 'shop', subject, scope: 'manage', channel: 'link', since: at };
}

const made = { action: 'undo 1', centerConfig: shop, visit: visitOf('anna@example.org') };
const token = sealAction({ seal, random: { id: () => 'once' }, clock: { now: () => at } }, made);
/** The nonce in the token; undefined when the token is refused. */
function open(given: unknown, use: typeof made, now = at): string | undefined {
  try {
    return openAction({ seal, clock: { now: () => now } }, given, use);
  } catch (fault) {
    assert.ok(fault instanceof Problem && fault.code === 'form-refused');
    return undefined;
  }
}

suite('The token of a button', () => {
  test('gives its nonce to the use that it was made for, for a day', () => {
    assert.equal(open(token, made), 'once');
    assert.equal(open(token, made, at + day), 'once');
    assert.equal(open(token, made, at + day + 1), undefined);
    assert.equal(open(token, made, at - tolerance - 1), undefined);
  });

  const others = {
    'another action': { ...made, action: 'undo 2' },
    'another center': { ...made, centerConfig: bank },
    'another person': { ...made, visit: visitOf('ben@example.org') },
  };
  for (const [name, use] of Object.entries(others)) {
    test(`does not open for ${name}`, () => assert.equal(open(token, use), undefined));
  }
});
