import { idOf } from './sample-centers.ts';
import { type Act, byDefault, type Kind, type Visit } from './wrong-once-model.ts';

const letters = { single: 'Letters', multi: 'Library' } as const;
const record = {
  single: { on: 'Calls', topicOf: 'News', topic: 'Crime', without: 'ACTIVE Daily Poetry' },
  multi: { on: 'Sales', topicOf: 'Term letter', topic: 'Sport', without: 'ACTIVE Music' },
} as const;
/** Where the multi page center draws what. */
const pageOf = (visit: Visit, kind: Kind, name: string) =>
  kind === 'multi' && ['Sales', 'Concerts'].includes(name) ? visit.page('two') : '';

const off = (purpose: string) => ({ [purpose]: 'off' });

function actsOf(kind: Kind): Act[] {
  const displayed = kind === 'single' ? 'Surveys' : 'Campus';
  const { on, topicOf, topic, without } = record[kind];
  const wanted = letters[kind];
  const base = { kind, isGrant: false } as const;
  const switchOff = async (visit: Visit, purpose: string) => {
    const page = await visit.see(
      pageOf(visit, kind, purpose),
      (each) => each.draws(purpose) && each.isOn(purpose),
    );
    await visit.press(page.untick(purpose));
    await visit.settle();
  };
  const switchOn = async (visit: Visit, purpose: string) => {
    const page = await visit.see(pageOf(visit, kind, purpose), (each) => each.draws(purpose));
    await visit.press(page.tick(purpose));
    await visit.settle();
  };
  const acts: Act[] = [];
  for (const isOnRecord of [true, false]) {
    for (const purpose of [...byDefault[kind], ...(isOnRecord ? [on] : [])]) {
      acts.push({
        ...base,
        isOnRecord,
        name: `one-click ${purpose}`,
        target: purpose,
        wants: off(purpose),
        run: (visit) => visit.click(purpose),
      });
    }
    acts.push(
      {
        ...base,
        isOnRecord,
        name: 'one-click everything',
        target: undefined,
        wants: 'everything',
        run: (visit) => visit.click(undefined),
      },
      {
        ...base,
        isOnRecord,
        name: `off ${displayed}`,
        target: displayed,
        wants: off(displayed),
        run: (visit) => switchOff(visit, displayed),
      },
      {
        ...base,
        isOnRecord,
        isGrant: true,
        name: `on ${wanted}`,
        target: wanted,
        wants: { [wanted]: 'ACTIVE' },
        run: (visit) => switchOn(visit, wanted),
      },
      {
        ...base,
        isOnRecord,
        name: 'leave everything',
        target: undefined,
        wants: 'everything',
        async run(visit) {
          await visit.leave();
          await visit.settle();
        },
      },
      {
        ...base,
        isOnRecord,
        gpc: true,
        name: 'object',
        target: undefined,
        wants: Object.fromEntries(byDefault[kind].map((each) => [each, 'off'])),
        async run(visit) {
          await visit.object();
          await visit.settle();
        },
      },
      {
        ...base,
        isOnRecord,
        isGrant: true,
        isUndone: true,
        name: `on and undo ${wanted}`,
        target: wanted,
        wants: off(wanted),
        async run(visit) {
          await switchOn(visit, wanted);
          await visit.undo();
          await visit.settle();
        },
      },
      {
        ...base,
        isOnRecord,
        name: 'save nothing',
        target: undefined,
        wants: {},
        async run(visit) {
          const page = await visit.see('', (each) => each.draws(displayed));
          await visit.press(page);
        },
      },
    );
  }
  acts.push(
    {
      ...base,
      isOnRecord: true,
      name: `off ${on}`,
      target: on,
      wants: off(on),
      run: (visit) => switchOff(visit, on),
    },
    {
      ...base,
      isOnRecord: true,
      scope: 'withdraw',
      name: `off ${on} by a link for withdrawing`,
      target: on,
      wants: off(on),
      run: (visit) => switchOff(visit, on),
    },
    {
      ...base,
      isOnRecord: true,
      confirms: true,
      name: `off ${topicOf}: ${topic}`,
      target: topicOf,
      wants: { [topicOf]: without },
      async run(visit) {
        const page = await visit.see(
          '',
          (each) =>
            each.draws(topicOf) &&
            each.isOn(topicOf) &&
            each.form.isTicked(`topic.${idOf(topicOf)}`, idOf(topic)),
        );
        await visit.press(page.topic(topicOf, topic, false));
        await visit.settle();
      },
    },
    {
      ...base,
      isOnRecord: true,
      isGrant: true,
      isUndone: true,
      name: `off and undo ${on}`,
      target: on,
      wants: { [on]: 'ACTIVE' },
      unsaved: off(on),
      async run(visit) {
        await switchOff(visit, on);
        await visit.undo();
        await visit.settle();
      },
    },
  );
  if (kind === 'single')
    acts.push(
      {
        ...base,
        isOnRecord: true,
        name: 'off Calls and on Letters',
        isGrant: true,
        target: 'Calls',
        wants: { Calls: 'off', Letters: 'ACTIVE' },
        unsaved: { Calls: 'off' },
        async run(visit) {
          const page = await visit.see('', (each) => each.isOn('Calls'));
          await visit.press(page.untick('Calls').tick('Letters'));
          await visit.settle();
        },
      },
      {
        ...base,
        isOnRecord: true,
        name: 'off Offers: New',
        target: 'Offers',
        wants: { Offers: 'ACTIVE Used' },
        async run(visit) {
          const page = await visit.see('', (each) => each.isOn('Offers'));
          await visit.press(page.option('Offers', 'Shelves', 'New', false));
          await visit.settle();
        },
      },
      {
        ...base,
        isOnRecord: true,
        isGrant: true,
        name: 'on News: History',
        target: 'News',
        wants: { News: 'ACTIVE Crime Daily History Poetry' },
        async run(visit) {
          const page = await visit.see('', (each) => each.isOn('News'));
          await visit.press(page.topic('News', 'History'));
          await visit.settle();
        },
      },
    );
  return acts;
}

export const acts: readonly Act[] = [...actsOf('single'), ...actsOf('multi')];
