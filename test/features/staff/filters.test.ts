import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildAuditPage } from '../../../src/features/staff/audit.ts';
import type { Query } from '../../../src/features/staff/list.ts';
import { type Page, staffPage } from '../../../src/features/staff/page.ts';
import type { FilterBlock } from '../../../src/pages/staff-page.ts';
import { staffContext } from '../../samples/staff.ts';
import { submissionList, unfiltered } from '../../samples/staff-work.ts';

function filterOf(page: Page): FilterBlock {
  const { blocks } = staffPage(staffContext, page);
  return blocks.find((block) => block.kind === 'filter') ?? assert.fail('no filter');
}

const submissions = (filter: Partial<Query<'submissions'>>) => submissionList(filter);

describe('The filter of a list', () => {
  test('has a chip for each thing that is asked for, which leads to the list without it', () => {
    const chips = (page: Page) => filterOf(page).chips.map(({ label, href }) => [label, href]);
    assert.deepEqual(chips(submissions({})), []);
    assert.deepEqual(chips(submissions({ center: 'c', only: 'withdrawals' })), [
      ['Center: c', '/staff/submissions?only=withdrawals'],
      ['Only withdrawals', '/staff/submissions?center=c'],
    ]);
    const audit = buildAuditPage({
      lines: [],
      total: 0,
      filter: { ...unfiltered, staff: '', text: 'link' },
    });
    assert.deepEqual(chips(audit), [['What: link', '/staff/audit']]);
  });

  test('marks a usual view, and then needs no chip that says the same', () => {
    const { views, chips } = filterOf(submissions({ state: 'failed' }));
    assert.deepEqual(
      views.filter(({ current }) => current).map(({ label }) => label),
      ['Failed (0)'],
    );
    assert.deepEqual(chips, []);
  });

  test('can be cleared in one go once two things are asked for', () => {
    const links = (filter: Partial<Query<'submissions'>>) => filterOf(submissions(filter)).links;
    assert.deepEqual(links({ center: 'c' }), []);
    assert.deepEqual(links({ center: 'c', only: 'withdrawals' }), [
      { href: '/staff/submissions', label: 'Clear all' },
    ]);
  });
});
