import { hash } from 'node:crypto';
import type { FormSnapshot, PurposeSnapshot } from '../../core/consent/form-snapshot.ts';
import type { ConsentStatus } from '../../core/consent/status.ts';
import { type Center, everyPurpose, type Purpose } from '../../core/model/center/center.ts';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A decoded form. Its topics and options get their ids from a center. */
export interface DecodedForm extends Pick<FormSnapshot, 'page' | 'at'> {
  /** A topic or option that this center lacks gets an id that no center has. */
  by(center: Center): FormSnapshot;
}

export interface FormCodec {
  encode(snapshot: FormSnapshot, center: Center): Uint8Array;
  /** undefined for bytes of another layout. */
  decode(bytes: Uint8Array): DecodedForm | undefined;
}

/** The first byte. Raise it with each change of the layout: forms sealed in another layout are refused. */
const layout = 3;
const digestBytes = 8;
const wordsBytes = 32;
const statuses: readonly ConsentStatus[] = [
  'on',
  'off',
  'on-by-default',
  'waiting',
  'expired',
  'locked-on',
  'locked-off',
];
const onRecords: readonly PurposeSnapshot['onRecord'][] = [undefined, 'refused', 'otherwise'];

/** A digest of a text: `digestBytes` characters of one byte each. */
export type Digest = (text: string) => string;

const firstOfSha256: Digest = (text) => hash('sha256', text, 'latin1').slice(0, digestBytes);

/**
 * A form snapshot as bytes. They are most of the sealed token of each page.
 * 1. A purpose is written with its id: withdrawing it needs no schema.
 * 2. A chosen topic or option is written as a digest of its ids. Any schema that still has it finds it again,
 *    so a form shown by another revision or read by another node withdraws the same. An index would not.
 * 3. If two choices of a purpose have the same digest, the second is written with its ids.
 * 4. Each recorded status is written once; purposes refer to its index.
 */
export function createFormCodec(digest: Digest = firstOfSha256): FormCodec {
  /** One entry for each schema revision in use. */
  const known = new WeakMap<Center, (purpose: string) => Names>();
  const namesIn = (center: Center): ((purpose: string) => Names) => {
    const found = known.get(center) ?? createNamesOf(center, digest);
    known.set(center, found);
    return found;
  };

  return {
    encode(snapshot, center) {
      const to = new ByteWriter();
      const namesOf = namesIn(center);
      to.number(layout);
      to.text(snapshot.nonce);
      to.text(snapshot.center);
      to.text(snapshot.page);
      to.text(snapshot.revision);
      writeWords(to, snapshot);
      to.text(snapshot.subject);
      to.double(snapshot.at);
      to.number(snapshot.order);
      const recorded = [...new Set(snapshot.purposes.flatMap((line) => line.recorded ?? []))];
      to.list(recorded, (status) => to.text(status));
      to.list(snapshot.purposes, (line) => {
        to.number(line.recorded === undefined ? 0 : recorded.indexOf(line.recorded) + 1);
        writePurpose(to, line, namesOf(line.id));
      });
      to.list(snapshot.dataElements, ({ id, value }) => {
        to.text(id);
        to.text(value);
      });
      for (const ids of [snapshot.hidden, snapshot.left, snapshot.chosen, snapshot.renewable]) {
        to.number(ids === undefined ? 0 : 1);
        to.list(ids ?? [], (id) => to.text(id));
      }
      return to.bytes();
    },
    decode(bytes) {
      const form = readForm(new ByteReader(bytes));
      if (form === undefined) return undefined;
      const { page, at } = form;
      const by = (center: Center) => {
        const namesOf = namesIn(center);
        return { ...form, purposes: form.purposes.map((line) => named(line, namesOf(line.id))) };
      };
      return { page, at, by };
    },
  };
}

/** The ids of a topic, or of a preference and its option. No id contains a space. */
type Ids = readonly [id: string, option: string];
/** A digest, or the ids of a choice without a digest of its own. */
type Said = string | Ids;

interface Choices {
  readonly digests: ReadonlyMap<string, string>;
  readonly ids: ReadonlyMap<string, Ids>;
}

interface Names {
  readonly topics: Choices;
  readonly options: Choices;
}

const noChoices: Choices = { digests: new Map(), ids: new Map() };
const noNames: Names = { topics: noChoices, options: noChoices };

/** The choices of a purpose, digested at first use. A purpose may stand on several pages. */
function createNamesOf(center: Center, digest: Digest): (purpose: string) => Names {
  const purposes = Map.groupBy(everyPurpose(center), ({ id }) => id);
  const made = new Map<string, Names>();
  return (id) => {
    const displayed = purposes.get(id);
    if (displayed === undefined) return noNames;
    const names = made.get(id) ?? createNames(displayed, digest);
    made.set(id, names);
    return names;
  };
}

function createNames(displayed: readonly Purpose[], digest: Digest): Names {
  const topics = displayed.flatMap((purpose) => purpose.topics.map(({ id }): Ids => [id, '']));
  const options = displayed.flatMap(({ preferences }) =>
    preferences.flatMap((preference) => preference.options.map(({ id }): Ids => [preference.id, id])),
  );
  return { topics: createChoices(topics, digest), options: createChoices(options, digest) };
}

function createChoices(choices: readonly Ids[], digest: Digest): Choices {
  const digests = new Map<string, string>();
  const ids = new Map<string, Ids>();
  for (const choice of choices) {
    const made = digest(keyOf(choice));
    if (ids.has(made)) continue;
    ids.set(made, choice);
    digests.set(keyOf(choice), made);
  }
  return { digests, ids };
}

function keyOf([id, option]: Ids): string {
  return `${id} ${option}`;
}

function namedBy(said: Said, { ids }: Choices): Ids {
  if (typeof said !== 'string') return said;
  const unknown = ` ${Buffer.from(said, 'latin1').toString('hex')}`;
  return ids.get(said) ?? [unknown, unknown];
}

/** A purpose whose topics and options are still digests. */
interface Unnamed extends Pick<PurposeSnapshot, 'id' | 'status' | 'onRecord' | 'recorded'> {
  readonly topics: readonly Said[];
  readonly options: readonly Said[];
}

function named({ topics, options, ...line }: Unnamed, names: Names): PurposeSnapshot {
  return {
    ...line,
    topics: topics.map((said) => namedBy(said, names.topics)[0]),
    options: options.map((said) => {
      const [preference, option] = namedBy(said, names.options);
      return { preference, option };
    }),
  };
}

function readForm(from: ByteReader): (Omit<FormSnapshot, 'purposes'> & { purposes: Unnamed[] }) | undefined {
  try {
    if (from.number() !== layout) return undefined;
    const form = {
      nonce: from.text(),
      center: from.text(),
      page: from.text(),
      revision: from.text(),
      ...readWords(from),
      subject: from.text(),
      at: from.double(),
      order: from.number(),
      purposes: readPurposes(from),
      dataElements: from.list(() => ({ id: from.text(), value: from.text() })),
      hidden: readIds(from),
      left: readIds(from),
      chosen: readIds(from),
      renewable: readIds(from),
    };
    return from.isAtEnd() ? form : undefined;
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

function writeWords(to: ByteWriter, { language, words }: Pick<FormSnapshot, 'language' | 'words'>): void {
  const bytes = Buffer.from(words ?? '', 'base64url');
  const isThere = language !== undefined && bytes.length === wordsBytes;
  to.number(isThere ? 1 : 0);
  if (!isThere) return;
  to.text(language);
  to.latin1(bytes.toString('latin1'));
}

function readWords(from: ByteReader): Pick<FormSnapshot, 'language' | 'words'> {
  if (from.number() === 0) return {};
  const language = from.text();
  return { language, words: Buffer.from(from.latin1(wordsBytes), 'latin1').toString('base64url') };
}

function readIds(from: ByteReader): string[] | undefined {
  const isThere = from.number() === 1;
  const ids = from.list(() => from.text());
  return isThere ? ids : undefined;
}

function writePurpose(to: ByteWriter, line: PurposeSnapshot, names: Names): void {
  to.text(line.id);
  to.number(statuses.indexOf(line.status));
  to.number(onRecords.indexOf(line.onRecord));
  const topics = line.topics.map((topic): Ids => [topic, '']);
  writeChoices(to, topics, names.topics);
  const options = line.options.map(({ preference, option }): Ids => [preference, option]);
  writeChoices(to, options, names.options);
}

/** Choices with a digest first, then the others. */
function writeChoices(to: ByteWriter, choices: readonly Ids[], { digests }: Choices): void {
  const made: string[] = [];
  const others: Ids[] = [];
  for (const choice of choices) {
    const digest = digests.get(keyOf(choice));
    if (digest === undefined) others.push(choice);
    else made.push(digest);
  }
  to.list(made, (digest) => to.latin1(digest));
  to.list(others, ([id, option]) => {
    to.text(id);
    to.text(option);
  });
}

function readPurposes(from: ByteReader): Unnamed[] {
  const statusesOf = [undefined, ...from.list(() => from.text())];
  return from.list(() => {
    const recorded = oneOf(statusesOf, from);
    return { ...readPurpose(from), ...(recorded === undefined ? {} : { recorded }) };
  });
}

function readPurpose(from: ByteReader): Unnamed {
  return {
    id: from.text(),
    status: oneOf(statuses, from),
    onRecord: oneOf(onRecords, from),
    topics: readChoices(from),
    options: readChoices(from),
  };
}

function oneOf<T>(all: readonly T[], from: ByteReader): T {
  const index = from.number();
  if (index >= all.length) throw new RangeError('no such value');
  return all[index] as T;
}

function readChoices(from: ByteReader): readonly Said[] {
  const said = from.list(() => from.latin1(digestBytes));
  const spelled = from.list((): Ids => [from.text(), from.text()]);
  return [...said, ...spelled];
}
