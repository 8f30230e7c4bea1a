import { canaries } from './canaries.ts';
import type { Control, Form } from './form.ts';
import type { SubjectAnswer } from './sandbox-client.ts';

/** One change that a person makes to a control of the preferences page. */
export type Move =
  | { readonly kind: 'tick' | 'untick' | 'choose'; readonly name: string; readonly value: string }
  | { readonly kind: 'type'; readonly name: string; readonly text: string };

/** A person's record without texts: what a submission may change, and what it must leave alone. */
export interface Standing {
  readonly language: string | undefined;
  /**
   * The state of each purpose, by id. `status` is `ON` for every status that counts as consent given, else
   * the platform's own. `choices` are topics and options, which matter only while the purpose is on.
   */
  readonly purposes: Readonly<
    Record<string, { readonly status: string; readonly choices: readonly string[] }>
  >;
  readonly elements: Readonly<Record<string, string>>;
}

const consentGiven = new Set(['ACTIVE', 'OPT_IN', 'EXTEND', 'CHANGE_PREFERENCES', 'ALWAYS_ACTIVE']);

export function standing(answer: SubjectAnswer): Standing {
  const purposes = answer.Purposes.map((purpose) => {
    const topics = (purpose.Topics ?? []).map(({ Id }) => `topic ${Id}`);
    const options = (purpose.CustomPreferences ?? []).flatMap((preference) =>
      (preference.Options ?? []).map(({ Id }) => `option ${preference.Id} ${Id}`),
    );
    const status = consentGiven.has(purpose.TransactionStatus) ? 'ON' : purpose.TransactionStatus;
    return [
      purpose.Id.toLowerCase(),
      { status, choices: [...topics, ...options].map(lower).sort() },
    ] as const;
  });
  return {
    language: answer.Language,
    purposes: Object.fromEntries(purposes),
    elements: { ...answer.DsDataElements },
  };
}

/**
 * Moves of every kind that the page offers. The first purpose that is on goes off. The two with most groups
 * of choices among those that are off go on, with a choice in each group. At all others that are on every
 * group changes. So does one data element of each type.
 */
export function planMoves(form: Form): Move[] {
  const switches = form.controls.filter(({ name, disabled }) => name === 'purpose' && !disabled);
  const [off, ...adjusted] = switches.filter(({ checked }) => checked);
  const unticked = switches.filter(({ checked }) => !checked);
  const richest = unticked.toSorted(
    (a, b) => groupsOf(form, b.value).length - groupsOf(form, a.value).length,
  );
  const on = richest.slice(0, 2);
  return [
    ...(off === undefined ? [] : [{ kind: 'untick' as const, name: 'purpose', value: off.value }]),
    ...on.flatMap(({ value }): Move[] => [
      { kind: 'tick', name: 'purpose', value },
      ...groupsOf(form, value).flatMap((group) => choiceIn(group)),
    ]),
    ...adjusted.flatMap(({ value }) => groupsOf(form, value).flatMap((group) => choiceIn(group))),
    ...planTyping(form),
  ];
}

/** The topics of a purpose, and the options of each of its preferences: controls of one name are a group. */
function groupsOf(form: Form, purpose: string): Control[][] {
  const groups = Map.groupBy(
    form.controls.filter(({ name }) => name === `topic.${purpose}` || name.startsWith(`option.${purpose}.`)),
    ({ name }) => name,
  );
  return [...groups.values()];
}

/** A move that changes the choice in a group: it adds a choice, takes another one, or removes one. */
function choiceIn(group: readonly Control[]): Move[] {
  const [first] = group;
  if (first === undefined) return [];
  const { name } = first;
  if (first.tag === 'select') {
    const other = first.options.find(({ value }) => value !== '' && value !== first.value);
    return other === undefined ? [] : [{ kind: 'choose', name, value: other.value }];
  }
  const free = group.find(({ checked, disabled, value }) => !checked && !disabled && value !== '');
  if (free !== undefined)
    return [{ kind: free.type === 'radio' ? 'choose' : 'tick', name, value: free.value }];
  return first.type === 'checkbox' ? [{ kind: 'untick', name, value: first.value }] : [];
}

const typed: Readonly<Record<string, string>> = {
  text: `${canaries.typed} & Söhne`,
  number: '7',
  date: '1984-02-29',
  tel: canaries.phone,
};

function planTyping(form: Form): Move[] {
  const elements = form.controls.filter(({ name, disabled, readOnly }) => {
    return name.startsWith('element.') && !disabled && !readOnly;
  });
  const kinds = Map.groupBy(elements, ({ type }) => type);
  return [...kinds.values()].flatMap(([control]): Move[] => {
    if (control === undefined) return [];
    if (control.tag === 'select') return choiceIn([control]);
    const text = typed[control.type];
    return text === undefined ? [] : [{ kind: 'type', name: control.name, text }];
  });
}

/** Applies the moves to the form. */
export function carryOut(moves: readonly Move[], form: Form): Form {
  for (const move of moves) {
    if (move.kind === 'type') form.type(move.name, move.text);
    else form[move.kind](move.name, move.value);
  }
  return form;
}

/**
 * The record that must follow from `moves`: `before`, changed by them and by nothing else. `form` is the
 * page's form before the moves, `elementLabels` the platform's key of each data element on the page.
 */
export function standingAfter(
  before: Standing,
  moves: readonly Move[],
  form: Form,
  elementLabels: Readonly<Record<string, string>>,
): Standing {
  const displayed = new Map(
    form.controls.map((control) => [`${control.name} ${control.value}`, control.checked]),
  );
  const purposes: Record<string, { status: string; choices: readonly string[] }> = { ...before.purposes };
  const elements: Record<string, string> = { ...before.elements };
  const shown = (purpose: string): string[] =>
    groupsOf(form, purpose).flatMap((group) =>
      group.flatMap((control) => {
        if (control.tag === 'select')
          return control.value === '' ? [] : [choiceOf(control.name, control.value)];
        return control.checked && control.value !== '' ? [choiceOf(control.name, control.value)] : [];
      }),
    );
  for (const move of moves) {
    if (move.kind === 'type' || move.name.startsWith('element.')) {
      const label = elementLabels[move.name.slice('element.'.length).toLowerCase()];
      if (label === undefined) throw new Error(`${move.name} is no element of this center`);
      elements[label] = move.kind === 'type' ? onTheWire(move.text) : move.value;
      continue;
    }
    if (move.name === 'purpose') {
      const id = move.value.toLowerCase();
      purposes[id] =
        move.kind === 'tick'
          ? { status: 'ON', choices: shown(move.value).sort() }
          : { status: 'WITHDRAWN', choices: [] };
      continue;
    }
    const id = (move.name.split('.')[1] ?? '').toLowerCase();
    const choice = choiceOf(move.name, move.value);
    const before = purposes[id] ?? { status: 'ON', choices: [] };
    const group = choice.slice(0, choice.lastIndexOf(' '));
    const others = before.choices.filter((other) => other !== choice);
    const kept = move.kind === 'choose' ? others.filter((other) => !other.startsWith(`${group} `)) : others;
    const status = displayed.get(`purpose ${move.name.split('.')[1]}`) === true ? 'ON' : before.status;
    purposes[id] = { status, choices: [...kept, ...(move.kind === 'untick' ? [] : [choice])].sort() };
  }
  return { ...before, purposes, elements };
}

/** A control's name and value → the choice on record. */
function choiceOf(name: string, value: string): string {
  const [kind = '', , preference] = name.split('.');
  return lower(kind === 'topic' ? `topic ${value}` : `option ${preference} ${value}`);
}

/** The text as it goes over the wire: a date as month/day/year. */
function onTheWire(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return year === undefined ? text : `${month}/${day}/${year}`;
}

function lower(text: string): string {
  return text.toLowerCase();
}
