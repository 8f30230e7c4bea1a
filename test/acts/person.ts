import { SignJWT } from 'jose';
import { deriveKey } from '../../src/compose/secret.ts';
import { readSubjectId } from '../../src/core/model/person/subject.ts';
import { sealOneClick } from '../../src/features/unsubscribe/token.ts';
import { createSeal } from '../../src/store/seal.ts';
import type { Dice } from '../chaos/dice.ts';
import { type Form, readForm, readForms } from '../kit/form.ts';
import { readHtml } from '../kit/html.ts';
import type { SubjectPurpose } from '../kit/sandbox-client.ts';
import { createVisitor, type Answer as VisitorAnswer } from '../kit/visitor.ts';
import { ask as request } from './browser.ts';
import { type Center, nickname, type Purpose } from './material.ts';
import {
  type Ask,
  type Edition,
  type Event,
  type History,
  type Item,
  type State,
  type Statement,
  verdictOf,
} from './model.ts';
import type { ActiveFault, World } from './world.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The path that a redirect leads to, with `restUnsaved` where it has that query. */
  readonly location: string | undefined;
}

/** A preferences page that is open in the browser, perhaps for long. */
interface Tab {
  readonly form: Form;
  readonly shownAt: number;
  /** `name value` of each box → whether it was ticked when the page was shown. */
  readonly displayed: ReadonlyMap<string, boolean>;
  /** The posted items, where the page is shown again for review with the boxes as they were posted. */
  readonly toReview: readonly Item[] | undefined;
  /** The results that posts of it led to; `isPartly`: only its withdrawals were taken. */
  readonly references: Map<string, { readonly isPartly: boolean }>;
}

/** Counts of what happened, printed at the end. */
export type Counts = Map<string, number>;

export interface Life {
  readonly identifier: string;
  readonly journal: readonly string[];
  /** Does one act of the person, or of others about the person. */
  act(): Promise<void>;
  /** Ends all faults that were set for the person. */
  calm(): Promise<void>;
  /** The time of the fast clock after which no late call can land any more. */
  readonly restUntil: number;
  /** All that was asked and told, with the record now; undefined while something is still under way. */
  history(): Promise<History | undefined>;
}

const minute = 60_000;

export async function createLife(parts: {
  world: World;
  dice: Dice;
  center: Center;
  number: number;
  editions: ReadonlyMap<string, readonly Edition[]>;
  counts: Counts;
  report: (fault: string) => void;
}): Promise<Life> {
  const { world, dice, center, number, editions, counts, report } = parts;
  const mark = `${String(dice.seed).padStart(10, '0')}x${number}x`;
  const identifier = `p${mark}@acts.invalid`;
  const browser = createVisitor(world.publicUrl, { 'accept-language': 'en-US' });
  const journal: string[] = [];
  const events: Event[] = [];
  const references = new Map<Ask, string>();
  const tabs: Tab[] = [];
  /** Forms that an earlier post may have used: it is unknown which post counts. */
  const unclear = new Set<Form>();
  const undos: { form: Form; path: string; statements: readonly Statement[]; shownAt: number }[] = [];
  /** Faults that are set for the person. */
  const activeFaults: ActiveFault[] = [];
  /** Faults that make calls or readings late; `until`, the end, is infinite while a fault has not struck. */
  const doubts: { fault: ActiveFault; from: number; until: number; length: number }[] = [];
  const seed = new Map<string, State>();
  const seal = createSeal([world.secret]);

  const note = (text: string) => void journal.push(`${Math.round(world.now() - bornAt)} ms: ${text}`);
  const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const bornAt = world.now();
  let restUntil = bornAt;
  await plant();

  // —— a browser without script ——

  async function go(
    method: 'GET' | 'POST',
    path: string,
    more: { fields?: [string, string][]; headers?: Record<string, string>; node?: number } = {},
  ): Promise<Answer | undefined> {
    const node = world.nodes[more.node ?? dice.whole(0, 1)];
    if (node === undefined) return undefined;
    const answer = await request(browser, [method, new URL(path, world.addressOf(node))], more);
    if (answer === undefined) return undefined;
    lookForOthers(answer.text, path);
    return { ...answer, location: answer.location && pathOf(answer.location) };
  }

  /** Reports the identifier or nickname of another person in a page. */
  function lookForOthers(text: string, path: string): void {
    for (const found of othersIn(text, mark))
      report(`${identifier} was shown ${found} at ${path.replace(/[\w-]{60,}/, '…')}`);
  }

  /** Opens a page at either process; tries again until it comes. */
  async function open(path: string, headers: Record<string, string> = {}): Promise<Answer | undefined> {
    for (let tries = 0; tries < 8; tries += 1) {
      let answer = await go('GET', path, { headers });
      for (let hops = 0; answer?.location !== undefined && hops < 4; hops += 1)
        answer = await go('GET', answer.location, { headers });
      if (answer?.status === 200) return answer;
      await world.wait(1_500);
    }
    return undefined;
  }

  async function link(): Promise<string> {
    const at = Math.floor(world.now() / 1000);
    const token = await new SignJWT({ scope: 'manage' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('sayso')
      .setAudience(center.id)
      .setSubject(identifier)
      .setIssuedAt(at)
      .setExpirationTime(at + 86_400)
      .sign(deriveKey(world.secret, 'link'));
    return `/centers/${center.id}?t=${token}`;
  }

  // —— the person ——

  /** Writes the record that stands before the person first comes. */
  async function plant(): Promise<void> {
    const changes = center.purposes.flatMap((purpose) => {
      const chance = dice.whole(1, 10);
      const standing = chance <= 4 ? 'on' : chance <= 6 ? 'off' : undefined;
      const special = purpose.name.startsWith('Theta') && dice.whole(1, 2) === 1;
      if (standing === undefined && !special) {
        seed.set(purpose.id, {
          standing: purpose.kind.endsWith('by-default') ? 'by-default' : 'off',
          parts: [],
        });
        return [];
      }
      const state: State = special
        ? { standing: dice.pick(['always', 'never', 'pending'] as const), parts: [] }
        : {
            standing: standing ?? 'off',
            parts: standing === 'on' ? purpose.parts.filter(() => dice.next() < 0.5) : [],
          };
      seed.set(purpose.id, state);
      return [written(purpose, state)];
    });
    await insist(() =>
      world.sandbox
        .call(`/api/consentmanager/v1/preferencecenters/${center.id}/datasubjects/preferences`, {
          method: 'PUT',
          headers: { identifier },
          body: JSON.stringify({ Purposes: [], dsDataElements: { [nickname]: mark } }),
        })
        .then(({ ok }) => ok),
    );
    if (changes.length > 0) await patch(changes);
    note(
      `at first: ${center.purposes.map(({ name, id }) => `${name} ${seed.get(id)?.standing}`).join(', ')}`,
    );
  }

  async function insist(act: () => Promise<boolean>): Promise<void> {
    let fault: unknown;
    for (let tries = 0; tries < 200; tries += 1) {
      const isDone = await act().catch((reason: unknown) => {
        fault = reason;
        return false;
      });
      if (isDone) return;
      await world.wait(1_000);
    }
    throw new Error('the platform does not come back', { cause: fault });
  }

  async function patch(Purposes: readonly Written[]): Promise<void> {
    await world.sandbox.change({ center: center.id, identifier, Purposes });
  }

  function readTab(answer: Answer, toReview?: readonly Item[]): Tab | undefined {
    try {
      const form = readForm(answer.text);
      const displayed = new Map(
        form.controls.map((control) => [`${control.name} ${control.value}`, control.checked]),
      );
      return { form, shownAt: world.now(), displayed, toReview, references: new Map() };
    } catch {
      return undefined;
    }
  }

  async function openTab(): Promise<Tab | undefined> {
    const answer = await open(await link());
    const tab = answer && readTab(answer);
    count(tab === undefined ? 'pages that did not come' : 'pages');
    if (tab === undefined) return undefined;
    tabs.push(tab);
    if (tabs.length > 4) tabs.shift();
    note(`opens the page: ${purposesOn(tab)}`);
    return tab;
  }

  function purposesOn({ form }: Tab): string {
    return form.controls
      .filter(({ name }) => name === 'purpose')
      .map(({ label, checked }) => `${checked ? '☑' : '☐'} ${label}`)
      .join(' ');
  }

  /** Changes some boxes by chance. */
  function fill({ form }: Tab): void {
    const free = form.controls.filter(
      ({ type, name, disabled }) =>
        type === 'checkbox' && !disabled && /^(purpose|topic\.|option\.)/.test(name),
    );
    const chance = dice.pick([0.1, 0.25, 0.5]);
    for (const control of free) if (dice.next() < chance) control.checked = !control.checked;
  }

  /** The items that a post of the form asks for, against the boxes as they were shown. */
  function itemsOf({ form, displayed, toReview }: Tab): Item[] {
    const items: Item[] = [];
    for (const control of form.controls) {
      if (control.name !== 'purpose' || control.disabled) continue;
      const purpose = center.purposes.find(({ id }) => id === control.value.toLowerCase());
      if (purpose === undefined) {
        report(`${identifier} was shown an unknown purpose: ${control.value}`);
        continue;
      }
      const edition = Number(/edition (\d+)/.exec(control.label)?.[1]);
      const boxes = form.controls.filter(
        ({ name }) => name === `topic.${control.value}` || name.startsWith(`option.${control.value}.`),
      );
      const changed = boxes.filter((box) => displayed.get(`${box.name} ${box.value}`) !== box.checked);
      const was = displayed.get(`purpose ${control.value}`) ?? false;
      const before = toReview?.find((item) => item.purpose === purpose.id);
      const on = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      if (before !== undefined) {
        // The page shows the boxes as posted, so its post asks for the same again; parts taken out are out by
        // then.
        const to = before.to === 'parts' ? 'parts' : control.checked ? 'on' : 'off';
        const partsOn = to === 'parts' ? before.partsOn : on;
        items.push({ purpose: purpose.id, to, edition, partsOn, partsOff: [] });
      } else if (control.checked !== was) {
        items.push({
          purpose: purpose.id,
          to: control.checked ? 'on' : 'off',
          edition,
          partsOn: control.checked ? on : [],
          partsOff: [],
        });
      } else if (was && changed.length > 0) {
        items.push({
          purpose: purpose.id,
          to: 'parts',
          edition,
          partsOn: changed.filter(({ checked }) => checked).map(({ value }) => value),
          partsOff: changed.filter(({ checked }) => !checked).map(({ value }) => value),
        });
      }
    }
    return items;
  }

  function textOf(items: readonly Item[]): string {
    return items
      .map(({ purpose, to, edition, partsOn, partsOff }) => {
        const { name } = purposeOf(purpose);
        const short = (ids: readonly string[]) =>
          ids.map((id) => purposeOf(purpose).parts.indexOf(id) + 1).join('');
        return `${name} ${to}${to === 'on' ? `@${edition}` : ''}${partsOn.length > 0 ? ` +${short(partsOn)}` : ''}${partsOff.length > 0 ? ` -${short(partsOff)}` : ''}`;
      })
      .join(', ');
  }

  function purposeOf(id: string): Purpose {
    const purpose = center.purposes.find((each) => each.id === id);
    if (purpose === undefined) throw new Error(`no purpose ${id}`);
    return purpose;
  }

  function record(ask: Omit<Ask, 'kind' | 'isDoubtful' | 'told'>, reference: string | undefined): void {
    const event: Ask = { kind: 'ask', isDoubtful: false, ...ask };
    events.push(event);
    if (reference !== undefined) references.set(event, reference);
  }

  async function postTab(tab: Tab): Promise<void> {
    const items = itemsOf(tab);
    const { action, fields } = tab.form.press({ name: 'action', value: 'save' });
    const twice = dice.whole(1, 8) === 1;
    note(
      `saves${twice ? ' twice at once' : ''} (shown at ${Math.round(tab.shownAt - bornAt)} ms${tab.toReview ? ', for review' : ''}): ${textOf(items) || 'nothing'}`,
    );
    const at = world.now();
    const answers = await Promise.all(
      (twice ? [0, 1] : [dice.whole(0, 1)]).map((node) => go('POST', action, { fields, node })),
    );
    for (const answer of answers) count(`answers to a save: ${answer?.status ?? 'none'}`);
    note(`  is answered ${answers.map((answer) => `${answer?.status ?? 'nothing'}`).join(' and ')}`);
    const asked = { at, how: 'form', shownAt: tab.shownAt, items } as const;
    const results = answers.map((answer) =>
      answer?.location?.includes('/results/') ? answer.location : undefined,
    );
    const wholeResults = results.filter((each) => each !== undefined && !each.endsWith(restUnsaved));
    const isUsed = [...tab.references.values()].some(({ isPartly }) => !isPartly);
    if (new Set(wholeResults).size > 1 && !isUsed)
      report(`${identifier}: one form, posted twice, led to ${results.join(' and ')}`);
    for (const each of new Set(results)) {
      if (each === undefined) continue;
      const reference = each.replace(restUnsaved, '');
      const isPartly = each.endsWith(restUnsaved);
      // A form posted again shows the stored result, and withdraws again what was granted since.
      const taken = isPartly || isUsed ? items.flatMap(takenOut) : items;
      if (!tab.references.has(reference))
        record({ ...asked, items: taken, taken: takenBy(tab.form), isPartly }, reference);
      tab.references.set(reference, { isPartly });
      if (dice.whole(1, 3) === 1) await look(reference);
    }
    if (results.some((each) => each !== undefined)) return;
    // A used form with other choices is refused, but its withdrawals are taken.
    if (answers.some((answer) => answer?.status === 409))
      record({ ...asked, items: items.flatMap(takenOut), taken: 'yes' }, undefined);
    if (answers.some(isUnclear)) {
      unclear.add(tab.form);
      record({ ...asked, taken: 'unknown' }, undefined);
      return;
    }
    const shown = answers.find((answer) => answer?.text.includes('name="token"'));
    const review = shown && readTab(shown, items);
    if (review !== undefined) {
      note(`  is shown for review: ${purposesOn(review)}`);
      // A form grants nothing before the review; its withdrawals may be taken at once.
      record({ ...asked, items: items.flatMap(takenOut), taken: 'unknown' }, undefined);
      if (dice.whole(1, 2) === 1) tabs.push(review);
    }
  }

  const takenBy = (form: Form | undefined) =>
    form !== undefined && unclear.has(form) ? ('unknown' as const) : ('yes' as const);

  /** Whether a request with this answer may have been taken. */
  function isUnclear(answer: Answer | undefined): boolean {
    return answer === undefined || (answer.status >= 500 && answer.status !== 503);
  }

  async function look(reference: string): Promise<void> {
    const answer = await open(reference);
    if (answer === undefined) return;
    const statements = readStatements(answer.text);
    note(`  reads: ${statements.map(({ name, text }) => `${name.split(' as of')[0]}: ${text}`).join(' | ')}`);
    const form = readForms(answer.text).find(({ action }) => action.endsWith('/undo'));
    if (form !== undefined) undos.push({ form, path: reference, statements, shownAt: world.now() });
  }

  async function leaveAll(): Promise<void> {
    await open(await link());
    const answer = await open(`/centers/${center.id}/unsubscribe`);
    const tab = answer && readTab(answer);
    if (tab === undefined) return;
    const { action, fields } = tab.form.press();
    note('unsubscribes from everything');
    const at = world.now();
    await settle(await go('POST', action, { fields }), {
      at,
      how: 'everything',
      shownAt: tab.shownAt,
      items: everything(),
    });
  }

  const everything = (): Item[] =>
    center.purposes.map(({ id }) => ({ purpose: id, to: 'off', partsOn: [], partsOff: [] }));

  async function settle(
    answer: Answer | undefined,
    asked: Pick<Ask, 'at' | 'how' | 'shownAt' | 'items'>,
    form?: Form,
  ): Promise<void> {
    count(`answers to ${asked.how}: ${answer?.status ?? 'none'}`);
    note(`  is answered ${answer?.status ?? 'nothing'}`);
    if (answer?.location?.includes('/results/')) {
      const isNew = ![...references.values()].includes(answer.location);
      if (isNew) record({ ...asked, taken: takenBy(form) }, answer.location);
      if (dice.whole(1, 3) === 1) await look(answer.location);
    } else if (asked.how === 'one-click' && answer?.status === 200)
      record({ ...asked, taken: 'yes' }, undefined);
    else if (isUnclear(answer)) record({ ...asked, taken: 'unknown' }, undefined);
  }

  async function oneClick(): Promise<void> {
    const purpose = dice.whole(1, 3) === 1 ? undefined : dice.pick(center.purposes);
    const subject = readSubjectId(identifier);
    if (subject === undefined) throw new Error('no identifier');
    const token = sealOneClick(seal, {
      center: center.id,
      subject,
      purpose: purpose?.id,
      madeAt: world.now(),
    });
    note(`one click: leaves ${purpose?.name ?? 'everything'}`);
    const items: Item[] =
      purpose === undefined ? everything() : [{ purpose: purpose.id, to: 'off', partsOn: [], partsOff: [] }];
    const at = world.now();
    const answer = await go('POST', `/u/${token}`, { fields: [['List-Unsubscribe', 'One-Click']] });
    await settle(answer, { at, how: 'one-click', shownAt: at, items });
  }

  async function undo(): Promise<void> {
    const chosen = dice.pick(undos);
    const undone = [...references].find(([, reference]) => reference === chosen.path)?.[0];
    const items = chosen.statements.flatMap((statement): Item[] => {
      const purpose = center.purposes.find(({ name }) => statement.name.startsWith(`${name} `));
      if (purpose === undefined) return [];
      // An undo agrees to the words of the form that it undoes.
      const own = undone?.items.find((item) => item.purpose === purpose.id);
      const { edition } = own ?? {};
      const parts = [...new Set([...purpose.parts, ...(own?.partsOn ?? []), ...(own?.partsOff ?? [])])];
      const verdict = verdictOf(statement);
      const words = edition === undefined ? {} : { edition };
      if (/^Changed/.test(statement.text) || (verdict === 'doubtful' && own?.to === 'parts'))
        return [{ purpose: purpose.id, to: 'parts', ...words, partsOn: parts, partsOff: parts }];
      if (verdict !== 'done' && verdict !== 'open' && verdict !== 'doubtful') return [];
      const wasOff = /off/.test(statement.text);
      return [
        {
          purpose: purpose.id,
          to: wasOff ? 'on' : 'off',
          ...words,
          partsOn: wasOff ? parts : [],
          partsOff: [],
        },
      ];
    });
    const { action, fields } = chosen.form.press();
    note(`undoes ${chosen.path.slice(-8)}: ${textOf(items)}`);
    const at = world.now();
    const answer = await go('POST', action, { fields });
    await settle(answer, { at, how: 'undo', shownAt: chosen.shownAt, items }, chosen.form);
    if (isUnclear(answer)) unclear.add(chosen.form);
  }

  /** A member of the staff withdraws for the person, who has called. */
  async function withdrawByStaff(): Promise<void> {
    let address = world.addressOf(dice.pick(world.nodes));
    const staff = await world.signInStaff(() => address);
    const go = async (method: 'GET' | 'POST', path: string, fields?: [string, string][]) => {
      const answer = staff && (await request(staff, [method, new URL(path, address)], { fields }));
      if (answer !== undefined) lookForOthers(answer.text, path);
      return answer;
    };
    const formIn = (answer: VisitorAnswer | undefined, action: string) =>
      readForms(answer?.text ?? '').find((form) => form.action.endsWith(action));
    const search = formIn(await go('GET', '/staff/people'), '/staff/people');
    const found = search?.type('identifier', identifier).press();
    const person = found && (await go('POST', found.action, [...found.fields, ['center', center.id]]));
    const choose = readForms(person?.text ?? '')
      .find((form) => form.action.endsWith('/people/choose') && form.valueOf('center') === center.id)
      ?.press();
    const page = choose && (await go('POST', choose.action, choose.fields));
    const form = formIn(page, '/people/withdraw');
    if (form === undefined) return count('staff pages that did not come');
    const shownAt = world.now();
    const boxes = form.controls.filter(({ name }) => name === 'purpose');
    for (const box of boxes) box.checked = dice.next() < 0.4;
    const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value.toLowerCase());
    form.choose('what', chosen.length > 0 ? 'chosen' : 'everything').type('reason', 'called');
    const items =
      chosen.length === 0
        ? everything()
        : chosen.map((purpose): Item => ({ purpose, to: 'off', partsOn: [], partsOff: [] }));
    count('withdrawals by staff');
    note(`staff withdraws: ${chosen.length === 0 ? 'everything' : textOf(items)}`);
    const { action, fields } = form.press();
    address = world.addressOf(dice.pick(world.nodes));
    const at = world.now();
    const answer = await go('POST', action, fields);
    const reference = /\/staff\/submissions\/([^/?]+)$/.exec(answer?.location ?? '')?.[1];
    const location = reference && `/centers/${center.id}/results/${reference}`;
    if (answer !== undefined && reference === undefined && answer.status < 500)
      report(`${identifier}: staff was answered ${answer.status} to a withdrawal\n  ${journal.join('\n  ')}`);
    const taken = answer && { ...answer, location };
    await settle(taken, { at, how: chosen.length === 0 ? 'everything' : 'staff', shownAt, items });
  }

  async function object(): Promise<void> {
    const headers = { 'sec-gpc': '1' };
    const answer = await open(await link(), headers);
    const form = answer && readForms(answer.text).find(({ action }) => /\/objection(\?|$)/.test(action));
    if (form === undefined) return;
    const { action, fields } = form.press();
    note('objects by the signal of the browser');
    const at = world.now();
    const items = everything().filter(({ purpose }) => purposeOf(purpose).kind.endsWith('by-default'));
    await settle(await go('POST', action, { fields, headers }), { at, how: 'objection', shownAt: at, items });
  }

  async function changeElsewhere(): Promise<void> {
    const purpose = dice.pick(center.purposes);
    if (['always', 'never', 'pending'].includes(seed.get(purpose.id)?.standing ?? '')) return;
    const state: State =
      dice.whole(1, 3) === 1
        ? { standing: 'on', parts: purpose.parts.filter(() => dice.next() < 0.5) }
        : { standing: 'off', parts: [] };
    const isRacing = !(await isQuiet());
    note(`elsewhere: ${purpose.name} ${state.standing}${isRacing ? ' (racing)' : ''}`);
    await patch([written(purpose, state)]);
    events.push({ kind: 'elsewhere', at: world.now(), purpose: purpose.id, state, isRacing });
    count('changes elsewhere');
  }

  function isDoubtfulAt(at: number): boolean {
    return doubts.some(({ from, until }) => at > from - 2 * minute && at < until + 10 * minute);
  }

  /** Whether no submission of the person is under way. */
  async function isQuiet(): Promise<boolean> {
    if (
      isDoubtfulAt(world.now()) ||
      events.some(
        (event) => event.kind === 'ask' && event.taken === 'unknown' && event.at > world.now() - 2 * minute,
      )
    )
      return false;
    await open(await link());
    const answer = await open(`/centers/${center.id}/record`);
    return (
      answer?.text.includes('My record') === true &&
      !/Being saved|saving your changes|We’re checking|may still arrive/.test(answer.text)
    );
  }

  async function setFault(): Promise<void> {
    const operation = dice.pick([
      'update-subject',
      'update-subject',
      'withdraw-subject',
      'read-subject',
    ] as const);
    const written = operation === 'read-subject' ? 'update-subject' : operation;
    const when = dice.pick(['before', 'after'] as const);
    const milliseconds = dice.whole(2, 20) * 1000;
    const times = dice.whole(1, 2);
    const late = () => ({
      kind: 'late',
      operation: written,
      milliseconds,
      answer: dice.pick(['late', 'drop', 'never']),
      count: 1,
    });
    const fault: Readonly<Record<string, unknown>> = dice.pick([
      late,
      late,
      () => ({ kind: 'lag', milliseconds: dice.whole(1, 8) * 1000, count: dice.whole(1, 6) }),
      () => ({
        kind: 'unknown-subject',
        answer: dice.pick(['404', '400', 'status-400', 'purposes-null', 'purposes-absent', 'purposes-empty']),
        count: 1,
      }),
      () => ({ kind: 'drop', operation, when, count: times }),
      () => ({ kind: '500', operation, when, status: dice.pick([500, 502, 503]), count: times }),
      () => ({ kind: 'garbage', operation, when, count: times }),
      () => ({ kind: '429', operation, when: 'before', retryAfter: dice.whole(1, 10), count: 1 }),
      () => ({ kind: 'latency', operation, milliseconds: dice.whole(1, 9) * 1000, count: times }),
      () => ({
        kind: dice.pick(['refuse', 'ignore']),
        operation: written,
        purposes: [dice.pick(center.purposes).id],
        count: 1,
      }),
    ])();
    const { kind } = fault;
    const length = kind === 'lag' ? 10 * minute : kind === 'late' || kind === 'latency' ? 5 * minute : 0;
    const from = world.now();
    const activeFault = await world.misbehave({ ...fault, identifier });
    activeFaults.push(activeFault);
    if (length > 0) doubts.push({ fault: activeFault, from, until: Number.POSITIVE_INFINITY, length });
    note(`goes wrong next: ${JSON.stringify(fault)}`);
    count(`faults: ${String(kind)}`);
  }

  /** Sets the end of doubts whose fault has struck, perhaps long after it was set. */
  async function dateDoubts(): Promise<void> {
    for (const doubt of doubts) {
      if (doubt.until < Number.POSITIVE_INFINITY || (await doubt.fault.isStillToStrike())) continue;
      doubt.until = world.now() + doubt.length;
    }
  }

  /**
   * Notes the writing calls about the person, as far as the platform still knows them: it keeps 2,000 calls.
   */
  async function noteCalls(): Promise<void> {
    const calls = await world.sandbox.calls({ identifier }).catch(() => []);
    for (const { at, method, operation, status, body } of calls) {
      if (method === 'GET') continue;
      const named = center.purposes.filter(({ id }) => JSON.stringify(body ?? '').includes(id));
      const call = `${operation} [${named.map(({ name }) => name).join(', ')}] ${status}`;
      journal.push(`${Math.round(Date.parse(at) - bornAt)} ms on the platform: ${call}`);
    }
  }

  function readFinal(purposes: readonly SubjectPurpose[]): Map<string, State> {
    const final = new Map<string, State>();
    for (const purpose of center.purposes) {
      const found = purposes.find(({ Id }) => Id.toLowerCase() === purpose.id);
      final.set(purpose.id, stateOf(purpose, found));
    }
    return final;
  }

  return {
    identifier,
    journal,
    get restUntil() {
      return restUntil;
    },
    async act() {
      await dateDoubts();
      const chance = dice.whole(1, 100);
      if (chance <= 30) await setFault();
      if (chance <= 8) return changeElsewhere();
      if (chance <= 14) return oneClick().then(() => count('acts'));
      if (chance <= 19) return leaveAll().then(() => count('acts'));
      if (chance <= 22) return object().then(() => count('acts'));
      if (chance <= 25) return withdrawByStaff().then(() => count('acts'));
      if (chance <= 35 && undos.length > 0) return undo().then(() => count('acts'));
      if (chance <= 41) return world.wait(dice.whole(1, 40) * 1000);
      const tab = tabs.length > 0 && dice.whole(1, 3) === 1 ? dice.pick(tabs) : await openTab();
      if (tab === undefined) return;
      if (dice.whole(1, 6) === 1) return;
      if (tab.toReview === undefined && (tab.references.size === 0 || dice.whole(1, 2) === 1)) fill(tab);
      await postTab(tab);
      count('acts');
    },
    async calm() {
      await dateDoubts();
      for (const each of activeFaults.splice(0)) await each.end();
      const now = world.now();
      // A late call lands within 20 seconds; the product looks for one 30 seconds and 2 minutes after a
      // withdrawal.
      const wasLate = doubts.some(({ until }) => until > now - 3 * minute);
      for (const doubt of doubts) doubt.until = Math.min(doubt.until, now);
      restUntil = now + (wasLate ? 3 * minute : 20_000);
      note('everything is calm');
      await noteCalls();
    },
    async history() {
      await open(await link());
      const shown = await open(`/centers/${center.id}/record`);
      if (shown === undefined || !shown.text.includes('My record') || shown.text.includes('Being saved'))
        return undefined;
      const complete: Event[] = [];
      for (const event of events) {
        if (event.kind !== 'ask') {
          complete.push(event);
          continue;
        }
        const reference = references.get(event);
        const page = reference === undefined ? undefined : await open(reference);
        if (reference !== undefined && page === undefined) return undefined;
        const isDoubtful = isDoubtfulAt(event.at);
        const statements = page && readStatements(page.text);
        if (statements !== undefined)
          note(
            `at rest, of ${Math.round(event.at - bornAt)} ms: ${statements.map(({ name, text }) => `${name.split(' as of')[0]}: ${text}`).join(' | ')}`,
          );
        complete.push({ ...event, isDoubtful, ...(statements === undefined ? {} : { told: statements }) });
      }
      const found = await world.sandbox.subject(center.id, identifier).catch(() => undefined);
      if (found === undefined) return undefined;
      const final = readFinal(found.Purposes);
      const marks = found.DsDataElements[nickname];
      if (marks !== mark) report(`${identifier} is called ${marks} on record`);
      note(
        `at rest on record: ${center.purposes
          .map(
            ({ id, name }) =>
              `${name} ${final.get(id)?.standing} ${final
                .get(id)
                ?.parts.map((part) => purposeOf(id).parts.indexOf(part) + 1)
                .join('')}`,
          )
          .join(', ')}`,
      );
      return { center, seed, events: complete, editions, final };
    },
  };
}

/** The query of a result's address if only the withdrawals of the form were taken. */
const restUnsaved = '?rest=unsaved';

function pathOf(location: string): string {
  const { pathname, search } = new URL(location);
  return search === restUnsaved ? pathname + search : pathname;
}

/** The part of an item that withdraws. */
function takenOut(item: Item): Item[] {
  if (item.to === 'off') return [item];
  return item.to === 'parts' && item.partsOff.length > 0 ? [{ ...item, partsOn: [] }] : [];
}

/** The marks of other people in a page; each identifier and nickname holds its person's mark. */
export function othersIn(text: string, own: string): string[] {
  const [seed = ''] = own.split('x');
  // A token may look like a mark by chance, but not like one with the seed of this run.
  return [...text.matchAll(new RegExp(`${seed}x\\d+x`, 'g'))]
    .map(([mark]) => mark)
    .filter((mark) => mark !== own);
}

interface Written {
  readonly Id: string;
  readonly TransactionStatus: string;
  readonly Topics?: readonly { readonly Id: string }[];
  readonly CustomPreferences?: readonly {
    readonly Id: string;
    readonly Options: readonly { readonly Id: string }[];
  }[];
}

function written({ id, kind, preference }: Purpose, { standing, parts }: State): Written {
  const words = {
    on: 'ACTIVE',
    off: 'WITHDRAWN',
    always: 'ALWAYS_ACTIVE',
    never: 'HARD_OPT_OUT',
    pending: 'PENDING',
    'by-default': 'IMPLICIT',
  };
  const ids = parts.map((part) => ({ Id: part }));
  return {
    Id: id,
    TransactionStatus: words[standing],
    ...(kind === 'topics' ? { Topics: ids } : {}),
    ...(preference === undefined ? {} : { CustomPreferences: [{ Id: preference, Options: ids }] }),
  };
}

function stateOf(purpose: Purpose, found: SubjectPurpose | undefined): State {
  if (found === undefined)
    return { standing: purpose.kind.endsWith('by-default') ? 'by-default' : 'off', parts: [] };
  const parts = [
    ...(found.Topics ?? []),
    ...(found.CustomPreferences ?? []).flatMap(({ Options }) => Options ?? []),
  ].map(({ Id }) => Id.toLowerCase());
  const status = found.TransactionStatus;
  if (/^(ACTIVE|OPT_IN|EXTEND|CHANGE_PREFERENCES)$/.test(status)) return { standing: 'on', parts };
  if (/^(IMPLICIT|NOT_OPT_OUT)$/.test(status)) return { standing: 'by-default', parts };
  if (status === 'ALWAYS_ACTIVE') return { standing: 'always', parts };
  if (status === 'HARD_OPT_OUT') return { standing: 'never', parts };
  if (status === 'PENDING') return { standing: 'pending', parts };
  return { standing: 'off', parts };
}

/** The statements of a result page, or of the record, one for each name. */
export function readStatements(html: string): Statement[] {
  const found: Statement[] = [];
  let kind = '';
  let inside: 'item' | 'name' | undefined;
  let name = '';
  let text = '';
  for (const piece of readHtml(/<main[\s\S]*<\/main>/i.exec(html)?.[0] ?? html)) {
    if (piece.kind === 'open' && piece.tag === 'li')
      [inside, kind, name, text] = ['item', piece.attributes['class'] ?? '', '', ''];
    else if (piece.kind === 'open' && inside === 'item' && piece.attributes['class'] === 'name')
      inside = 'name';
    else if (piece.kind === 'close' && inside === 'name' && piece.tag === 'span') inside = 'item';
    else if (piece.kind === 'close' && piece.tag === 'li') {
      if (name !== '')
        found.push({
          kind,
          name,
          text: text
            .replace(/^[\s:]+/, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        });
      inside = undefined;
    } else if (piece.kind === 'text') {
      if (inside === 'name') name += piece.text;
      if (inside === 'item') text += piece.text;
    }
  }
  return found;
}
