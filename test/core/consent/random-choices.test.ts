import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centerOf, isUnsettled, itemAt, keyOf } from '../../../src/core/consent/desired-state.ts';
import type { PurposeChange } from '../../../src/core/model/submission/intent.ts';
import { rollDice, times } from '../../chaos/dice.ts';
import { aCenter, aPurpose, record, topics } from '../center-builder.ts';
import { adjust, type Fault, off, on, Person, reduce } from './desired-person.ts';

const minute = 60_000;
const purposes = ['a', 'b', 'd'] as const;
const choices = ['t1', 't2', 't3'];
/** `d` is on by default. */
const items = purposes.map((id) => aPurpose(id, { topics: topics(...choices), onByDefault: id === 'd' }));
const faults: readonly Fault[] = [
  'refused',
  'nothing-done',
  'lost',
  'landed-and-lost',
  'ignored',
  { late: 5 * minute },
  { firstLate: 2_000 },
  { firstLate: 40_000 },
];
const waits = [0, 1, 3_000, 11_000, 3 * minute, 12 * minute];

/**
 * The person’s own words about a purpose or choice, in order, here or elsewhere: what is on at the end was granted after
 * its last withdrawal.
 */
class Words {
  readonly #granted = new Map<string, number>();
  readonly #withdrawn = new Map<string, number>();

  /** What is on by default at first was granted at 0. */
  grant(key: string, at: number): void {
    this.#granted.set(key, at);
  }

  /** An objection leaves on what was agreed to. */
  object(key: string, at: number): void {
    if ((this.#granted.get(key) ?? -1) <= Math.max(0, this.withdrawnAt(key))) this.withdraw(key, at);
  }

  withdraw(key: string, at: number): void {
    this.#withdrawn.set(key, at);
  }

  withdrawnAt(key: string): number {
    return this.#withdrawn.get(key) ?? -1;
  }

  mayBeOn(key: string): boolean {
    const withdrawn = Math.max(this.withdrawnAt(key), this.withdrawnAt(key.slice(0, 1)));
    return (this.#granted.get(key) ?? -1) > withdrawn;
  }
}

test('No purpose and no choice is on at the end that the person withdrew after its last grant', () => {
  const dice = rollDice('choices');
  const some = (of: readonly string[]) => of.filter(() => dice.next() < 0.5);
  for (let world = 0; world < times(200, 40_000); world += 1) {
    const words = new Words();
    const start = purposes
      .filter((id) => dice.next() < (id === 'd' ? 0.2 : 0.6))
      .map((id) => ({ ...record(id, 'active'), topics: some(choices) }));
    if (!start.some(({ purpose }) => purpose === 'd')) words.grant('d', 0);
    for (const each of start)
      for (const key of [each.purpose, ...each.topics.map((topic) => each.purpose + topic)])
        words.grant(key, 0);
    const isShared = dice.whole(1, 3) === 1;
    const centers = isShared ? [aCenter(items), aCenter(items, { id: 'other' })] : [aCenter(items)];
    const person = new Person(centers, start, { isShared });
    const said: string[] = [];

    /** What a page shows: less what is being withdrawn. */
    const draw = (at: number) => {
      const { id: center } = dice.pick(centers);
      const desired = centerOf(person.desired, center);
      const isOut = (key: string) => {
        const word = itemAt(desired, key);
        return word?.want === 'off' && isUnsettled(word);
      };
      const { everything } = desired;
      const isLeaving = everything !== undefined && everything.phase !== 'verified';
      const recorded = person.record(center).purposes;
      const isAssumed = !recorded.some(({ purpose }) => purpose === 'd');
      const shown = [...recorded, ...(isAssumed ? [record('d', 'active')] : [])].filter(
        ({ purpose, status }) => {
          return status === 'active' && !isLeaving && !isOut(keyOf.purpose(purpose));
        },
      );
      const form = { ...person.form(center), drawn: undefined };
      return { at, center, form, isOut, shown, isAssumed };
    };
    const forms = [draw(0)];

    const post = (at: number) => {
      const form = dice.whole(1, 4) === 1 ? dice.pick(forms) : draw(at);
      forms.push(form);
      const changes: PurposeChange[] = [];
      for (const id of purposes) {
        const shown = form.shown.find(({ purpose }) => purpose === id);
        const chosen = some(choices);
        const isOld = words.withdrawnAt(id) > form.at;
        if (dice.whole(1, 3) === 1) continue;
        if (shown === undefined) {
          changes.push(on(id, { topics: chosen }));
          for (const key of isOld ? [] : [id, ...chosen.map((topic) => id + topic)]) words.grant(key, at);
        } else if (dice.whole(1, 2) === 1) {
          changes.push(off(id));
          words.withdraw(id, at);
        } else if (dice.whole(1, 4) === 1 && !(id === 'd' && form.isAssumed)) {
          changes.push(adjust(id, { renews: true }));
          // It agrees anew to what the page shows, also to what another center is withdrawing.
          for (const key of isOld ? [] : [id, ...shown.topics.map((topic) => id + topic)])
            words.grant(key, at);
        } else {
          const topicsOff = shown.topics.filter((topic) => chosen.includes(topic));
          const topicsOn = chosen.filter((topic) => !shown.topics.includes(topic));
          if (id === 'd' && form.isAssumed) {
            if (topicsOn.length === 0) continue;
            if (!isOld) words.grant(id, at);
          }
          changes.push(topicsOn.length > 0 ? adjust(id, { topicsOn, topicsOff }) : reduce(id, { topicsOff }));
          for (const topic of topicsOff) words.withdraw(id + topic, at);
          for (const topic of topicsOn) words.grant(id + topic, at);
        }
      }
      said.push(`form of ${form.at} in ${form.center}: ${JSON.stringify(changes)}`);
      if (changes.length > 0) person.submit(changes, form);
    };

    for (let at = 1; at <= dice.whole(3, 9); at += 1) {
      if (dice.whole(1, 3) === 1) person.faults.push(dice.pick(faults));
      if (dice.whole(1, 6) === 1) person.isPlatformAway = !person.isPlatformAway;
      const { id: center } = dice.pick(centers);
      const act = dice.whole(1, 10);
      if (act > 5) post(at);
      else if (act > 3) {
        const id = dice.pick(purposes);
        said.push(`click ${id} in ${center}`);
        person.submit([off(id)], { center, isOneClick: true, isBounded: true, form: undefined });
        words.withdraw(id, at);
      } else if (act > 2) {
        if (person.record(center).purposes.some(({ purpose }) => purpose === 'd')) continue;
        said.push(`objection in ${center}`);
        person.submit([off('d')], { center, isObjection: true, form: undefined });
        words.object('d', at);
      } else if (act > 1) {
        const id = dice.pick(purposes);
        const change = { ...record(id, 'active'), topics: some(choices) };
        said.push(`elsewhere ${id} ${change.topics.join('+')}`);
        person.change([change], center);
        for (const key of [id, ...change.topics.map((topic) => id + topic)]) words.grant(key, at);
      } else {
        said.push(`everything in ${center}`);
        person.submit({ everything: 'withdraw' }, { center, isBounded: true, form: undefined });
        for (const id of purposes) words.withdraw(id, at);
      }
      if (dice.whole(1, 5) > 1) person.settle(dice.pick(waits));
    }
    person.isPlatformAway = false;
    person.faults.length = 0;
    person.settle(40 * minute);
    const ended = person.record().purposes;
    const isAssumed = !ended.some(({ purpose }) => purpose === 'd');
    const active = [...ended, ...(isAssumed ? [record('d', 'active')] : [])].filter(
      ({ status }) => status === 'active',
    );
    const keys = active.flatMap(({ purpose, topics: chosen }) => [
      purpose,
      ...chosen.map((each) => purpose + each),
    ]);
    const wrong = keys.filter((key) => !words.mayBeOn(key));
    assert.deepEqual(wrong, [], [`world ${world}`, JSON.stringify(start), ...said].join('\n'));
  }
});
