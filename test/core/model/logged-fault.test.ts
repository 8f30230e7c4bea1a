import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { suite, test } from 'node:test';
import { faultForLog, internalErrorOf } from '../../../src/core/model/logged-fault.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import { DatabaseFault, unavailable } from '../../../src/store/drivers/postgres/fault.ts';

const refused = (code: string) =>
  new Problem('store-unavailable', { cause: new DatabaseFault('refused', { code, kind: 'refused' }) });

function fromSqlite(sql: string, value: unknown = 1): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('CREATE TABLE one (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    database.prepare(sql).run(value as number);
  } catch (fault) {
    return new Problem('store-unavailable', { cause: fault });
  } finally {
    database.close();
  }
  return assert.fail('it went well');
}

const typeError = new TypeError('x is not a function');
const invalidUrl = (() => {
  try {
    return new URL('nothing');
  } catch (fault) {
    return fault;
  }
})();

const insert = 'INSERT INTO one VALUES (?, 2)';
const own: readonly (readonly [what: string, fault: unknown, error: string])[] = [
  ['a number that is out of range', refused('22003'), '22003'],
  ['a column that is not there', refused('42703'), '42703'],
  ['a row that is written twice', refused('23505'), '23505'],
  ['a row that one statement writes twice', refused('21000'), '21000'],
  ['a statement in a transaction that has failed', refused('25P02'), '25P02'],
  ['a statement that is nothing', fromSqlite('INSERT INTO one VALUES (?, 2, 3)'), 'ERR_SQLITE_ERROR 1'],
  ['a row without what it must have', fromSqlite('INSERT INTO one (id) VALUES (?)'), 'ERR_SQLITE_ERROR 1299'],
  ['a value that nothing keeps', fromSqlite(insert, Symbol('x')), 'TypeError ERR_INVALID_ARG_TYPE'],
  ['a programmer’s error', typeError, 'TypeError'],
  ['one in what a store does', unavailable(typeError), 'TypeError'],
  ['an uncaught one', new Problem('unexpected', { cause: typeError }), 'TypeError'],
  ['an address that is none', invalidUrl, 'TypeError ERR_INVALID_URL'],
  ['any other unexpected error', new Problem('unexpected', { cause: new Error('?') }), 'Error'],
];

const others: readonly (readonly [what: string, fault: unknown])[] = [
  ['a disk that is full', refused('53100')],
  ['a database that may only be read', refused('25006')],
  ['a right that the operator has to give', refused('42501')],
  ['a statement that took too long', refused('57014')],
  ['a lost connection', new Problem('store-unavailable', { cause: new Error('Connection terminated') })],
  ['a platform that sends what it should not', new Problem('platform-unreadable', { cause: typeError })],
  ['a provider that is away', new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })],
  ['a mail server that is away', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
  ['nothing', undefined],
];

suite('An internal error', () => {
  for (const [what, fault, error] of own)
    test(`is ${what}`, () => assert.equal(internalErrorOf(faultForLog(fault)), error));
});

suite('An external error', () => {
  for (const [what, fault] of others)
    test(`is ${what}`, () => assert.equal(internalErrorOf(faultForLog(fault)), undefined));
});

test('the log of a database error quotes no row', () => {
  const thrown = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    detail: 'Key (subject)=(anna@example.org) already exists.',
  });
  const text = JSON.stringify(faultForLog(unavailable(thrown)));
  assert.match(text, /23505/);
  assert.doesNotMatch(text, /anna|duplicate/);
});
