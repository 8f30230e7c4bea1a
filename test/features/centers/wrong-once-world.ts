import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { linksOf, readIdentifier } from '../../../src/cli/links.ts';
import { readConfig } from '../../../src/config/environment.ts';
import { type Form, readForm, readForms } from '../../kit/form.ts';
import { manyCalls, startProduct } from '../../kit/product.ts';
import type { SubjectAnswer } from '../../kit/sandbox-client.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { formPageAt, headingOf, outcomes } from './fixture.ts';
import {
  clubFiles,
  idOf,
  nameOf,
  shopPurposes,
  singlePage,
  singlePageFiles,
  subjectFile,
} from './sample-centers.ts';
import type { Json } from './wrong-answers.ts';
import {
  type Act,
  type Case,
  changedElsewhere,
  type Kind,
  NotOffered,
  onRecord,
  stateOf,
  type Visit,
  wrongStates,
} from './wrong-once-model.ts';

/** Attempts of a visitor before they give up. */
const tries = 20;

/** The first result of `look` that is not undefined; undefined after the last attempt. */
async function retried<T>(look: () => Promise<T | undefined>, wait = 1_500): Promise<T | undefined> {
  for (let left = tries; left > 0; left -= 1) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(wait);
  }
  return undefined;
}

/** Path below `centers` → text. */
function filesOf(kind: Kind, center: string): Readonly<Record<string, string>> {
  if (kind === 'multi') return clubFiles(center);
  const schema = singlePage([
    ...shopPurposes.filter(({ name }) => !['Catalogue', 'Notices'].includes(name)),
    { name: 'Notices' },
    { name: 'Tidings', type: 'NOTIFICATION_OPT_OUT', onByDefault: true },
  ]);
  return singlePageFiles(center, { ...schema, DisplayNotificationPurpose: false });
}

/** A product with a sandbox of its own. It runs one case at a time. */
export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld() {
  const product = await startProduct({
    store: 'files',
    env: { ...manyCalls, LOG_LEVEL: 'silent', SANDBOX_DATA: '{home}/platform' },
    files: { 'platform/centers/readme.txt': '' },
  });
  const folder = join(product.home, 'platform/centers');
  const config = readConfig(product.env, () => '');
  const { sandbox } = product;
  let made = 0;

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  const control = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${product.sandboxUrl}/_sandbox${path}`, init);
    return answer.status === 204 ? undefined : ((await answer.json()) as { id: number }[]);
  };

  async function enter(
    center: string,
    identifier: string,
    act: Pick<Act, 'gpc' | 'scope'>,
  ): Promise<Visitor> {
    const visitor = createVisitor(product.url, act.gpc ? { 'sec-gpc': '1', 'accept-language': 'en' } : {});
    const link = linksOf(config, center).manage(readIdentifier(config, identifier), act.scope ?? 'manage', 9);
    const opened = await visitor.get(link);
    assert.equal(opened.status, 303, opened.text);
    return visitor;
  }

  /**
   * Starts a case with a person and a center of its own; undefined if the wrong answer does not exist here.
   */
  async function begin(one: Case) {
    made += 1;
    const { act } = one;
    const center = idOf(`center ${made}`);
    const identifier = `person.${made}@example.org`;
    const texts = filesOf(act.kind, center);
    write(texts);
    if (act.isOnRecord)
      write({ [`${center}/subjects/${identifier}.json`]: subjectFile(identifier, onRecord[act.kind]) });
    // This call passes every fault and changes nothing.
    const subject = () =>
      sandbox.change({
        center,
        identifier,
        Purposes: [{ Id: idOf('Never there'), TransactionStatus: null }],
      });
    const atFirst = await subject();
    const changes = changedElsewhere(one);
    const withChanges = {
      ...atFirst,
      Purposes: atFirst.Purposes.map((each) => {
        return { ...each, TransactionStatus: changes[nameOf(each.Id)] ?? each.TransactionStatus };
      }),
    };
    // A wrong reading is never older than the change elsewhere: a reader could not tell it from a right one.
    const right = rightAnswer(one, { center, texts, subject: withChanges });
    const { operation, wrong } = one;
    const fault =
      operation === undefined || right === undefined
        ? undefined
        : wrong?.fault(right, { operation, target: act.target });
    if (operation !== undefined && fault === undefined) {
      rmSync(join(folder, center), { recursive: true, force: true });
      return undefined;
    }
    return {
      one,
      center,
      identifier,
      fault,
      before: stateOf(withChanges),
      isChanged: false,
      /** Makes the change at the platform, once, just before the first post. */
      async changeElsewhere() {
        if (this.isChanged || Object.keys(changes).length === 0) return;
        this.isChanged = true;
        const Purposes = Object.entries(changes).map(([name, TransactionStatus]) => {
          return { Id: idOf(name), TransactionStatus };
        });
        await sandbox.change({ center, identifier, Purposes });
      },
      state: async () => stateOf(await subject()),
      /** Events of the case, for the report. */
      notes: [] as string[],
      /** Untrue statements of the product. */
      lies: [] as string[],
      /** Ids that the sandbox gave to the faults. */
      faults: [] as number[],
      /** The address of the last result. */
      result: undefined as string | undefined,
      isUnasked: false,
      isShownAgain: false,
      isStruck: true,
    };
  }

  type Running = NonNullable<Awaited<ReturnType<typeof begin>>>;

  async function warm({ one, center }: Running): Promise<void> {
    if (!one.isWarm) return;
    made += 1;
    const visitor = await enter(center, `other.${made}@example.org`, {});
    const look = async () => (await visitor.open(`/centers/${center}`)).status === 200 || undefined;
    assert.ok(await retried(look, 5_000), 'the center was never read');
  }

  async function act(running: Running): Promise<void> {
    const { one, center, identifier, fault } = running;
    const visitor = await enter(center, identifier, one.act);
    if (fault === undefined) await sandbox.clearCalls();
    else {
      const { operation, page, skip = 0 } = one;
      const only =
        operation === 'read-subject'
          ? { identifier }
          : { path: operation === 'read-page' ? idOf(`${center} ${page}`) : center };
      const faults =
        operation === 'token'
          ? [
              { ...fault, operation, count: 1 },
              { kind: '401', operation: 'read-subject', identifier, count: 1, skip },
            ]
          : [{ ...fault, operation, count: 1, skip, ...only }];
      const set = await control('/faults', { method: 'POST', body: JSON.stringify(faults) });
      running.faults = (set ?? []).map(({ id }) => id);
    }
    await one.act.run(visitOf(running, visitor)).catch((fault: unknown) => {
      if (!(fault instanceof NotOffered)) throw fault;
      running.isUnasked = true;
    });
  }

  function rightAnswer(
    { operation, page }: Case,
    known: { center: string; texts: Readonly<Record<string, string>>; subject: SubjectAnswer },
  ): Json | undefined {
    const { center, texts, subject } = known;
    if (operation === 'token') return { access_token: 'x', token_type: 'bearer', expires_in: 3600 };
    if (operation === 'read-subject') return subject as unknown as Json;
    const files = {
      'read-schema': 'preferences',
      'read-root': 'schema',
      'read-page': `pages/${idOf(`${center} ${page}`)}`,
    };
    const text = operation && texts[`${center}/${files[operation]}.json`];
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  }

  function visitOf(running: Running, visitor: Visitor): Visit {
    const { center, identifier } = running;
    const base = `/centers/${center}`;
    const note = (answer: Answer, step: string) => {
      if (answer.status !== 200 && answer.status !== 303) running.notes.push(`${step}: ${answer.status}`);
    };
    /** Posts until the answer leads to a result or to another page. */
    async function take(post: () => Promise<Answer>, step: string): Promise<void> {
      let shownAgain = 0;
      let ask = post;
      await running.changeElsewhere();
      for (let left = tries; left > 0; left -= 1) {
        const answer = await ask();
        note(answer, step);
        if (answer.location !== undefined) {
          const { pathname, search } = new URL(answer.location);
          if (!pathname.includes('/results/'))
            return void running.notes.push(`${step}: to ${pathname.slice(base.length)}${search}`);
          running.result = pathname;
          return void (await look(running, visitor));
        }
        if ((answer.status === 200 || answer.status === 422) && shownAgain < 3) {
          shownAgain += 1;
          running.isShownAgain = true;
          running.notes.push(`${step}: shown again`);
          const again = formPageAt(visitor, answer);
          ask = () => again.post();
        } else await pause(1_500);
      }
      running.lies.push(`${step} was never accepted`);
    }
    /** Presses a form once the page shows it; false if it never does. */
    async function pressForm(href: string, step: string, find: (text: string) => Form | undefined) {
      const form = await retried(async () => {
        const page = await visitor.open(href);
        note(page, step);
        return page.status === 200 ? find(page.text) : undefined;
      });
      if (form !== undefined) await take(() => visitor.press(form), step);
      return form !== undefined;
    }
    async function pressIfOffered(href: string, step: 'objection' | 'undo'): Promise<void> {
      const find = (text: string) => readForms(text).find(({ action }) => action.endsWith(`/${step}`));
      if (!(await pressForm(href, step, find))) throw new NotOffered();
    }
    const visit: Visit = {
      center,
      visitor,
      page: (name) => `${base}/${idOf(`${center} ${name}`)}`,
      async see(path, shows) {
        let looks = 0;
        const page = await retried(async () => {
          const answer = await visitor.open(path || base);
          note(answer, 'see');
          if (answer.status !== 200) return undefined;
          const found = formPageAt(visitor, answer);
          if (shows(found)) return found;
          running.notes.push('looked again');
          looks += 1;
          if (looks === 3) throw new NotOffered();
          return undefined;
        });
        if (page !== undefined) return page;
        running.lies.push('the page never showed it');
        throw new Error('the page never showed it');
      },
      press: (page) => take(() => page.post(), 'save'),
      async click(purpose) {
        const subject = readIdentifier(config, identifier);
        const address = linksOf(config, center).oneClick(subject, purpose && idOf(purpose));
        await running.changeElsewhere();
        const answer = await fetch(address, { method: 'POST', headers: { accept: 'text/html' } });
        if (answer.status !== 200) running.lies.push(`one-click ${answer.status}`);
        const text = await answer.text();
        // A purpose that a reading shows as off is checked again half a minute later.
        const isOff = running.one.wrong?.name.startsWith('older')
          ? undefined
          : wrongStates(running.one.act, await running.state(), running.before);
        if (/You’re unsubscribed/.test(text) && isOff !== undefined)
          running.lies.push(`one-click says "unsubscribed": ${isOff}`);
        if (/not offered here/.test(text)) running.notes.push('one-click: not offered');
        if (/Nothing has changed/.test(text)) running.lies.push('one-click: nothing was changed');
      },
      async leave() {
        if (!(await pressForm(`${base}/unsubscribe`, 'leave', readForm)))
          running.lies.push('nothing to leave by');
      },
      object: () => pressIfOffered(base, 'objection'),
      // A change that the wrong answer made look like no change has no undo.
      undo: () => pressIfOffered(running.result ?? '', 'undo'),
      async settle() {
        await retried(async () => {
          const shown = await look(running, visitor);
          const isOver = shown && !Object.values(shown).some((heading) => underWay.test(heading));
          return isOver || undefined;
        });
      },
    };
    return visit;
  }

  const stillUntrue = /no-such-purpose|to-check|elsewhere/;
  const neverTrue = /no-such-purpose|unchanged|Nothing has changed|to-check|elsewhere/;
  const underWay = /saving your changes|we’re checking|in-progress|in-doubt/i;

  /** Reads the result and notes its untrue statements. */
  async function look(
    running: Running,
    visitor: Visitor,
  ): Promise<Readonly<Record<string, string>> | undefined> {
    if (running.result === undefined) return undefined;
    const page = await visitor.open(running.result);
    if (page.status !== 200) {
      running.notes.push(`result: ${page.status}`);
      return undefined;
    }
    const shown = outcomes(page);
    const { one, before } = running;
    const state = await running.state();
    for (const [name, heading] of Object.entries(shown)) {
      // Without a schema a purpose that is not on record has no name.
      if (name === 'Untitled') continue;
      const isChanged = one.act.isUndone === true || state[name] !== before[name];
      if (heading === 'saved' && !isChanged)
        running.lies.push(`${name} is shown as changed, and is ${state[name]} as before`);
    }
    return { '': headingOf(page), ...shown };
  }

  /** Describes what is wrong in the record or in the result; undefined if all is right. */
  async function judge(running: Running): Promise<string | undefined> {
    const { one, before } = running;
    await running.changeElsewhere();
    const state = await running.state();
    let wrong = wrongStates(running.isUnasked ? { ...one.act, wants: {} } : one.act, state, before);
    let shown: Readonly<Record<string, string>> | undefined;
    if (running.result !== undefined) {
      const visitor = await enter(running.center, running.identifier, one.act);
      shown = await look(running, visitor);
      if (shown === undefined) return 'no result page';
    }
    if (wrong !== undefined && one.act.isGrant && shown !== undefined) {
      // A missing grant is right if the result says so.
      const isUnsaved = Object.values(shown).some((heading) => /not-saved|reworded/.test(heading));
      if (isUnsaved && wrongStates({ ...one.act, wants: one.act.unsaved ?? {} }, state, before) === undefined)
        wrong = undefined;
    }
    if (wrong !== undefined) return `${wrong}; shown ${JSON.stringify(shown)}`;
    if (shown !== undefined) {
      // The withdrawals of a form that was shown again had been saved by then.
      const untrue = running.isShownAgain ? stillUntrue : neverTrue;
      for (const [name, heading] of Object.entries(shown)) {
        if (underWay.test(heading)) return `still shown as under way: ${name}: ${heading}`;
        // A withdrawal made elsewhere after the form was shown is named as one.
        const isElsewhere = heading === 'withdrawn-elsewhere' && changedElsewhere(one)[name] === 'WITHDRAWN';
        if (untrue.test(heading) && !isElsewhere) return `shown falsely: ${name}: ${heading}`;
        if (heading === 'not-saved' && !one.act.isGrant) return `shown as not saved: ${name}`;
      }
    }
    return running.lies.length > 0 ? running.lies.join('; ') : undefined;
  }

  async function end(running: Running): Promise<void> {
    const { center, faults } = running;
    const left = ((await control('/faults')) ?? []).map(({ id }) => id);
    for (const id of faults.filter((id) => left.includes(id))) {
      running.isStruck = false;
      await control(`/faults/${id}`, { method: 'DELETE' });
    }
    rmSync(join(folder, center), { recursive: true, force: true });
  }

  /** Counts the readings of a case without a wrong answer: operation and page → count. */
  async function reads({ center, identifier }: Running): Promise<Record<string, number>> {
    const calls = await sandbox.calls();
    const found: Record<string, number> = {};
    for (const { operation, path, identifier: person } of calls) {
      const page = ['one', 'two', 'hidden'].find((name) => path.includes(idOf(`${center} ${name}`)));
      if (operation === 'read-subject' ? person !== identifier : page === undefined && !path.includes(center))
        continue;
      const key = page === undefined ? operation : `${operation} ${page}`;
      found[key] = (found[key] ?? 0) + 1;
    }
    return found;
  }

  return {
    begin,
    warm,
    act,
    judge,
    end,
    reads,
    sandbox,
    close: () => product[Symbol.asyncDispose](),
  };
}
