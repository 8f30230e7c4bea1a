import type { AskedEvidence } from '../../../src/core/model/evidence/evidence.ts';
import type { SubjectId } from '../../../src/core/model/person/subject.ts';
import { openEvidence, sealAsked, sealEnded } from '../../../src/store/evidence-seal.ts';
import { hashesOf } from '../../../src/store/journal-seal.ts';
import type { SubmissionRow } from '../../../src/store/people-schema.ts';
import { bytesValue, reading, rowsValue, type Values, writing } from '../../../src/store/sql.ts';
import type { Dice } from '../../chaos/dice.ts';
import { aSigner, centers, payloadOf, type RootsStore } from './roots-world.ts';
import { day, personOf } from './test-store.ts';

const tables = ['submission', 'day_root', 'wording', 'wording_text'] as const;
type Table = (typeof tables)[number];
type Row = Readonly<Record<string, unknown>>;
type Change = Readonly<Record<string, string | number | undefined>>;

/** Tampers with rows of these tables, and restores them. */
export async function tamperer(store: RootsStore, dice: Dice) {
  const { sql, seal } = store;
  const whole = new Map<Table, readonly Row[]>();
  for (const table of tables) {
    const key = table === 'wording_text' ? 'digest' : table === 'day_root' ? 'day, center' : 'sequence';
    whole.set(table, await sql.all(reading<Row>`SELECT * FROM ${table} ORDER BY ${key}`));
  }
  const rowsOf = (table: Table) => whole.get(table) ?? [];
  const closed = Math.max(...rowsOf('day_root').map((row) => Number(row['day'])));
  const old = rowsOf('submission').filter(
    (row) => row['ended_day'] !== undefined && Number(row['ended_day']) <= closed,
  );
  const signed = rowsOf('day_root').filter((row) => row['signed'] !== undefined);
  const forger = await aSigner([Buffer.alloc(32, 9)]);

  const run = (text: string, values?: Values) => sql.run(writing`${text}`, values);
  for (const table of tables) await run(`CREATE TABLE whole_${table} AS SELECT * FROM ${table}`);
  const typeOf = (name: string) => {
    if (/^(asked|ended)(_leaf)?$/.test(name)) return 'bytes';
    return /^(everything|gpc|submitted_at|ended_day|words|sequence)$/.test(name) ? 'whole' : 'text';
  };
  const keyOf = (table: Table, row: Row) => {
    if (table === 'day_root') return `day_root.day = ${row['day']} AND day_root.center = '${row['center']}'`;
    const [key, quote] = table === 'wording_text' ? ['digest', "'"] : ['sequence', ''];
    return `${table}.${key} = ${quote}${row[key]}${quote}`;
  };
  const drop = (table: Table, row: Row) => run(`DELETE FROM ${table} WHERE ${keyOf(table, row)}`);
  async function set(table: Table, row: Row, change: Change): Promise<void> {
    const names = Object.keys(change);
    const types = Object.fromEntries(names.map((name) => [name, typeOf(name)] as const));
    const set = names.map((name) => `${name} = r.${name}`);
    const key = keyOf(table, row);
    const text = `UPDATE ${table} SET ${set.join(', ')} FROM ${sql.dialect.rows('r', types)} WHERE ${key}`;
    await run(text, { r: rowsValue([change]) });
  }

  async function restore(): Promise<void> {
    for (const table of tables) {
      await run(`DELETE FROM ${table}`);
      await run(`INSERT INTO ${table} SELECT * FROM whole_${table}`);
    }
  }

  /** Evidence that is sealed anew with all keys; `leaves`: with new leaves, too. */
  function forged(row: Row, change: Partial<AskedEvidence>, leaves: boolean): Change {
    const evidence = openEvidence(seal, row as SubmissionRow);
    if (evidence?.ended === undefined) throw new Error('nothing to forge');
    const { salt: _, ...was } = evidence.asked;
    const { salt: __, ...end } = evidence.ended;
    const asked = { ...was, ...change };
    const { subject, reference } = asked;
    const ended = { ...end, endedAt: end.endedAt + 1 };
    const [one, other] = [sealAsked(seal, asked), sealEnded(seal, { reference, subject }, ended)];
    return {
      ...{
        reference,
        subject: hashesOf(seal, subject as SubjectId)[0] ?? '',
        asked: one.sealed,
        ended: other.sealed,
      },
      ...(leaves ? { asked_leaf: one.leaf, ended_leaf: other.leaf } : {}),
    };
  }

  const other = <T>(list: readonly T[], than: T): T => dice.pick(list.filter((each) => each !== than));
  const otherReference = (row: Row, column: string) =>
    other(
      old.map(({ reference }) => String(reference)).filter((each) => each !== row['reference']),
      String(row[column]),
    );
  const bytesIn = (row: Row, name: string) => row[name] as Uint8Array;
  const flippedBytes = (bytes: Uint8Array) => {
    const at = dice.whole(0, bytes.length - 1);
    return bytesValue(bytes.map((byte, place) => (place === at ? byte ^ (1 << dice.whole(0, 7)) : byte)));
  };
  const flipped = (text: unknown) => {
    const [at, whole] = [dice.whole(0, String(text).length - 3), String(text)];
    return `${whole.slice(0, at)}${whole[at] === 'A' ? 'B' : 'A'}${whole.slice(at + 1)}`;
  };
  const fields: Readonly<Record<string, (row: Row) => string | number | null>> = {
    reference: (row) => `${row['reference']}x`,
    center: (row) => other(centers, String(row['center']) as 'center'),
    subject: (row) =>
      dice.pick(old.filter((each) => each['subject'] !== row['subject']))['subject'] as string,
    channel: (row) => other(['link', 'mail', 'staff', 'one-click'], String(row['channel'])),
    everything: (row) => 1 - Number(row['everything']),
    gpc: (row) => 1 - Number(row['gpc']),
    submitted_at: (row) => Number(row['submitted_at']) + dice.whole(1, 9 * day),
    undoes: (row) => otherReference(row, 'undoes'),
    undone_by: (row) => dice.pick(['nobody', otherReference(row, 'undone_by')]),
    asked: (row) =>
      dice.next() < 0.5 ? flippedBytes(bytesIn(row, 'asked')) : bytesValue(bytesIn(other(old, row), 'asked')),
    asked_leaf: (row) => flippedBytes(bytesIn(row, 'asked_leaf')),
    ended: (row) =>
      dice.next() < 0.5
        ? flippedBytes(bytesIn(row, 'ended'))
        : dice.pick([null, bytesValue(bytesIn(other(old, row), 'ended'))]),
    ended_leaf: (row) => flippedBytes(bytesIn(row, 'ended_leaf')),
    ended_day: (row) => dice.pick([null, Number(row['ended_day']) - day, Number(row['ended_day']) + day]),
    words: (row) => {
      const all = [null, ...rowsOf('wording').map(({ sequence }) => Number(sequence))];
      return other(all, row['words'] === undefined ? null : Number(row['words']));
    },
  };

  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    ...Object.fromEntries(
      Object.entries(fields).map(([name, made]) => [
        name,
        () => {
          const row = dice.pick(old);
          return set('submission', row, { [name]: made(row) ?? undefined });
        },
      ]),
    ),
    'no end': () =>
      set('submission', dice.pick(old), { [dice.pick(['ended', 'ended_leaf', 'ended_day'])]: undefined }),
    'an undo hidden': () => {
      const row = dice.pick(old.filter((each) => each['undone_by'] !== undefined));
      return set('submission', row, { undone_by: undefined });
    },
    'no leaf': () => set('submission', dice.pick(old), { ended_leaf: undefined }),
    forged: () => {
      const row = dice.pick(old);
      const channel = other(['link', 'mail'] as const, row['channel'] as 'link');
      return set('submission', row, { ...forged(row, { channel }, dice.next() < 0.5), channel });
    },
    dropped: () => drop('submission', dice.pick(old)),
    async added() {
      const row = dice.pick(old);
      const reference = `new-${dice.whole(1, 9)}`;
      const [last = 0] = rowsOf('submission')
        .map(({ sequence }) => Number(sequence))
        .toReversed();
      const change = forged(row, { reference, subject: personOf(dice.whole(50, 99)) }, true);
      await set('submission', row, { ...change, sequence: last + 1, nonce: reference });
      await run(
        `INSERT INTO submission SELECT * FROM whole_submission AS submission WHERE ${keyOf('submission', row)}`,
      );
    },
    async swapped() {
      const one = dice.pick(old);
      const two = dice.pick(old.filter((row) => row['subject'] !== one['subject']));
      const isForged = dice.next() < 0.5;
      for (const [row, from] of [
        [one, two],
        [two, one],
      ] as const) {
        const subject = openEvidence(seal, from as SubmissionRow)?.asked.subject ?? personOf(0);
        await set(
          'submission',
          row,
          isForged ? forged(row, { subject }, true) : { subject: String(from['subject']) },
        );
      }
    },
    async root() {
      const row = dice.pick(signed);
      const was = JSON.parse(String(row['signed'])) as Parameters<typeof payloadOf>[0];
      const root = JSON.parse(payloadOf(was)) as Record<string, unknown>;
      const resigned = (change: object) => store.signer.sign(JSON.stringify({ ...root, ...change }));
      const made: unknown = await dice.pick([
        () => forger.sign(payloadOf(was)),
        () => resigned({ root: flipped(root['root']) }),
        () => resigned({ size: Number(root['size']) - 1 }),
        () => JSON.parse(String(other(signed, row)['signed'])),
        () => ({ ...was, payload: flipped(was.payload) }),
      ])();
      await set('day_root', row, { signed: JSON.stringify(made) });
    },
    parts: () => {
      const row = dice.pick(signed);
      return set('day_root', row, { parts: flipped(row['parts']) });
    },
    'a root dropped': () => drop('day_root', dice.pick(signed.filter((row) => Number(row['day']) < closed))),
    text: () => {
      const row = dice.pick(rowsOf('wording_text'));
      const content = String(row['content']).replace(/"(?=})/, ' and 214 partners"');
      return dice.next() < 0.3 ? drop('wording_text', row) : set('wording_text', row, { content });
    },
    wording: () => {
      const row = dice.pick(rowsOf('wording'));
      const content = String(row['content']).replace('"version":1', '"version":2');
      return dice.next() < 0.3 ? drop('wording', row) : set('wording', row, { content });
    },
  };

  return {
    restore,
    /** Deletes the copies of the tables. */
    async end(): Promise<void> {
      for (const table of tables) await run(`DROP TABLE whole_${table}`);
    },
    ways: Object.keys(ways),
    /** Tampers in one way, and describes it. */
    async tamper(way: string): Promise<string> {
      return `${way} ${String((await ways[way]?.()) ?? '')}`;
    },
  };
}
