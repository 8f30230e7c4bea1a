import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { productOf } from '../../kit/for-suite.ts';
import { type Form, readForm, save, switches } from '../../kit/form.ts';
import { standing } from '../../kit/moves.ts';
import { bank, books } from '../../kit/sandbox-ids.ts';
import { enterShop, linkKeys, shop, signed } from '../../kit/shop.ts';
import { createVisitor, type Visitor } from '../../kit/visitor.ts';
import { routes } from '../../routes.ts';

const offWords = /WITHDRAWN|OPT_OUT|NO_CONSENT/;

/** A center without sign-in, so that a visitor cannot get more rights there. */
const desk = { address: 'desk', center: bank, linkKeys, signIn: { mail: false } };
const product = productOf({
  centers: [shop, desk],
});

type Scope = 'manage' | 'withdraw';

const english = () => createVisitor(product.url, { 'accept-language': 'en' });
const stepUp = /Please confirm that it’s you/;

const exampleOf = (path: string) =>
  path
    .replace(':center', 'shop')
    .replace(/\{[^}]*\}/, '')
    .replace(/:\w+/, 'nothing');

for (const mount of ['/centers', '/embed'] as const) {
  const below = routes.filter(({ path }) => path.startsWith(`${mount}/`));
  const home = `${mount}/shop`;
  const enter = (visitor: Visitor, subject: string, scope: Scope) =>
    enterShop(visitor, mount, { subject, scope });

  suite(`A link for withdrawing, below ${mount}`, () => {
    test('each page for managers leads a link for withdrawing to a message, and no page links to one', async () => {
      const visitor = english();
      const query = await enter(visitor, 'anna@example.org', 'withdraw');
      const page = await visitor.get(home + query);
      assert.doesNotMatch(page.text, /\/record|\/devices/);
      for (const { method, path, who } of below) {
        const address = `${exampleOf(path)}${query}`;
        if (method === 'POST' && who === 'manager')
          assert.equal((await visitor.post(address, [])).status, 403, path);
        // The page that offers the message is where the others lead.
        if (method === 'POST' || !['person', 'manager'].includes(who) || path.endsWith('/step-up')) continue;
        const { text, headers } = await visitor.open(address);
        const isManagers = stepUp.test(text);
        assert.equal(
          who,
          isManagers ? 'manager' : 'person',
          `${path}: its line in test/routes.ts, or managersOnly`,
        );
        if (isManagers) assert.match(String(headers['content-type']), /^text\/html/);
        assert.ok(!text.includes('name="held"'), 'there is nothing to hold');
      }
    });

    test('a form of the person’s own visit only turns purposes off under a link for withdrawing', async () => {
      const identifier = `own.visit${mount.replace('/', '.')}@example.org`;
      const owner = english();
      const ownQuery = await enter(owner, identifier, 'manage');
      const page = await owner.get(home + ownQuery);
      const displayed = () => readForm(page.text, 'purpose');
      const forwarded = english();
      const query = await enter(forwarded, identifier, 'withdraw');
      const french = await owner.get(`${home}${ownQuery}${ownQuery === '' ? '?' : '&'}lang=fr`);
      const [off] = switches(displayed()).off;
      const text = displayed().controls.find(
        ({ name, type }) => name.startsWith('element.') && type === 'text',
      );
      const keep = readForm(french.text, 'keep-language').controls.find(
        ({ name }) => name === 'keep-language',
      );
      assert.ok(off && text && keep);
      const preferences: Readonly<Record<string, Form>> = {
        'switching on': displayed().tick('purpose', off),
        'a data element': displayed().type(text.name, 'Somebody Else'),
        'a language': readForm(french.text, 'keep-language').tick('keep-language', keep.value),
      };
      const before = await product.sandbox.subject(books, identifier);
      for (const [name, form] of Object.entries(preferences)) {
        const answer = await forwarded.post(home + query, form.press(save).fields);
        assert.ok([200, 403, 422].includes(answer.status), `${name}: ${answer.status}`);
        assert.equal(answer.location, undefined, name);
        assert.deepEqual(standing(await product.sandbox.subject(books, identifier)), standing(before), name);
      }
      const all = [
        ...displayed()
          .press(save)
          .fields.filter(([name]) => name !== 'action'),
        ['action', 'subscribe-all'],
      ] as const;
      await forwarded.post(home + query, all as readonly (readonly [string, string])[]);
      assert.deepEqual(standing(await product.sandbox.subject(books, identifier)), standing(before));
    });

    test('the undo button of the person’s own result undoes nothing under a link for withdrawing', async () => {
      const identifier = mount === '/centers' ? 'jonas@example.org' : 'salma@example.org';
      const owner = english();
      const ownQuery = await enter(owner, identifier, 'manage');
      const page = await owner.get(home + ownQuery);
      const form = readForm(page.text, 'purpose');
      const [on = ''] = switches(form).on;
      const posted = form.untick('purpose', on).press(save);
      const result = await owner.open((await owner.post(home + ownQuery, posted.fields)).location ?? '');
      const undo = readForm(result.text, /\/undo/);
      const forwarded = english();
      const query = await enter(forwarded, identifier, 'withdraw');
      const path = new URL(undo.action, product.url).pathname;
      const answer = await forwarded.post(path + query, undo.press().fields);
      assert.equal(answer.location, undefined);
      assert.ok(answer.text.includes('name="held"'), 'a message is offered');
      const { purposes } = standing(await product.sandbox.subject(books, identifier));
      assert.match(String(purposes[on.toLowerCase()]?.status), offWords);
    });
  });
}

suite('A link for withdrawing', () => {
  test('the result says what was turned off by a form that asks for more, where no sign-in is offered', async () => {
    const identifier = 'anna@example.org';
    const link = async (scope: Scope) =>
      `/centers/desk?t=${await signed(identifier, { aud: 'desk', scope })}`;
    const visitor = english();
    const page = await visitor.open(await link('manage'));
    const form = readForm(page.text, 'purpose');
    const { on, off } = switches(form);
    assert.ok(on[0] && off[0]);
    const shown = await visitor.open(await link('withdraw'));
    assert.ok(!shown.text.includes('step-up'), 'no message can be sent');
    assert.equal((await visitor.get('/centers/desk/sign-in')).status, 401);
    const posted = form.untick('purpose', on[0]).tick('purpose', off[0]).press(save);
    const result = await visitor.open((await visitor.post('/centers/desk', posted.fields)).location ?? '');
    assert.equal(result.status, 200);
    assert.match(result.text, /We’re saving what you turned off. Nothing else is saved yet/);
    const { purposes } = standing(await product.sandbox.subject(bank, identifier));
    assert.match(String(purposes[on[0].toLowerCase()]?.status), offWords);
    assert.doesNotMatch(String(purposes[off[0].toLowerCase()]?.status), /^ACTIVE/);
  });

  test('a link for withdrawing ends no other session of the person', async () => {
    const identifier = 'devices@example.org';
    const owner = english();
    await enterShop(owner, '/centers', { subject: identifier, scope: 'manage' });
    const form = readForm((await owner.get('/centers/shop/devices')).text, /\/devices/);
    const forwarded = english();
    await enterShop(forwarded, '/centers', { subject: identifier, scope: 'withdraw' });
    const answer = await forwarded.post('/centers/shop/devices', form.press().fields);
    assert.equal(answer.status, 403);
    assert.equal((await owner.get('/centers/shop')).status, 200);
  });
});
