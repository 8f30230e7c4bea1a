import { knownOf, type PurposeSnapshot } from '../../core/consent/form-snapshot.ts';
import { statusUnderObjection } from '../../core/consent/global-privacy-control.ts';
import { withinOffer } from '../../core/consent/leaving-only.ts';
import type { LifeEnd } from '../../core/consent/life-end.ts';
import { type ConsentStatus, consentStatus, isShownOn, mayChange } from '../../core/consent/status.ts';
import type { Option, Preference, Purpose, Topic } from '../../core/model/center/center.ts';
import type { ConsentRecord } from '../../core/model/person/subject.ts';
import { choicesIn, type PurposeChange } from '../../core/model/submission/intent.ts';
import { chooseHtml } from '../../i18n/language.ts';
import { channelIcon } from './channel-icon.ts';
import { nameIn, type ViewInput } from './names.ts';
import { describeState, renewView } from './purpose-state.ts';

/** A purpose on record for a person, with the changes that are laid over it for now. */
export interface Standing {
  /**
   * Number of the purpose on its page, from 0. It keeps the ids of topics and options short, since a page has
   * hundreds.
   */
  readonly at: number;
  readonly record: ConsentRecord | undefined;
  /** The end of the consent, if known. */
  readonly ends?: LifeEnd | undefined;
  /** A change that the person just asked for, and that is not saved yet. */
  readonly draft: PurposeChange | undefined;
  /** Unfinished changes of this purpose, in the order of submission, which the page already shows as done. */
  readonly underway: readonly PurposeChange[];
  readonly isObjected: boolean;
  /** Whether a call is on its way that removes the purpose. */
  readonly isCalled: boolean;
}

export type PurposeView = NonNullable<ReturnType<typeof buildPurposeView>>['view'];

/**
 * Builds the view of a purpose and its snapshot; undefined when the purpose is not shown. The next post is
 * compared with the snapshot: the current record, never the draft. So a change that is shown again for review
 * is still a change, and nothing else becomes one.
 */
export function buildPurposeView(purpose: Purpose, standing: Standing, viewInput: ViewInput) {
  const recorded = consentStatus(purpose, standing.record);
  if (!isVisible(purpose, recorded, standing.record !== undefined)) return undefined;
  if (recorded === 'locked-off' && viewInput.center.hardOptOut === 'hide') return undefined;

  const { underway } = standing;
  const kinds = new Set(underway.map(({ kind }) => kind));
  const isWithdrawing = kinds.has('off') && mayLeave(recorded);
  const isSwitchedOn = kinds.has('on') && mayChange(recorded);
  const status = isSwitchedOn ? 'on' : statusShown(recorded, standing, isWithdrawing);
  // A purpose that is switched on again has only the choices of that submission.
  const chosen = chosenOnRecord(purpose, status, isSwitchedOn ? undefined : standing.record);
  const count = chosen.size;
  if (isShownOn(status)) for (const each of underway) overlay(chosen, purpose, each);
  const isReducing = chosen.size < count;
  const snapshot: PurposeSnapshot = {
    id: purpose.id,
    status,
    ...knownOf(standing, status),
    topics: purpose.topics.map((topic) => topic.id).filter((id) => chosen.has(topicKey(id))),
    options: purpose.preferences.flatMap((preference) =>
      preference.options
        .filter((option) => chosen.has(key(preference.id, option.id)))
        .map((option) => ({ preference: preference.id, option: option.id })),
    ),
  };

  const isLocked = !mayChange(status);
  const draft = withinOffer(standing.draft, { purpose, status });
  if (draft !== undefined && !isLocked) overlay(chosen, purpose, draft);
  const { language, messages, center, scope } = viewInput;
  const checked = isChecked(status, isLocked ? undefined : draft);
  const mayAdd = scope === 'manage' && purpose.leavingOnly !== true;
  const closed: Closed = isLocked || (!mayAdd && !checked) ? 'all' : mayAdd ? 'nothing' : 'adding';
  // A purpose that is on by default was never agreed to: removing one of its choices would be an agreement.
  const isAssumed = purpose.leavingOnly === true && status === 'on-by-default';
  const shownState = isWithdrawing
    ? 'being-carried-out'
    : isSwitchedOn || (kinds.has('adjust') && isShownOn(status))
      ? 'being-saved'
      : isReducing
        ? 'being-reduced'
        : status !== recorded
          ? 'objected'
          : status;
  const isEnding = shownState === 'on' && closed === 'nothing' && standing.ends?.isSoon === true;
  const isRenewed = draft?.kind === 'adjust' && draft.renews === true;
  const renew = isEnding ? renewView(purpose, isRenewed, viewInput) : undefined;
  const drawing: Drawing = { ...viewInput, purpose, chosen, closed: isAssumed ? 'all' : closed };
  const offered = purpose.preferences.filter(({ options }) => options.length > 0);
  const described = describeState(shownState, { purpose, ends: standing.ends }, viewInput);
  const isForLeaving = purpose.leavingOnly === true && mayChange(recorded);
  const view = {
    kind: 'purpose' as const,
    /** The id of the input; the id of its description is this and `-about`. */
    id: `purpose-${purpose.id}`,
    name: nameIn(purpose.name, viewInput, standing.record?.label),
    description: chooseHtml(purpose.description, language, center.defaultLanguage),
    value: purpose.id,
    checked,
    disabled: closed === 'all',
    tag: described.tag,
    hint: isForLeaving ? { text: messages.states.leavingOnlyHint } : described.hint,
    /** The offer to renew, in the last week of the life span. */
    renew,
    topics: purpose.topics.map((topic, index) => {
      const id = `topic-${standing.at}-${index}`;
      return choiceOf(topic, { id, checked: chosen.has(topicKey(topic.id)) }, drawing);
    }),
    preferences: offered.map((preference, index) =>
      buildPreferenceView(preference, `option-${standing.at}-${index}`, drawing),
    ),
  };
  return { snapshot, view };
}

/** The ticked options; a single choice has at most one, whatever the record holds. */
function tickedIn({ id, choice, options }: Preference, chosen: ReadonlySet<string>): ReadonlySet<string> {
  const checked = options.filter((option) => chosen.has(key(id, option.id))).map((option) => option.id);
  return new Set(choice === 'multiple' ? checked : checked.slice(0, 1));
}

/**
 * The topics and options of a purpose that are disabled. `adding`: a chosen one can be un-chosen, and a
 * single choice can become "none".
 */
type Closed = 'nothing' | 'adding' | 'all';

function isVisible({ active, visibility }: Purpose, status: ConsentStatus, isOnRecord: boolean): boolean {
  if (!active) return false;
  if (visibility === 'consented') return isShownOn(status);
  if (visibility === 'prior-consented') return isOnRecord;
  return true;
}

function mayLeave(recorded: ConsentStatus): boolean {
  return (isShownOn(recorded) && mayChange(recorded)) || recorded === 'waiting';
}

/**
 * The status to show: a purpose that is being withdrawn is off, and one that the browser objects to was never
 * agreed to.
 */
function statusShown(recorded: ConsentStatus, standing: Standing, isWithdrawing: boolean): ConsentStatus {
  if (!mayChange(recorded)) return recorded;
  if (isWithdrawing) return 'off';
  return standing.isObjected ? statusUnderObjection(recorded) : recorded;
}

function isChecked(status: ConsentStatus, draft: PurposeChange | undefined): boolean {
  if (draft?.kind === 'on') return true;
  if (draft?.kind === 'off') return false;
  return isShownOn(status);
}

/** Topics and options by their keys. No id contains a space. */
type Chosen = Set<string>;

function key(preference: string, option: string): string {
  return `${preference} ${option}`;
}

function topicKey(topic: string): string {
  return key('', topic);
}

/**
 * The choices on record. For a purpose that is off with no option on record, its default options are
 * preselected.
 */
function chosenOnRecord(purpose: Purpose, status: ConsentStatus, record: ConsentRecord | undefined): Chosen {
  const { topics = [], preferences = [] } = record ?? {};
  const options = preferences.flatMap(({ id, options: all }) => all.map((option) => key(id, option)));
  const isPrepared = options.length === 0 && !isShownOn(status) && mayChange(status);
  const prepared = isPrepared ? purpose.preferences : [];
  return new Set([
    ...topics.map(topicKey),
    ...options,
    ...prepared.flatMap(({ id, choice, options: all }) =>
      all
        .filter(({ isDefault }) => isDefault)
        .slice(0, choice === 'single' ? 1 : undefined)
        .map((option) => key(id, option.id)),
    ),
  ]);
}

/** Applies the differences in a change to the choices. */
function overlay(chosen: Chosen, purpose: Purpose, draft: PurposeChange): void {
  if (draft.kind === 'off') return;
  const { topics, options } = choicesIn(draft);
  for (const topic of draft.topicsOff) chosen.delete(topicKey(topic));
  for (const topic of topics) chosen.add(topicKey(topic));
  for (const { preference, option } of draft.optionsOff) chosen.delete(key(preference, option));
  const preferences = new Map(purpose.preferences.map((preference) => [preference.id, preference]));
  for (const { preference, option } of options) {
    const choice = preferences.get(preference);
    if (choice?.choice === 'single') {
      for (const other of choice.options) chosen.delete(key(preference, other.id));
    }
    chosen.add(key(preference, option));
  }
}

/** The input for the views of a purpose's topics and preferences. */
interface Drawing extends ViewInput {
  readonly purpose: Purpose;
  readonly chosen: Chosen;
  readonly closed: Closed;
}

/** The view of a topic or an option. */
function choiceOf(
  { id: value, name }: Topic | Option,
  { id, checked }: { readonly id: string; readonly checked: boolean },
  drawing: Drawing,
) {
  return {
    id,
    value,
    checked,
    /** The icon of the channel that the name means, if any. */
    icon: channelIcon(name),
    label: nameIn(name, drawing),
    disabled: drawing.closed === 'all' || (drawing.closed === 'adding' && !checked),
  };
}

const displays = {
  buttons: { single: ['pills', 'radio'], multiple: ['pills', 'checkbox'] },
  checkboxes: { single: ['radios', 'radio'], multiple: ['checkboxes', 'checkbox'] },
  dropdown: { single: ['dropdown', 'select'], multiple: ['checkboxes', 'checkbox'] },
  'radio-buttons': { single: ['radios', 'radio'], multiple: ['checkboxes', 'checkbox'] },
} as const;

function buildPreferenceView(preference: Preference, id: string, drawing: Drawing) {
  const { purpose, chosen, closed, center, language, messages } = drawing;
  const name = `option.${purpose.id}.${preference.id}`;
  const [display, type] = displays[preference.display][preference.choice];
  const shownLabel = nameIn(preference.name, drawing);

  const ticked = tickedIn(preference, chosen);
  const empty = (text: string): ReturnType<typeof choiceOf> => ({
    id: `${id}-none`,
    value: '',
    icon: undefined,
    label: { text },
    checked: ticked.size === 0,
    disabled: closed === 'all',
  });

  const choices = preference.options.map((option, index) =>
    choiceOf(option, { id: `${id}-${index}`, checked: ticked.has(option.id) }, drawing),
  );
  if (preference.choice === 'single' && !preference.required) choices.unshift(empty(messages.page.none));
  // A list without an empty first line would preselect an option for the person.
  else if (type === 'select' && ticked.size === 0) choices.unshift(empty(messages.page.choose));
  return {
    id,
    label: shownLabel,
    description: chooseHtml(preference.description, language, center.defaultLanguage),
    display,
    type,
    required: preference.required,
    name,
    disabled: closed === 'all',
    choices,
    mistake: drawing.mistakeIn(name, shownLabel.text),
  };
}
