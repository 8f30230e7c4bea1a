import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelIcon } from '../../../src/pages/person/channel-icon.ts';
import { words } from '../../core/page-builder.ts';

const cases: readonly (readonly [name: string, icon: string | undefined])[] = [
  ['E-mail', 'email'],
  ['E-post', 'email'],
  ['メール', 'email'],
  ['دوא״ל', undefined],
  ['דוא״ל', 'email'],
  ['SMS', 'text'],
  ['Text message', 'text'],
  ['Telefon', 'phone'],
  ['Post', 'post'],
  ['Push notifications', 'push'],
  ['WhatsApp', 'chat'],
  ['Poetry', undefined],
  ['Please send me an e-mail whenever there is anything new', undefined],
];

for (const [name, icon] of cases) {
  test(`“${name}” has ${icon === undefined ? 'no icon' : `the icon of ${icon}`}`, () => {
    assert.equal(channelIcon(words({ en: name })), icon);
  });
}

test('A name has the icon of its channel in every language, and none if two languages name different channels', () => {
  assert.equal(channelIcon(words({ da: 'Beskeder', en: 'Text message' })), 'text');
  assert.equal(channelIcon(words({ en: 'E-mail', fr: 'SMS' })), undefined);
});
