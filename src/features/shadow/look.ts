import { drawnByDefault, type FormSnapshot } from '../../core/consent/form-snapshot.ts';
import { mergeIntent, type PlannedCall } from '../../core/consent/merge.ts';
import type { Posted } from '../../core/consent/posted.ts';
import { planSubmission } from '../../core/consent/submission-plan.ts';
import type { Center } from '../../core/model/center/center.ts';
import { type ConsentRecord, recordOf, type Subject } from '../../core/model/person/subject.ts';
import { type PurposeUpdate, updateOf } from '../../core/model/submission/consent-update.ts';
import { plainBrand } from '../../pages/layout.ts';
import { buildPreferencePage, type PreferencePage } from '../../pages/person/preferences.ts';

/**
 * The rules that must hold for every click. `unchanged-sends`: saving a page as it was shown sends something,
 * or is held up. `lost`: a call would withdraw a choice that was not touched. `granted`: a call would grant a
 * choice that was not touched. `not-done`: a call does not do what was clicked, or leaving is held up.
 */
export const brokenRules = ['unchanged-sends', 'lost', 'granted', 'not-done'] as const;
export type BrokenRule = (typeof brokenRules)[number];

export interface Finding {
  readonly rule: BrokenRule;
  readonly page: string;
  /** The purpose that was clicked; undefined: nothing was changed. */
  readonly click: string | undefined;
  /** The purposes that the finding is about. */
  readonly purposes: readonly string[];
}

/**
 * The pages that one person would see of a center, the calls of each click, and the rules that they break.
 */
export type Look = ReturnType<typeof lookAsPerson>;

/** Builds, presses and plans the pages of a center as they are for a visitor. It sends nothing. */
export function lookAsPerson(center: Center, subject: Subject, now: number) {
  const shown = [];
  const clicks = [];
  const findings: Finding[] = [];
  for (const { id: page } of center.pages) {
    const built = build({ center, subject, page });
    if (built === undefined) continue;
    const { page: view } = built;
    const snapshot = { ...built.snapshot, nonce: 'shadow', at: now, order: 0 };
    const form = { center, subject, snapshot, now };
    const untouched = send(form, postedOf(view, undefined));
    const changed = changedBy(subject, untouched);
    if (untouched.kind !== 'none')
      findings.push({ rule: 'unchanged-sends', page, click: undefined, purposes: changed });
    for (const { value: purpose, checked, disabled } of purposesOf(view)) {
      shown.push({ page, id: purpose, isOn: checked, isLocked: disabled });
      if (disabled) continue;
      const call = send(form, postedOf(view, purpose));
      const to = checked ? ('off' as const) : ('on' as const);
      // Only a PUT carries purposes.
      const carries = call.kind === 'put' ? call.update.purposes.map(({ id }) => id) : [];
      clicks.push({ page, purpose, to, sends: call.kind, carries });
      findings.push(...brokenBy(form, { call, click: purpose, to }));
    }
  }
  return { shown, clicks, findings };
}

function build(input: Pick<ShownForm, 'center' | 'subject'> & { readonly page: string }) {
  return buildPreferencePage({
    ...input,
    language: input.center.defaultLanguage,
    scope: 'manage',
    action: '',
    unsubscribeHref: '',
    pageContext: { brand: plainBrand(''), pageHref: () => '', languageHref: () => '', frame: 'top' },
  });
}

function purposesOf({ sections }: PreferencePage) {
  return sections.flatMap(({ items }) => items.filter((item) => item.kind === 'purpose'));
}

/**
 * The form that a browser would post: no disabled control, and every other control as it stands except the
 * pressed one.
 */
function postedOf(view: PreferencePage, pressed: string | undefined): Posted {
  const topics: Record<string, readonly string[]> = Object.create(null);
  const options: Record<string, readonly string[]> = Object.create(null);
  const elements: Record<string, string> = Object.create(null);
  const chosen = (choices: readonly { checked: boolean; disabled: boolean; value: string }[]) =>
    choices.flatMap(({ checked, disabled, value }) => (checked && !disabled ? value : []));
  const purposes = purposesOf(view);
  for (const { value, topics: choices, preferences } of purposes) {
    const ticked = chosen(choices);
    // A browser sends no field in which nothing is ticked.
    if (ticked.length > 0) topics[value] = ticked;
    for (const { name, choices, disabled } of preferences) {
      const picked = disabled ? [] : chosen(choices);
      if (picked.length > 0) options[name.slice('option.'.length)] = picked;
    }
  }
  for (const item of view.sections.flatMap(({ items }) => items)) {
    if (item.kind !== 'data-element' || item.control === 'static') continue;
    const selected = item.options.find((option) => option.selected)?.value ?? item.options[0]?.value ?? '';
    elements[item.name.slice('element.'.length)] = item.control === 'select' ? selected : item.value;
  }
  const ticked = purposes.filter(
    ({ value, checked, disabled }) => !disabled && checked !== (value === pressed),
  );
  return {
    purposes: ticked.map(({ value }) => value),
    topics,
    options,
    elements,
    subscribeAll: false,
    language: undefined,
  };
}

interface ShownForm {
  readonly center: Center;
  readonly subject: Subject;
  readonly snapshot: FormSnapshot;
  readonly now: number;
}

/** The parts of a form by which a click is judged. */
export type ClickedOn = Pick<ShownForm, 'subject'> & {
  readonly center: Pick<Center, 'confirmsDefaults' | 'pages'>;
  readonly snapshot: Pick<FormSnapshot, 'purposes' | 'page'>;
};

type Sent = PlannedCall | { readonly kind: 'asks-again' };

function send({ subject, ...form }: ShownForm, posted: Posted): Sent {
  const { center, snapshot } = form;
  const { page } = snapshot;
  const plan = planSubmission({ ...form, page, posted, subject: subject.id, scope: 'manage' });
  if (plan.kind !== 'submit') return { kind: 'asks-again' };
  const { intent } = plan.submission;
  const confirmable = drawnByDefault(snapshot, { center });
  return mergeIntent({ center, current: subject, intent, confirmable });
}

function isOn({ status }: ConsentRecord): boolean {
  return status === 'active' || status === 'always-active';
}

/** The purposes that a call would change although they were not clicked. */
function changedBy(subject: Subject, call: Sent): readonly string[] {
  return call.kind === 'put' ? [...lostBy(subject, call.update), ...grantedBy(subject, call.update)] : [];
}

type Update = Extract<PlannedCall, { kind: 'put' }>['update'];

function lostBy(subject: Subject, update: Update): readonly string[] {
  return subject.purposes.flatMap((record) => {
    const sent = updateOf(update, record.purpose);
    return isOn(record) && (sent === undefined || !keeps(record, sent)) ? record.purpose : [];
  });
}

function keeps(record: ConsentRecord, { topics, preferences }: PurposeUpdate): boolean {
  const options = new Set(
    preferences.flatMap(({ id, options: chosen }) => chosen.map((option) => `${id} ${option}`)),
  );
  return (
    record.topics.every((topic) => topics.includes(topic)) &&
    record.preferences.every(({ id, options: chosen }) =>
      chosen.every((option) => options.has(`${id} ${option}`)),
    )
  );
}

function grantedBy(subject: Subject, { purposes }: Update): readonly string[] {
  return purposes.flatMap(({ id }) => {
    const record = recordOf(subject, id);
    return record !== undefined && isOn(record) ? [] : id;
  });
}

/** The rules that a call for one click breaks. */
export function brokenBy(
  { center, subject, snapshot }: ClickedOn,
  { call, click, to }: { readonly call: Sent; readonly click: string; readonly to: 'on' | 'off' },
): readonly Finding[] {
  const found = (rule: BrokenRule, purposes: readonly string[]): Finding[] =>
    purposes.length === 0 ? [] : [{ rule, page: snapshot.page, click, purposes }];
  if (call.kind !== 'put') {
    // A mistake holds up a grant, but it must never hold up leaving.
    const isHeld = to === 'off' && call.kind === 'asks-again';
    return isHeld ? found('not-done', [click]) : [];
  }
  const confirmed = center.confirmsDefaults ? drawnByDefault(snapshot, { center }) : [];
  const isDone = (updateOf(call.update, click) !== undefined) === (to === 'on');
  const lost = lostBy(subject, call.update).filter((id) => id !== click);
  const granted = grantedBy(subject, call.update).filter((id) => id !== click && !confirmed.includes(id));
  return [...found('lost', lost), ...found('granted', granted), ...found('not-done', isDone ? [] : [click])];
}
