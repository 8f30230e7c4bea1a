import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultForLog } from '../../src/core/model/logged-fault.ts';
import { Problem } from '../../src/core/model/problem.ts';
import { DatabaseFault } from '../../src/store/drivers/postgres/fault.ts';
import { createLog } from '../../src/web/log.ts';
import { findInternalErrors } from './internal-errors.ts';

test('only a fault of our own code is found in the log, and it is counted', () => {
  let text = '';
  const counted: string[] = [];
  const log = createLog({
    level: 'info',
    stream: { write: (line: string) => (text += line) },
    onInternalError: (error) => counted.push(error),
  });
  const refused = (code: string) =>
    new Problem('store-unavailable', { cause: new DatabaseFault('refused', { code, kind: 'refused' }) });
  log.error({ fault: faultForLog(refused('53100')) }, 'no room');
  log.info('listening');
  assert.deepEqual(findInternalErrors(text), []);
  log.error({ fault: faultForLog(refused('22003')) }, 'wrong');
  log.debug({ fault: faultForLog(refused('42601')) }, 'not logged, and so not counted');
  const [line = '', ...others] = findInternalErrors(text);
  assert.deepEqual(others, []);
  assert.match(line, /"code":"22003".*"internalError":"22003"/);
  assert.deepEqual(counted, ['22003']);
});
