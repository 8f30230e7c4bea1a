import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { linksOf, readIdentifier } from '../../../src/cli/links.ts';
import { type Config, readConfig } from '../../../src/config/environment.ts';
import { times } from '../../chaos/dice.ts';
import { forSuite } from '../../kit/for-suite.ts';
import { readForm, readForms, save } from '../../kit/form.ts';
import { generator } from '../../kit/generator.ts';
import { mutated } from '../../kit/mutated.ts';
import { until } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { recorded } from '../../upstream/recorded.ts';
import { assertHeading, outcomes } from '../centers/fixture.ts';
import { startOver } from './asked.ts';

const rounds = times(100, 10_000);
const seed = Number(process.env['SAYSO_SEED'] ?? 20_261_121);
const rates = [0.002, 0.01, 0.04, 0.15];
/** A limit of concurrent rounds: with the PUTs the product refuses no request as overloaded. */
const atOnce = 6;
const putsAtOnce = 16;

/** Answers of the platform for one made-up center. */
type World = { readonly [name in keyof typeof original]?: unknown };

const original = {
  single: recorded('01_v1_schema.json'),
  root: recorded('07_v2_root_schema.json'),
  page: recorded('08_v2_page_schema.json'),
  subject: recorded('02_v1_datasubject_preferences.json'),
  written: recorded('04_v1_put_response.json'),
};

suite(`Mutated answers of the platform (seed ${seed})`, { concurrency: true }, () => {
  const worlds = new Map<string, World>();
  const unhandled: unknown[] = [];
  let config: Config;
  const note = (fault: unknown) => void unhandled.push(fault);
  const { product } = forSuite(async () => {
    process.on('unhandledRejection', note);
    const over = await startOver(({ kind, id, method }) => {
      over.platform.calls.length = 0;
      const world = worlds.get(id);
      if (world === undefined) return { status: 404, body: '' };
      if (kind === 'preferences')
        return world.single === undefined ? { status: 404, body: '' } : { body: world.single };
      if (kind === 'root') return { body: world.root };
      if (kind === 'page') return { body: world.page };
      if (kind === 'subject') return { body: method === 'GET' ? world.subject : world.written };
      return { status: 404, body: '' };
    });
    config = readConfig(over.product.env, () => '');
    return over;
  });
  after(() => process.off('unhandledRejection', note));

  /** Gives each round a center and a person of its own, so that nothing is cached and no round waits. */
  function newCenter(round: string, worldOf: (center: string) => World): string {
    const hex = createHash('sha256').update(round).digest('hex');
    const center = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4000-8000-${hex.slice(20, 32)}`;
    worlds.set(center, { ...original, subject: recordOf(center), ...worldOf(center) });
    return center;
  }

  async function arrive(center: string): Promise<Visitor> {
    const browser = createVisitor(product.url);
    const visitor: Visitor = {
      ...browser,
      // On a busy machine a reading takes longer than a page waits for it.
      get: (path, headers) =>
        until(async () => {
          const answer = await browser.get(path, headers);
          return answer.status === 503 ? undefined : answer;
        }),
    };
    const link = linksOf(config, center).manage(readIdentifier(config, personOf(center)), 'manage', 1);
    const answer = await visitor.get(link);
    assert.equal(answer.status, 303, answer.text);
    return visitor;
  }

  /** Checks that the answer is a whole page or a named problem; true for a page. */
  function assertWhole(answer: Answer, title: string): boolean {
    const named = [200, 404, 502];
    assert.ok(named.includes(answer.status), `${title}: ${answer.status} ${answer.text.slice(0, 2_000)}`);
    assertHeading(answer);
    assert.match(answer.text, /<\/html>\s*$/, title);
    const at = answer.text.search(/<script(?! src="\/assets\/)|\[object |>undefined</i);
    assert.equal(at < 0 ? undefined : answer.text.slice(Math.max(0, at - 200), at + 200), undefined, title);
    return answer.status === 200;
  }

  type Mutate = (body: unknown, factor?: number) => unknown;

  /** Kinds of rounds: the mutated answers, the share of the rounds, and a second page to open. */
  const kinds: Readonly<
    Record<string, { share: number; beside?: string; worldOf(mutate: Mutate, center: string): World }>
  > = {
    'single-page schemas': {
      share: 1 / 4,
      beside: '/unsubscribe',
      worldOf: (mutate) => ({ single: mutate(original.single) }),
    },
    'Multi Page schemas': {
      share: 1 / 4,
      beside: '/unsubscribe',
      worldOf: (mutate, center) => ({
        // Half of the centers have no Single Page schema.
        single:
          Number.parseInt(center, 16) % 2 === 0
            ? undefined
            : { ...(mutate(original.single, 1 / 2) as object), Template: 'MULTIPAGE' },
        // The id of the page is the id of its center, in the root and in the page.
        root: withPage(mutate(original.root), center),
        page: mutate(original.page),
      }),
    },
    records: {
      share: 1 / 2,
      worldOf: (mutate, center) => ({ subject: mutate(recordOf(center)) }),
    },
  };

  suite('in turn', { concurrency: false }, () => {
    for (const [kind, { share, beside, worldOf }] of Object.entries(kinds)) {
      const count = rounds * share;
      const run = async (round: number): Promise<boolean> => {
        const random = generator(seed + round);
        const rate = rates[round % rates.length] ?? 0.01;
        const mutate: Mutate = (body, factor = 1) => mutated(body, random, rate * factor);
        const center = newCenter(`${kind} ${round}`, (id) => worldOf(mutate, id));
        const visitor = await arrive(center);
        const page = await visitor.get(`/centers/${center}?lang=${['en', 'fr', 'ar'][round % 3]}`);
        const isPage = assertWhole(page, 'page');
        if (isPage && isOfAnother(worlds.get(center)?.subject, personOf(center)))
          assert.fail('the record of another person was shown');
        if (beside !== undefined) {
          if (round % 5 === 0) assertWhole(await visitor.get(`/centers/${center}${beside}`), beside);
          if (round % 5 === 1 && isPage) await assertPostable(visitor, page);
        }
        worlds.delete(center);
        return isPage;
      };

      test(`${count} ${kind} lead to pages or named problems`, async () => {
        let shown = 0;
        let next = 0;
        const work = async () => {
          for (let round = next++; round < count; round = next++)
            try {
              if (await run(round)) shown += 1;
            } catch (fault) {
              throw new Error(`${kind}: round ${round} of seed ${seed}`, { cause: fault });
            }
        };
        await Promise.all(Array.from({ length: atOnce }, work));
        assert.ok(shown > count * 0.6, `${shown} of ${count} were pages`);
        assert.deepEqual(unhandled, []);
        assert.equal('polluted' in {}, false);
      });
    }
  });

  test('a mutated answer to a PUT never shows an opt-in as saved that is not on record', async () => {
    const newsletter = 'da9f94d5-827d-4ae0-a794-ed4f5593326a';
    const outcomeOf = async (round: number) => {
      const random = generator(seed + round);
      const written = mutated(original.written, random, rates[round % rates.length] ?? 0.01);
      const center = newCenter(`written ${round}`, () => ({ written }));
      const visitor = await arrive(center);
      const form = readForm((await visitor.open(`/centers/${center}?lang=en`)).text).tick(
        'purpose',
        newsletter,
      );
      const posted = await visitor.press(form, save);
      assert.equal(posted.status, 303, posted.text.slice(0, 500));
      return outcomes(await visitor.open(posted.location ?? ''))['Newsletter'];
    };
    for (let wave = 0; wave < 2; wave++) {
      const some = Array.from({ length: putsAtOnce }, (_, place) => outcomeOf(wave * putsAtOnce + place));
      for (const outcome of await Promise.all(some))
        assert.match(outcome ?? '', /^(not-saved|in-progress|in-doubt)$/);
    }
    assert.deepEqual(unhandled, []);
  });

  /** Saves the form unchanged: the product understands its own form, and calls no platform. */
  async function assertPostable(visitor: Visitor, page: Answer): Promise<void> {
    const form = readForms(page.text).find((candidate) => candidate.has('action', 'save'));
    assert.ok(form, 'a page has a form');
    const posted = await visitor.press(form, save);
    assert.equal(posted.status, 303, `${posted.status} ${posted.text.slice(0, 4_000)}`);
    const result = await visitor.get(posted.location ?? '');
    assertWhole(result, 'result');
    assert.match(result.url, /saved=unchanged$/, 'an untouched form changes nothing');
  }
});

/** Puts the page of the round into each entry of the root. */
function withPage(root: unknown, page: string): unknown {
  if (typeof root !== 'object' || root === null || !('pages' in root) || !Array.isArray(root.pages))
    return root;
  return {
    ...root,
    pages: root.pages.map((entry: unknown) =>
      typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? { ...entry, id: page } : entry,
    ),
  };
}

function personOf(center: string): string {
  return `${center}@example.com`;
}

function recordOf(center: string): unknown {
  return { ...(original.subject as object), DataSubjectId: personOf(center) };
}

function isOfAnother(subject: unknown, person: string): boolean {
  if (typeof subject !== 'object' || subject === null || !('DataSubjectId' in subject)) return false;
  const { DataSubjectId } = subject;
  return typeof DataSubjectId === 'string' && DataSubjectId.trim().toLowerCase() !== person;
}
