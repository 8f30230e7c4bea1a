import type { FormPage } from './fixture.ts';
import { idOf } from './sample-centers.ts';
import { type Act, byDefault, type Kind, type Visit } from './wrong-once-model.ts';

const letters = { single: 'Letters', multi: 'Library' } as const;
const record = {
  single: { on: 'Calls', topicOf: 'News', topic: 'Crime', without: 'ACTIVE Daily Poetry' },
  multi: { on: 'Sales', topicOf: 'Term letter', topic: 'Sport', without: 'ACTIVE Music' },
} as const;
/** The page of the Multi Page center that shows the purpose. */
const pageOf = (visit: Visit, kind: Kind, name: string) =>
  kind === 'multi' && ['Sales', 'Concerts'].includes(name) ? visit.page('two') : '';

const off = (purpose: string) => ({ [purpose]: 'off' });

function actsOf(kind: Kind): Act[] {
  const preset = kind === 'single' ? 'Surveys' : 'Campus';
  const { on, topicOf, topic, without } = record[kind];
  const wanted = letters[kind];
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
  const add = (
    [name, target, wants]: readonly [name: string, target: string | undefined, wants: Act['wants']],
    run: Act['run'],
    more: Partial<Act> = {},
  ) => void acts.push({ kind, isOnRecord: true, isGrant: false, name, target, wants, run, ...more });
  const settled = (run: Act['run']) => async (visit: Visit) => {
    await run(visit);
    await visit.settle();
  };
  const grant = { isGrant: true } as const;
  const undone = { ...grant, isUndone: true } as const;
  /** Opens the page that shows the purpose as on, and saves it with a change. */
  const change = (shown: string, fill: (page: FormPage) => FormPage) =>
    settled(async (visit) => visit.press(fill(await visit.see('', (each) => each.isOn(shown)))));
  for (const isOnRecord of [true, false]) {
    const person = { isOnRecord };
    for (const purpose of [...byDefault[kind], ...(isOnRecord ? [on] : [])])
      add([`one-click ${purpose}`, purpose, off(purpose)], (visit) => visit.click(purpose), person);
    add(['one-click everything', undefined, 'everything'], (visit) => visit.click(undefined), person);
    add([`off ${preset}`, preset, off(preset)], (visit) => switchOff(visit, preset), person);
    add([`on ${wanted}`, wanted, { [wanted]: 'ACTIVE' }], (visit) => switchOn(visit, wanted), {
      ...person,
      ...grant,
    });
    add(
      ['leave everything', undefined, 'everything'],
      settled((visit) => visit.leave()),
      person,
    );
    add(
      ['object', undefined, Object.assign({}, ...byDefault[kind].map(off))],
      settled((visit) => visit.object()),
      { ...person, gpc: true },
    );
    const onAndUndo = async (visit: Visit) => {
      await switchOn(visit, wanted);
      await visit.undo();
    };
    add([`on and undo ${wanted}`, wanted, off(wanted)], settled(onAndUndo), { ...person, ...undone });
    const saveNothing = async (visit: Visit) =>
      visit.press(await visit.see('', (each) => each.draws(preset)));
    add(['save nothing', undefined, {}], saveNothing, person);
  }
  const leaveOn = (visit: Visit) => switchOff(visit, on);
  add([`off ${on}`, on, off(on)], leaveOn);
  add([`off ${on} by a link for withdrawing`, on, off(on)], leaveOn, { scope: 'withdraw' });
  const hasTopic = (each: FormPage) => each.form.isTicked(`topic.${idOf(topicOf)}`, idOf(topic));
  add(
    [`off ${topicOf}: ${topic}`, topicOf, { [topicOf]: without }],
    settled(async (visit) => {
      const page = await visit.see('', (each) => each.draws(topicOf) && each.isOn(topicOf) && hasTopic(each));
      await visit.press(page.topic(topicOf, topic, false));
    }),
    { confirms: true },
  );
  const offAndUndo = async (visit: Visit) => {
    await switchOff(visit, on);
    await visit.undo();
  };
  add([`off and undo ${on}`, on, { [on]: 'ACTIVE' }], settled(offAndUndo), { ...undone, unsaved: off(on) });
  if (kind === 'multi') return acts;
  add(
    ['off Calls and on Letters', 'Calls', { Calls: 'off', Letters: 'ACTIVE' }],
    change('Calls', (page) => page.untick('Calls').tick('Letters')),
    { ...grant, unsaved: { Calls: 'off' } },
  );
  add(
    ['off Offers: New', 'Offers', { Offers: 'ACTIVE Used' }],
    change('Offers', (page) => page.option('Offers', 'Shelves', 'New', false)),
  );
  add(
    ['on News: History', 'News', { News: 'ACTIVE Crime Daily History Poetry' }],
    change('News', (page) => page.topic('News', 'History')),
    grant,
  );
  return acts;
}

export const acts: readonly Act[] = [...actsOf('single'), ...actsOf('multi')];
