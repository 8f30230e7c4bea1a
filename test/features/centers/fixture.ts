import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linksOf, readIdentifier } from '../../../src/cli/links.ts';
import { readConfig } from '../../../src/config/environment.ts';
import type { Visit } from '../../../src/core/model/person/visit.ts';
import { type Form, readForm } from '../../kit/form.ts';
import { readHtml } from '../../kit/html.ts';
import { type ProductOptions, startProduct } from '../../kit/product.ts';
import type { SandboxCall, SandboxClient } from '../../kit/sandbox-client.ts';
import { eventually, until } from '../../kit/until.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';
import { idOf, nameOf, type OnRecord, sampleCenterFiles, subjectFile } from './sample-centers.ts';

export interface PersonOptions {
  readonly elements?: Readonly<Record<string, string>>;
  /** A person who is on record already. Default: a new person. */
  readonly identifier?: string;
  /** Scope of the person's link. Default: `manage`. */
  readonly scope?: 'manage' | 'withdraw';
}

/** A person who opened a link in a browser of their own. */
export interface Person extends ReturnType<typeof personIn> {
  /** Another browser of the same person. */
  again(): Promise<Person>;
}

export interface Write {
  readonly method: string;
  /** Purpose → topics and options. */
  readonly purposes: Readonly<Record<string, readonly string[]>>;
}

/** A page with a form in a visitor's browser. */
export type FormPage = ReturnType<typeof formPageAt>;

export interface PostOptions {
  readonly button?: string;
  readonly change?: (fields: [string, string][]) => [string, string][];
}

let people = 0;

/** The product over the sample centers, and people put on record there as a test needs them. */
export async function startFixture(options: ProductOptions = {}) {
  const product = await startProduct({
    ...options,
    env: { SANDBOX_DATA: '{home}/platform', ...options.env },
    files: { ...sampleCenterFiles(), ...options.files },
  });
  const { url, sandbox } = product;
  /** The folder of SANDBOX_DATA. */
  const folder = join(product.home, 'platform');
  const config = readConfig(product.env, () => '');

  async function contextOf(
    center: string,
    identifier: string,
    scope: Visit['scope'] = 'manage',
  ): Promise<Person> {
    const visitor = createVisitor(url);
    const opened = await visitor.get(
      linksOf(config, center).manage(readIdentifier(config, identifier), scope, 9),
    );
    assert.equal(opened.status, 303, opened.text);
    return {
      ...personIn(sandbox, { visitor, center, identifier }),
      again: () => contextOf(center, identifier, scope),
    };
  }

  return {
    product,
    sandbox,
    folder,
    async person(center: string, record?: OnRecord, more: PersonOptions = {}) {
      people += 1;
      const identifier = more.identifier ?? `person.${people}@example.org`;
      if (record !== undefined) {
        const context = join(folder, 'centers', center, 'subjects');
        mkdirSync(context, { recursive: true });
        writeFileSync(join(context, `${identifier}.json`), subjectFile(identifier, record, more.elements));
      }
      return contextOf(center, identifier, more.scope);
    },
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** The acts and the records of a person in one browser. */
function personIn(
  sandbox: SandboxClient,
  { visitor, center, identifier }: { visitor: Visitor; center: string; identifier: string },
) {
  const subject = () => sandbox.subject(center, identifier);
  const find = async (purpose: string) => (await subject()).Purposes.find(({ Id }) => nameOf(Id) === purpose);
  return {
    identifier,
    center,
    visitor,
    /** Opens a page that has a form. */
    async open(path = `/centers/${center}`) {
      const page = await visitor.open(path);
      assert.equal(page.status, 200, page.text.slice(0, 2_000));
      return formPageAt(visitor, page);
    },
    /** Withdraws all purposes on the unsubscribe page; `change` edits the posted fields. */
    async leave(change?: PostOptions['change']) {
      const page = await visitor.open(`/centers/${center}/unsubscribe`);
      const { action, fields } = readForm(page.text).press();
      const answer = await visitor.post(action, change?.(fields) ?? fields);
      assert.equal(answer.status, 303, answer.text.slice(0, 1_000));
      return visitor.open(answer.location ?? '');
    },
    /** Statuses that the sandbox answers: purpose → status. */
    async statuses(): Promise<Record<string, string>> {
      const { Purposes } = await subject();
      return Object.fromEntries(Purposes.map(({ Id, TransactionStatus }) => [nameOf(Id), TransactionStatus]));
    },
    /** Names of the chosen topics and options of a purpose, as the sandbox answers. */
    async chosen(purpose: string) {
      const found = await find(purpose);
      const options = found?.CustomPreferences?.flatMap(({ Options = [] }) => Options) ?? [];
      return [...(found?.Topics ?? []), ...options].map(({ Id }) => nameOf(Id)).sort();
    },
    elements: async () => (await subject()).DsDataElements,
    /** Writing calls that reached the sandbox: `PUT` with its purposes, or `DELETE`. */
    async writes() {
      const calls = await sandbox.calls({ identifier });
      return calls.filter(({ method }) => method !== 'GET').map(readWrite);
    },
  };
}

interface Body {
  readonly Purposes?: readonly {
    readonly Id: string;
    readonly Topics?: readonly { readonly Id: string }[];
    readonly CustomPreferences?: readonly { readonly Options?: readonly { readonly Id: string }[] }[];
  }[];
}

function readWrite({ method, body }: SandboxCall): Write {
  const { Purposes = [] } = (body ?? {}) as Body;
  const purposes = Purposes.map(({ Id, Topics = [], CustomPreferences = [] }) => {
    const options = CustomPreferences.flatMap(({ Options = [] }) => Options);
    return [nameOf(Id), [...Topics, ...options].map((item) => nameOf(item.Id)).sort()] as const;
  });
  return { method, purposes: Object.fromEntries(purposes) };
}

export function formPageAt(visitor: Visitor, page: Answer) {
  const form = readForm(page.text);
  const hasControl = (name: string, matches: (control: Form['controls'][number]) => boolean) =>
    form.controls.some((control) => control.name === name && matches(control));
  const formPage = {
    page,
    form,
    isOn: (purpose: string) => form.isTicked('purpose', idOf(purpose)),
    draws: (purpose: string) => form.has('purpose', idOf(purpose)),
    tick(purpose: string) {
      form.tick('purpose', idOf(purpose));
      return this;
    },
    untick(purpose: string) {
      form.untick('purpose', idOf(purpose));
      return this;
    },
    topic(purpose: string, topic: string, on = true) {
      form[on ? 'tick' : 'untick'](`topic.${idOf(purpose)}`, idOf(topic));
      return this;
    },
    option(purpose: string, preference: string, option: string, on = true) {
      const name = `option.${idOf(purpose)}.${idOf(preference)}`;
      if (hasControl(name, ({ type }) => type !== 'checkbox')) form.choose(name, idOf(option));
      else form[on ? 'tick' : 'untick'](name, idOf(option));
      return this;
    },
    type(element: string, text: string) {
      form.type(`element.${idOf(element)}`, text);
      return this;
    },
    /** Presses a button and does not follow the redirect; `change` edits the posted fields. */
    post({ button = 'save', change }: PostOptions = {}) {
      const { action, fields } = form.press({ name: 'action', value: button });
      return visitor.post(new URL(action, page.url).href, change?.(fields) ?? fields);
    },
    /** Presses "save" and follows the redirect. */
    async save(options: PostOptions = {}) {
      const answer = await formPage.post(options);
      return answer.location === undefined ? answer : visitor.open(answer.location);
    },
  };
  return formPage;
}

/** Outcomes on a result page: name of a purpose or data element → CSS class of its outcome. */
export function outcomes(answer: Answer): Record<string, string> {
  assert.equal(answer.status, 200, answer.text.slice(0, 2_000));
  assert.match(answer.url, /\/results\//, 'the address is one of a result');
  const found: Record<string, string> = {};
  let kind = '';
  let inName = false;
  for (const piece of readHtml(answer.text)) {
    if (piece.kind === 'text') {
      if (inName && piece.text.trim() !== '') found[piece.text.trim()] = kind;
      continue;
    }
    if (piece.kind === 'open' && piece.tag === 'li') kind = piece.attributes['class'] ?? '';
    if (piece.tag === 'span') inName = piece.kind === 'open' && piece.attributes['class'] === 'name';
  }
  return found;
}

/** Reloads the result until it shows the expected outcomes. On a busy machine it is in progress first. */
export function shows(
  visitor: Visitor,
  result: Answer,
  expected: Readonly<Record<string, string>>,
): Promise<Answer> {
  return eventually(async () => {
    const page = await visitor.open(new URL(result.url).pathname);
    assert.deepEqual(outcomes(page), expected);
    return page;
  });
}

/** Names of the data elements that a page shown again marks as mistaken. */
export function mistaken(answer: Answer): string[] {
  assert.equal(answer.status, 422, answer.text.slice(0, 2_000));
  const marked = answer.text.matchAll(/ id="element-([0-9a-f-]{36})-mistake"/g);
  return [...marked].map(([, id = '']) => nameOf(id));
}

export function headingOf(answer: Answer): string {
  return /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(answer.text)?.[1]?.trim() ?? '';
}

/** Checks that the page has one h1 with a text or with an image that has a text. */
export function assertHeading(answer: Pick<Answer, 'text'>): void {
  const headings = [...answer.text.matchAll(/<h1\b[^>]*>([\s\S]*?)<\/h1>/g)].map(([, inner = '']) => inner);
  assert.equal(headings.length, 1);
  const [inner = ''] = headings;
  const words = inner.replaceAll(/<[^>]*>/g, '').trim() || (/ alt="([^"]+)"/.exec(inner)?.[1] ?? '').trim();
  assert.notEqual(words, '');
}

/** Reloads the result until no part is in progress. */
export function ended({ visitor }: Pick<Person, 'visitor'>, result: Answer): Promise<Answer> {
  return until(async () => {
    const page = await visitor.open(result.url);
    return !page.text.includes('data-refresh') && page;
  }, 'the result is final');
}

/** Presses the undo button of a result page. */
export async function undo({ visitor }: Person, result: Answer): Promise<Answer> {
  const page = /\/undo[?"]/.test(result.text) ? result : await ended({ visitor }, result);
  const answer = await visitor.press(readForm(page.text));
  assert.equal(answer.status, 303, answer.text.slice(0, 1_000));
  return visitor.open(answer.location ?? '');
}
