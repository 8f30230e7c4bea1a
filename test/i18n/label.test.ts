import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogues } from '../../src/i18n/catalogue.ts';
import { findLabel, label } from '../../src/i18n/label.ts';
import en from '../../src/i18n/messages/en.json' with { type: 'json' };
import { aCenter } from '../core/center-builder.ts';

const center = aCenter([], {
  languages: ['en-us', 'fr', 'fr-CA', 'da'],
  labelSets: {
    'en-us': { topics: 'Subjects', 'change-preferences': 'Update' },
    fr: { topics: 'Sujets', 'change-preferences': ' ' },
    'fr-CA': { topics: '', 'undo-changes': 'Défaire' },
  },
  translations: {
    'en-us': { Logout: 'Log off' },
    fr: { UpdatePreferences: 'Mettre à jour', Logout: '' },
    'fr-CH': { TopicsLabel: 'Thèmes', UndoChangesLabel: ' ', Logout: 'Quitter' },
    'fr-LU': { UndoChangesLabel: 'Revenir' },
    da: { UpdatePreferences: '', DefaultChangePreferencesLabel: 'Opdater' },
  },
});

describe('A general label', () => {
  const cases: readonly [language: string, name: Parameters<typeof label>[2], text: string, why: string][] = [
    ['fr', 'topics', 'Sujets', 'the label set’s'],
    ['fr-CA', 'topics', 'Sujets', 'label by label: a blank in the exact set falls to the shorter one'],
    ['fr-CA', 'undo-changes', 'Défaire', 'the exact set’s'],
    ['fr-BE', 'undo-changes', 'Défaire', 'a sibling’s, where no nearer set has it'],
    ['fr', 'change-preferences', 'Mettre à jour', 'the platform’s translation'],
    ['da', 'change-preferences', 'Opdater', 'the second key of the translation'],
    ['de', 'sign-out', 'Abmelden', 'ours in that language'],
    ['en-us', 'sign-out', 'Log off', 'a label that no set has'],
    ['de', 'topics', 'Themen', 'ours, before another language’s set'],
    ['da', 'topics', 'Topics', 'English, where we have no such language'],
    ['fr-CH', 'topics', 'Thèmes', 'its own translation before a related language’s set'],
    ['fr_ch', 'topics', 'Thèmes', 'its own, however the tag is spelt'],
    ['FR-ca', 'undo-changes', 'Défaire', 'the exact set’s, however the tag is spelt'],
    ['fr-CH', 'undo-changes', 'Défaire', 'a related language’s set before any of its translations'],
    ['fr-BE', 'sign-out', 'Quitter', 'a related language’s translation, where no set knows the label'],
  ];
  for (const [language, name, text, why] of cases) {
    test(`${name} in ${language} is “${text}”: ${why}`, () =>
      assert.equal(label(center, language, name), text));
  }

  test('is never blank, in any language, even if the center has no text', () => {
    const silent = aCenter([]);
    const names = Object.keys(en.labels) as readonly (keyof typeof en.labels)[];
    for (const language of [...Object.keys(catalogues), 'da', 'fa', '!!', '__proto__', 'constructor']) {
      for (const name of names) {
        assert.ok(label(silent, language, name).trim() !== '', `${name} in ${language}`);
        assert.equal(findLabel(silent, language, name), undefined);
      }
    }
  });
});
