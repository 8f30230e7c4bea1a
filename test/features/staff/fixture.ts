import assert from 'node:assert/strict';
import { type Form, readForm, readForms, save } from '../../kit/form.ts';
import { readHtml } from '../../kit/html.ts';
import type { Product } from '../../kit/product.ts';
import { type Answer, createVisitor, type Visitor } from '../../kit/visitor.ts';

export const guid = (end: number) => `123e4567-e89b-12d3-a456-4266${String(end).padStart(8, '0')}`;

/** Where the product's last start lets staff in, once. */
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

/** The page of a person, with that center on it. */
export async function findPerson(staff: Visitor, identifier: string, center: string): Promise<Answer> {
  const page = await staff.open('/staff/people');
  const search = readForms(page.text).find((form) => form.has('identifier')) ?? assert.fail('no search');
  const { action, fields } = search.type('identifier', identifier).press();
  return staff.post(action, [...fields, ['center', center]]);
}

/** Presses a button on the page of a person, of what is about that center. */
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
  /** The body that it was created or last updated with. */
  readonly request: Readonly<Record<string, unknown>>;
}

/** What the sandbox has of a task. */
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

/** What is typed into a form, by the name of the control. */
export type Typed = Readonly<Record<string, string | boolean>>;

/** Something in every control of the form of a task. */
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

/** In the form of a new one there is more. */
export const filledAnew: Typed = {
  ...filledTask,
  parentEntityId: guid(4),
  orgGroupId: guid(5),
  taskTypeNameKey: 'Issue',
  resourceId: guid(6),
  resourceTypeNameKey: 'Record',
  moduleSource: 'AUDIT',
};

/** What is done with a control of a form: text is typed or chosen, a box is ticked or not. */
export function fillIn(form: Form, name: string, value: string | boolean): void {
  if (value === true) form.tick(name);
  else if (value === false) form.untick(name);
  else if (form.controls.some((control) => control.name === name && control.tag === 'select'))
    form.choose(name, value);
  else form.type(name, value);
}

/** The form of a page, filled in, as it leaves the browser: the very same may be sent again. */
export async function filled(
  staff: Visitor,
  path: string,
  typed: Typed,
): Promise<readonly [action: string, fields: [string, string][]]> {
  const form = readForm((await staff.open(path)).text);
  for (const [name, value] of Object.entries(typed)) fillIn(form, name, value);
  return [form.action, form.press(save).fields];
}

/** The page shows again what was typed. */
export function assertKept({ text }: Answer, typed: Typed): void {
  const form = readForm(text);
  for (const [name, value] of Object.entries(typed))
    assert.equal(heldBy(form, name), value, `${name} is lost`);
}

/** What a control of a form holds, as `fillIn` would be told it. */
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

/** The runs of text of a page's main part, or of the element with that id, in their order. */
export function saidOn(html: string, id?: string): readonly string[] {
  const said: string[] = [];
  let tag: string | undefined;
  let depth = 0;
  for (const piece of readHtml(html)) {
    if (piece.kind === 'open' && tag === undefined) {
      const isIt = id === undefined ? piece.tag === 'main' : piece.attributes['id'] === id;
      if (isIt) tag = piece.tag;
    }
    if (tag === undefined) continue;
    if (piece.kind === 'text') said.push(piece.text.replaceAll(/\s+/g, ' ').trim());
    else if (piece.tag === tag) depth += piece.kind === 'open' ? 1 : -1;
    if (piece.kind === 'close' && depth === 0) break;
  }
  assert.ok(tag !== undefined, `the page has no ${id ?? 'main part'}`);
  return said.filter((text) => text !== '');
}
