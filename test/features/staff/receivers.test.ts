import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listed } from '../../../src/features/staff/page.ts';
import { buildReceiversPage, type ReceiverState } from '../../../src/features/staff/receivers.ts';

function pageOf(changes: readonly Partial<ReceiverState>[], sentTo = '') {
  const receivers = changes.map((change, index) => ({
    id: `r${index}`,
    center: 'books',
    host: 'crm.example',
    waiting: 1,
    held: 0,
    oldestAt: 0,
    stoppedAt: undefined,
    problem: 'timeout',
    ...change,
  }));
  const page = buildReceiversPage({
    receivers,
    sentTo,
    centers: [{ id: 'books', name: 'Books' }],
  });
  const blocks = listed(page.blocks);
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const buttons = blocks.flatMap((block) => (block.kind === 'form' ? block.buttons : []));
  return {
    hosts: rows.map(([host]) => host?.text),
    reasons: rows.map(([, state]) => state?.more),
    buttons: buttons.map(({ value, label }) => [value, label]),
    note: listed(page.notes)[0]?.title,
  };
}

suite('The page of receivers', () => {
  test('each receiver of one host has a button of its own name, and the note names the one sent to', () => {
    const { hosts, buttons, note } = pageOf(
      [{}, {}, { center: 'bank' }, { host: 'other.example' }, { host: 'well.example', problem: undefined }],
      'r1',
    );
    const shown = 'crm.example (1), crm.example (2), crm.example, other.example, well.example';
    assert.equal(hosts.join(', '), shown);
    assert.deepEqual(buttons, [
      ['r0', 'Send again to crm.example (1), Books'],
      ['r1', 'Send again to crm.example (2), Books'],
      ['r2', 'Send again to crm.example, bank'],
      ['r3', 'Send again to other.example'],
    ]);
    assert.equal(note, 'Sending again to crm.example (2), Books');
  });

  test('the page has no note for an id of no receiver', () => {
    assert.equal(pageOf([{}], 'nobody').note, undefined);
  });

  test('the page says in words what is wrong, also for a status without words of its own', () => {
    const { reasons } = pageOf([{}, { problem: 'status-503' }, { problem: 'status-410', stoppedAt: 0 }]);
    assert.deepEqual(reasons, [
      'It did not answer in time.',
      'It answered 503.',
      'It answered that it wants no more (410).',
    ]);
  });
});
