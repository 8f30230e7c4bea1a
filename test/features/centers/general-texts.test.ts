import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { honoured } from '../../../src/upstream/members/member.ts';
import { portalTexts } from '../../../src/upstream/members/texts.ts';
import { productOf } from '../../kit/for-suite.ts';
import { readForm } from '../../kit/form.ts';
import { books } from '../../kit/sandbox-ids.ts';
import { until } from '../../kit/until.ts';
import { type Answer, createVisitor } from '../../kit/visitor.ts';
import { letterTo, tryCode } from '../identity/mailbox.ts';

const path = `/centers/${books}`;
const anna = 'anna@example.org';

/** Keys that a page shows if the language lacks a preferred key: in French the center has only these. */
const secondChoices = [
  'PreferencesUpdated',
  'Unsubscribed',
  'DefaultChangePreferencesLabel',
  'PreferenceLoginOtpDescription',
  'Error',
];

/** Keys of pages of single sign-on and of Multi Page, which test/pages/person builds. */
const elsewhere = ['LoginType', 'LoginWithSSO', 'SubscriptionSettingsLabel'];

/** `Consent.Ds.Portal.` keys without the prefix. */
const keys = Object.entries(portalTexts.members).flatMap(([name, { verdict }]) =>
  verdict === honoured('').verdict ? [name.slice('consent.Ds.Portal.'.length)] : [],
);
const marked = (key: string) => `«${key}»`;

const seen = new Map<string, string>();

function look(where: string, text: string): void {
  for (const key of keys) if (text.includes(marked(key)) && !seen.has(key)) seen.set(key, where);
}

const elementId = (at: number) => `b00c5000-0000-4009-8000-00000000000${at}`;
const element = (Label: string, DataElementType: string, at: number) => ({
  Id: elementId(at),
  Label,
  DataElementType,
  Status: 'PUBLISHED',
});

const product = productOf();
before(async () => {
  const address = `/api/consentmanager/v1/preferencecenters/${books}/preferences`;
  const schema = (await (await product.sandbox.call(address)).json()) as Record<string, object>;
  const textsOf = (tag: string) => {
    const own = tag === 'fr' ? secondChoices : keys;
    return Object.fromEntries(own.map((key) => [`Consent.Ds.Portal.${key}`, marked(key)]));
  };
  const translations = (tags: object) =>
    Object.fromEntries(Object.keys(tags).map((tag) => [tag, textsOf(tag)]));
  const Languages = Object.fromEntries(Object.keys(schema['Translations'] ?? {}).map((tag) => [tag, {}]));
  await product.sandbox.replace(books, 'preferences', {
    ...schema,
    PreferenceCenterSettings: { ...schema['PreferenceCenterSettings'], Languages },
    Translations: translations(schema['Translations'] ?? {}),
    PortalSettings: {
      ...schema['PortalSettings'],
      Title: '',
      HardOptOutFormat: 'LOCK',
      EnableReasons: true,
      ReasonsAllowOther: true,
      UnsubscribeReasons: ['Too many'],
    },
    ProfileSettings: {
      ...schema['ProfileSettings'],
      DefaultTitle: '',
      Languages: {},
      IsEnabled: true,
      DataElements: [
        element('Mail', 'EMAIL', 1),
        element('Phone', 'PHONE_NUMBER', 2),
        element('Nick', 'USER_INPUT', 3),
      ],
    },
  });
});

suite('A center’s own general texts', () => {
  test('each text is shown to a person who signs in, makes mistakes, saves, confirms and unsubscribes', async () => {
    const visitor = createVisitor(product.url);
    const asking = await visitor.open(`${path}/sign-in`);
    look('sign-in', asking.text);
    look('sign-in', (await createVisitor(product.url).open(`${path}/sign-in?lang=fr`)).text);
    const sent = await visitor.submit(asking, (form) => form.type('email', anna));
    look('passcode', sent.text);
    const letter = await letterTo(visitor, anna);
    const enter = async (on: Answer, code: string) => {
      const answer = await tryCode(visitor, on, code);
      return answer.location === undefined ? answer : visitor.open(answer.location);
    };
    const wrong = await enter(sent, letter.code === '000000' ? '000001' : '000000');
    look('wrong passcode', wrong.text);
    await product.sandbox.addFault({ kind: '500', status: 403, operation: 'read-subject' });
    look('fault', (await enter(wrong, letter.code)).text);
    look('fault', (await visitor.open(`${path}?lang=fr`)).text);
    await product.sandbox.clearFaults();
    const page = await visitor.open(`${path}?lang=en-us`);
    look('preferences', page.text);
    look('preferences', (await visitor.open(`${path}?lang=fr`)).text);
    await visitor.open(`${path}?lang=en-us`);
    const purposes = readForm(page.text).controls.flatMap(({ name, value }) =>
      name === 'purpose' ? value : [],
    );
    const [first = '', second = '', third = ''] = purposes.slice(1);

    const set = (id: string, status: string) =>
      product.sandbox.change({
        center: books,
        identifier: anna,
        Purposes: [{ Id: id, TransactionStatus: status }],
      });
    await set(first, 'HARD_OPT_OUT');
    await set(second, 'PENDING');
    await set(third, 'ACTIVE');
    look('waiting', (await visitor.open(`${path}/confirmed`)).text);
    await set(second, 'ACTIVE');
    const fresh = await visitor.open(`${path}/confirmed`);
    look('confirmed', fresh.text);

    const typed = async (which: number, value: string, on?: Answer) =>
      visitor.submit(on ?? (await visitor.open(path)), (form) =>
        form.type(`element.${elementId(which)}`, value),
      );
    const mistaken = await visitor.submit(fresh, (form) =>
      form.type(`element.${elementId(1)}`, 'x').type(`element.${elementId(2)}`, 'x'),
    );
    look('mistakes', mistaken.text);

    const settled = (where: string, result: Answer, key: string) =>
      until(async () => {
        look(where, result.text);
        for (const lang of ['fr', 'en-us'])
          look(where, (await visitor.open(`${new URL(result.url).pathname}?lang=${lang}`)).text);
        return seen.has(key);
      }, key);
    await settled('profile saved', await typed(3, 'Ann'), 'ProfileUpdateSuccess');
    await product.sandbox.addFault({ kind: '500', status: 400, operation: 'update-subject' });
    await settled('profile not saved', await typed(3, 'Bob'), 'ProfileUpdateError');
    await product.sandbox.clearFaults();
    const off = await visitor.submit(await visitor.open(path), (form) => form.untick('purpose', third));
    await settled('saved', off, 'PreferenceCenterUpdateSuccessPlaceholder');

    look('old link', (await createVisitor(product.url).open(`${path}?t=old`)).text);

    const leaving = await visitor.open(`${path}/unsubscribe`);
    look('leaving', leaving.text);
    const left = await visitor.submit(leaving, (form) => form.type('reason-text', 'x'.repeat(3_000)));
    await settled('left', left, 'PreferenceCenterUnsubscribeSuccessPlaceholder');

    const unseen = keys.filter((key) => !seen.has(key));
    assert.deepEqual(unseen.sort(), [...elsewhere].sort());
  });
});
