import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { buildOneClickDonePage } from '../../../src/pages/person/one-click.ts';
import { aCenter, aPurpose } from '../../core/center-builder.ts';
import { aResult, aSubmission, pageContext, words } from '../../core/page-builder.ts';

test('A page after one click names what goes and what stays, also in a language spelt with an underscore', () => {
  const named = { offers: 'Offres', letters: 'Lettres', orders: 'Commandes' };
  const center = aCenter(
    Object.entries(named).map(([id, fr]) => aPurpose(id, { name: words({ fr_CA: fr }) })),
  );
  const page = buildOneClickDonePage({
    pageContext,
    center,
    language: 'fr_CA',
    oneClick: { center: center.id, subject: 'anna@example.org' as SubjectId, purpose: undefined },
    choicesHref: undefined,
    submission: aSubmission([
      aResult('offers', 'off', 'saved'),
      aResult('letters', 'off', 'saved'),
      aResult('orders', 'off', 'locked'),
    ]),
    undo: undefined,
  });
  assert.match(page.lines.join(' '), /Offres et Lettres .*Commandes/);
});
