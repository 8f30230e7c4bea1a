import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FormSnapshot } from '../../core/consent/form-snapshot.ts';
import { type Center, everyPurpose } from '../../core/model/center/center.ts';
import { remembering } from '../../core/model/remembering.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedBytes } from '../../web/sealed-token.ts';

/**
 * The token does not expire: an old form is shown again instead of refused. Each change of the layout raises
 * the number, because a form sealed in another layout is refused.
 */
const formToken = sealedBytes({ use: 'preferences 4' });

/** An opened form. Its topics and options get their ids from a center. */
export type OpenedForm = NonNullable<ReturnType<typeof openForm>>;

/**
 * Replaces each chosen topic or option by a digest of its ids, which is half as long. Any schema that still
 * has the choice finds it again, so a form of another revision or node withdraws the same; an index would
 * not. A purpose keeps its id, because its withdrawal needs no schema.
 */
function digested(snapshot: FormSnapshot) {
  const purposes = snapshot.purposes.map(({ topics, options, ...line }) => ({
    ...line,
    topics: topics.map((topic) => digest(`${line.id} ${topic}`)),
    options: options.map(({ preference, option }) => digest(`${line.id} ${preference} ${option}`)),
  }));
  return { ...snapshot, purposes };
}

/**
 * Seals a form. Values that differ by chance are not compressed: the length of a form that shows nothing of a
 * record must tell nothing of it.
 */
export function sealForm(seal: Seal, snapshot: FormSnapshot): string {
  const { nonce, subject, at, order, ...form } = digested(snapshot);
  const head = `${JSON.stringify([nonce, subject, at, order])}\n`;
  const packed = deflateRawSync(JSON.stringify(form), { chunkSize: 4_096 });
  return formToken.seal(seal, Buffer.concat([Buffer.from(head), packed]));
}

/** Returns undefined unless this installation sealed the token as a form. */
export function openForm(seal: Seal, token: string) {
  const opened = formToken.open(seal, token);
  if (opened === undefined) return undefined;
  const bytes = Buffer.from(opened);
  const end = bytes.indexOf('\n');
  const [nonce, subject, at, order] = JSON.parse(bytes.subarray(0, end).toString());
  const packed = inflateRawSync(bytes.subarray(end + 1)).toString();
  const form: ReturnType<typeof digested> = { ...JSON.parse(packed), nonce, subject, at, order };
  /** A topic or option that this center lacks gets an id that no center has. */
  const by = (center: Center): FormSnapshot => {
    const known = digestsOf.getOrInsertComputed(center, choicesOf);
    const idsOf = (choice: string) => known.get(choice) ?? [` ${choice}`, ` ${choice}`];
    const purposes = form.purposes.map(({ topics, options, ...line }) => ({
      ...line,
      topics: topics.map((choice) => idsOf(choice)[0]),
      options: options.map(idsOf).map(([preference, option]) => ({ preference, option })),
    }));
    return { ...form, purposes };
  };
  return { page: form.page, at: form.at, order: form.order, by };
}

/**
 * The digest of ids with spaces between them; no id contains a space. 60 bits: no two choices of a center
 * share a digest by chance.
 */
const digest = remembering(10_000, (ids) => hash('sha256', ids, 'base64url').slice(0, 10));

type Ids = readonly [id: string, option: string];

/** The map has one entry for each schema revision in use. */
const digestsOf = new WeakMap<Center, ReadonlyMap<string, Ids>>();

/** The ids of each topic, or of a preference and its option, by their digest. */
function choicesOf(center: Center): ReadonlyMap<string, Ids> {
  const choices = new Map<string, Ids>();
  for (const { id: purpose, topics, preferences } of everyPurpose(center)) {
    for (const { id } of topics) choices.set(digest(`${purpose} ${id}`), [id, '']);
    for (const { id, options } of preferences)
      for (const option of options) choices.set(digest(`${purpose} ${id} ${option.id}`), [id, option.id]);
  }
  return choices;
}
