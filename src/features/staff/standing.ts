import { purposesOf } from '../../core/consent/merge-set.ts';
import { type ConsentStatus, consentStatus, isShownOn } from '../../core/consent/status.ts';
import type { Center, Purpose, Text } from '../../core/model/center/center.ts';
import { recordOf, type Subject } from '../../core/model/person/subject.ts';
import type { JournalEntry } from '../../core/model/submission/journal-entry.ts';
import type { Cell, TableView, Tone } from '../../pages/staff-page.ts';
import { amount, cell, moment, table, tag } from './blocks.ts';
import type { Named } from './names.ts';
import { listed } from './page.ts';
import { channelNames, itemsOfEntry, namesIn, ownText } from './submission-words.ts';

/** The center's purposes, and the purposes on record for the person, with their status. */
export function standingsOf(center: Center | undefined, record: Subject) {
  const offered = center === undefined ? new Map<string, Purpose>() : purposesOf(center);
  const ids = new Set([...offered.keys(), ...record.purposes.map(({ purpose }) => purpose)]);
  return [...ids].flatMap((id) => {
    const [purpose, recorded] = [offered.get(id), recordOf(record, id)];
    if (purpose?.active === false && recorded === undefined) return [];
    return [{ id, status: consentStatus(purpose, recorded), purpose, record: recorded }];
  });
}

/** The current status of a purpose for a person on the platform. */
type Standing = ReturnType<typeof standingsOf>[number];

/** A center with the person's record in it. */
export interface CenterStanding extends Named {
  readonly schema: Center | undefined;
  /** The record; undefined if it could not be read. */
  readonly record: Subject | undefined;
}

const statusNames: Readonly<Record<ConsentStatus, readonly [string, Tone]>> = {
  on: ['On', 'success'],
  'on-by-default': ['On by default', 'neutral'],
  'locked-on': ['Always on', 'neutral'],
  waiting: ['Waiting for confirmation', 'warning'],
  expired: ['Expired', 'neutral'],
  off: ['Off', 'neutral'],
  'locked-off': ['Blocked', 'neutral'],
};

/**
 * A table of the purposes that are on and their start; those that are off are in one line. `entries`: the
 * person's submissions in this center, newest first.
 */
export function standingTable(
  { name, schema, record }: CenterStanding,
  id: string,
  entries: readonly JournalEntry[],
): TableView {
  const nameOf = namesIn(schema, record);
  const all = record === undefined ? [] : standingsOf(schema, record);
  const isOff = ({ status }: Standing) => status === 'off' || status === 'locked-off';
  const off = all.filter(isOff).map((one) => nameOf('purpose', one.id));
  const open = entries.filter(({ state }) => state === 'pending').length;
  const sentences = listed([
    off.length > 0 && `Off: ${off.join(', ')}.`,
    open > 0 && `${amount(open, 'submission is', 'submissions are')} still pending.`,
  ]);
  return table({
    id,
    heading: name,
    about: sentences.join(' ') || undefined,
    caption: `What is on in ${name}`,
    columns: {
      Purpose: (one) => cell(nameOf('purpose', one.id), { more: choicesOf(one, schema) }),
      State: ({ status }) => tag(...statusNames[status]),
      Since: (one) => (isShownOn(one.status) ? since(one, entries) : undefined),
    },
    rows: all.filter((one) => !isOff(one)),
    empty:
      record === undefined
        ? 'The platform does not answer, so what is on record cannot be shown.'
        : 'Nothing is on.',
  });
}

/** The chosen topics and options, such as `Crime, Poetry`. */
function choicesOf({ purpose, record }: Standing, center: Center | undefined): string | undefined {
  if (purpose === undefined || record === undefined || center === undefined) return undefined;
  const textOf = (name: Text) => ownText(center, name) ?? [];
  const topics = purpose.topics.flatMap(({ id, name }) => (record.topics.includes(id) ? textOf(name) : []));
  const options = purpose.preferences.flatMap((preference) => {
    const chosen = record.preferences.find(({ id }) => id === preference.id)?.options ?? [];
    return preference.options.flatMap(({ id, name }) => (chosen.includes(id) ? textOf(name) : []));
  });
  return [...new Set([...topics, ...options])].join(', ') || undefined;
}

/** The time at which the purpose was turned on; known only if the last change was made here. */
function since({ id, status }: Standing, entries: readonly JournalEntry[]): Cell {
  if (status !== 'on') return cell(undefined);
  for (const entry of entries) {
    if (entry.state !== 'done') continue;
    const change = itemsOfEntry(entry).find((item) => item.what === 'purpose' && item.id === id);
    if (change?.change === 'off' && change.outcome === 'saved') return cell('Turned on elsewhere');
    if (change?.change === 'on' && change.outcome === 'saved')
      return moment(entry.doneAt ?? entry.submittedAt, { more: channelNames[entry.channel] });
  }
  return cell('Not turned on here');
}
