import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { buildAuditPage } from '../../../src/pages/staff/audit.ts';
import type { FilterBlock, StaffPage } from '../../../src/pages/staff/every-page.ts';
import type { SubmissionFilter } from '../../../src/pages/staff/submission-list.ts';
import { createAssets } from '../../../src/web/assets.ts';
import { createToHtml } from '../../../src/web/render.ts';
import { readElements } from '../../kit/html.ts';
import { staffContext } from '../../samples/staff.ts';
import { submissionList, unfiltered } from '../../samples/staff-work.ts';

const root = join(import.meta.dirname, '../../..');
const assets = createAssets({ publicDir: join(root, 'public') });
const toHtml = createToHtml({ viewsDir: join(root, 'views'), assets, development: true });

function filterOf({ blocks }: StaffPage): FilterBlock {
  const found = blocks.find((block) => block.kind === 'filter');
  assert.ok(found);
  return found;
}

const submissions = (filter: Partial<SubmissionFilter>) => submissionList(staffContext, filter);

describe('The filter of a list', () => {
  test('is folded until it asks for something that nothing else on the page says', () => {
    assert.equal(filterOf(submissions({})).open, false);
    // One of the usual views, which is marked above.
    assert.equal(filterOf(submissions({ state: 'failed' })).open, false);
    assert.equal(filterOf(submissions({ center: 'c' })).open, true);
    assert.equal(filterOf(submissions({ state: 'failed', withdraws: true })).open, true);
    assert.equal(filterOf(submissions({ within: '24h' })).open, true);
    const audit = (text: string) =>
      buildAuditPage(staffContext, {
        lines: [],
        total: 0,
        size: 50,
        filter: { ...unfiltered, staff: '', text, page: 0 },
      });
    assert.equal(filterOf(audit('')).open, false);
    assert.equal(filterOf(audit('link')).open, true);
  });

  test('can be cleared once it is set', () => {
    const links = (filter: Partial<SubmissionFilter>) => filterOf(submissions(filter)).links;
    assert.deepEqual(links({}), []);
    assert.deepEqual(links({ state: 'failed' }), [{ href: '/staff/submissions', label: 'Clear' }]);
  });

  test('folds without script, and its fields are in it', () => {
    for (const isOpen of [false, true]) {
      const elements = readElements(toHtml('staff/page', submissions(isOpen ? { center: 'c' } : {})));
      const details = elements.find(({ attributes }) => attributes.get('class') === 'filter');
      assert.equal(details?.name, 'details');
      assert.equal(details.attributes.has('open'), isOpen);
      const form = elements.find(({ name, parent }) => name === 'form' && parent === details);
      assert.equal(form?.attributes.get('method'), 'get');
    }
  });
});
