import assert from 'node:assert/strict';
import { type Form, readForm, readForms, save } from '../../kit/form.ts';
import { readHtml } from '../../kit/html.ts';
import type { Product } from '../../kit/product.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';

export const guid = (end: number) => `123e4567-e89b-12d3-a456-4266${String(end).padStart(8, '0')}`;

/** The one-time address that the product's last start printed. */
export function oneTimeAddress(product: Product): string {
  const printed = [...product.output().matchAll(/^Staff: (\S+)$/gm)].at(-1)?.[1];
  const { pathname, search } = new URL(printed ?? assert.fail('no address was printed'));
  return pathname + search;
}

/** A member of the staff, signed in by the one-time address. */
export async function enter(product: Product): Promise<Visitor> {
  const staff = createVisitor(product.url);
  assert.equal((await staff.open(oneTimeAddress(product))).status, 200);
  return staff;
}

/** Searches for a person; the page of the answer has this center on it. */
export async function findPerson(staff: Visitor, identifier: string, center: string): Promise<Answer> {
  const page = await staff.open('/staff/people');
  const search = readForms(page.text).find((form) => form.has('identifier')) ?? assert.fail('no search');
  const { action, fields } = search.type('identifier', identifier).press();
  return staff.post(action, [...fields, ['center', center]]);
}

/** Presses a button of one center on the page of a person. */
export async function pressAbout(
  staff: Visitor,
  person: Answer,
  { action, center }: { readonly action: string; readonly center: string },
): Promise<Answer> {
  const form = readForms(person.text).find(
    (each) => each.action === `/staff/people/${action}` && each.valueOf('center') === center,
  );
  return staff.post(`/staff/people/${action}`, form?.press().fields ?? assert.fail(`no ${action}`));
}

export interface StoredTask {
  readonly task: Readonly<Record<string, unknown>>;
  /** The body of the last create or update. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** The task as the sandbox has stored it. */
export async function storedTask(product: Product, id: string): Promise<StoredTask> {
  const answer = await fetch(`${product.sandboxUrl}/_sandbox/tasks`);
  const tasks = (await answer.json()) as readonly StoredTask[];
  return tasks.find(({ task }) => task['id'] === id) ?? assert.fail(`the sandbox has no task ${id}`);
}

/** The id in the address of a task's own page. */
export function taskIdOf({ url }: Answer): string {
  const [, id] = /^\/staff\/tasks\/([0-9a-f-]{36})$/.exec(new URL(url).pathname) ?? [];
  return id ?? assert.fail(`${url} is not the page of a task`);
}

/** Values for the controls of a form by their names. */
export type Typed = Readonly<Record<string, string | boolean>>;

/** A value for each control of the form of a task. */
export const filledTask: Typed = {
  taskName: 'A name',
  description: 'Words,\nin two lines',
  assigneeId: guid(1),
  assigneeEmail: 'robin@example.org',
  'collaborators.0.type': 'group',
  'collaborators.0.collaboratorId': guid(2),
  'collaborators.0.collaboratorEmail': 'kim@example.org',
  deadline: '2031-03-04',
  'deadline-time': '17:30',
  'deadline-zone': 'Europe/Paris',
  'parameters.0.name': 'case',
  'parameters.0.type': 'object',
  'parameters.0.value': '{"a": 1}',
  priority: 'low',
  isRequired: true,
  sourceType: 'RULES',
  sourceId: guid(3),
};

/** The form of a new task has more controls. */
export const filledAnew: Typed = {
  ...filledTask,
  parentEntityId: guid(4),
  orgGroupId: guid(5),
  taskTypeNameKey: 'Issue',
  resourceId: guid(6),
  resourceTypeNameKey: 'Record',
  moduleSource: 'AUDIT',
};

/** Sets a control of a form: types or chooses a text, ticks or unticks a box. */
export function fillIn(form: Form, name: string, value: string | boolean): void {
  if (value === true) form.tick(name);
  else if (value === false) form.untick(name);
  else if (form.controls.some((control) => control.name === name && control.tag === 'select'))
    form.choose(name, value);
  else form.type(name, value);
}

/** Fills in the form of a page and returns its post, which may be sent several times. */
export async function filled(
  staff: Visitor,
  path: string,
  typed: Typed,
): Promise<readonly [action: string, fields: [string, string][]]> {
  const form = readForm((await staff.open(path)).text);
  for (const [name, value] of Object.entries(typed)) fillIn(form, name, value);
  return [form.action, form.press(save).fields];
}

/** Asserts that the page shows again what was typed. */
export function assertKept({ text }: Answer, typed: Typed): void {
  const form = readForm(text);
  for (const [name, value] of Object.entries(typed))
    assert.equal(heldBy(form, name), value, `${name} is lost`);
}

/** The value of a control of a form, as `fillIn` takes it. */
export function heldBy(form: Form, name: string): string | boolean | undefined {
  const isBox = form.controls.some((control) => control.name === name && control.type === 'checkbox');
  if (isBox) return form.isTicked(name);
  // An id that is known is not in its field, but chosen in the menu beside it.
  return form.valueOf(name) || chosenBeside(form, name) || form.valueOf(name);
}

function chosenBeside(form: Form, name: string): string | undefined {
  const menu = form.controls.find((control) => control.name === `${name}-chosen`);
  return menu && form.valueOf(menu.name)?.replace(/^(user|group):/, '');
}

/** An object with these members; a path leads into objects and lists. */
export function build(members: Iterable<readonly [path: string, value: unknown]>): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [path, value] of members) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let at = whole;
    for (const [depth, part] of parts.entries()) {
      at[part] ??= /^\d+$/.test(parts[depth + 1] ?? last) ? [] : {};
      at = at[part] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return whole;
}

/** The runs of text in the main part of a page, or in the element with this id, in their order. */
export function saidOn(html: string, id?: string): readonly string[] {
  const runs: string[] = [];
  let tag: string | undefined;
  let depth = 0;
  for (const piece of readHtml(html)) {
    if (piece.kind === 'open' && tag === undefined) {
      const isPart = id === undefined ? piece.tag === 'main' : piece.attributes['id'] === id;
      if (isPart) tag = piece.tag;
    }
    if (tag === undefined) continue;
    if (piece.kind === 'text') runs.push(piece.text.replaceAll(/\s+/g, ' ').trim());
    else if (piece.tag === tag) depth += piece.kind === 'open' ? 1 : -1;
    if (piece.kind === 'close' && depth === 0) break;
  }
  assert.ok(tag !== undefined, `the page has no ${id ?? 'main part'}`);
  return runs.filter((text) => text !== '');
}
