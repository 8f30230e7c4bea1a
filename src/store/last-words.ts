import type { SubjectId } from '../core/model/person/subject.ts';
import type { SpokenWord } from '../core/model/submission/center-event.ts';
import type { MayUse } from '../ports/events.ts';
import { isWritten, rows } from './dialect.ts';
import type { PersonNews } from './people-write.ts';
import { type PersonKey, peopleOf, type ReadKeys, readPersonKeys, type TakenKeys } from './person-keys.ts';
import { type Columns, reading, rowsValue, type StoreParts, type Write, writing } from './sql.ts';

/*
 * A last word says whether a person last withdrew or granted a purpose; the purpose '' is everything. A
 * withdrawal of everything overrides all earlier words: `everything` counts such withdrawals of the person up
 * to the word. The words of a person are written one after the other.
 */
// A grant is written only if something was withdrawn before; `surely`: by a word of these same rows.
const say = writing`INSERT INTO last_word (person, purpose, is_off, everything)
  SELECT said.person, said.purpose, said.is_off, said.times + coalesce(
    (SELECT k.everything FROM last_word k WHERE k.person = said.person AND k.purpose = ''), 0)
  FROM ${rows('said', {
    row: 'text',
    person: 'text',
    purpose: 'text',
    is_off: 'whole',
    times: 'whole',
    surely: 'whole',
  })}
  WHERE ${isWritten('said.row')} AND (said.surely = 1
    OR EXISTS (SELECT 1 FROM last_word k WHERE k.person = said.person AND k.purpose IN ('', said.purpose)))
  ON CONFLICT (person, purpose) DO UPDATE SET is_off = excluded.is_off, everything = excluded.everything`;
// If one submission withdraws everything and says a word on a purpose, the purpose, always active, wins.
const answers = reading<Partial<Columns<'answers' | 'keys', string>>>`SELECT string_agg(CAST(coalesce(
      (SELECT 1 - w.is_off FROM last_word w WHERE w.person = asked.person AND w.purpose IN ('', :purpose)
       ORDER BY w.everything DESC, w.purpose DESC LIMIT 1), 1) AS text), '' ORDER BY asked.n) AS answers,
    (SELECT string_agg(key, ' ' ORDER BY number) FROM person_key) AS keys
  FROM ${rows('asked', { person: 'text' })}`;

/** The last words of each person, by keyed hashes. They stay when all other data of the person is gone. */
export function lastWords({ sql, seal }: StoreParts, taken: TakenKeys) {
  let known: ReadKeys = taken;

  return {
    say(items: readonly PersonNews[]): readonly Write[] {
      const rows = rowsOf(taken.keys, items);
      return rows.length === 0 ? [] : [{ name: 'say', statement: say, values: { said: rowsValue(rows) } }];
    },
    async mayUse(center: string, purpose: string, subjects: readonly SubjectId[]): Promise<MayUse> {
      for (;;) {
        const { keys, written, knownSince = sql.clock.now() } = known;
        const people = keys.flatMap((key) => subjects.map(peopleOf(key, center)));
        const asked = rowsValue(people.map((person) => ({ person })));
        const row = await sql.get(answers, { asked, purpose });
        if ((row?.keys ?? '') === written)
          return { since: knownSince, answers: readAnswers(row?.answers ?? '', subjects) };
        // Another process has made a key, or sealed the keys anew.
        known = await readPersonKeys(sql, seal);
      }
    },
  };
}

/**
 * `answers`: a 0 or 1 for each person, and again for each key. A person's answer is 1 if all of these are.
 */
function readAnswers(answers: string, people: readonly SubjectId[]): readonly boolean[] {
  const off = new Set<number>();
  for (let at = answers.indexOf('0'); at >= 0; at = answers.indexOf('0', at + 1)) off.add(at % people.length);
  return people.map((_, person) => !off.has(person));
}

type WordRow = Columns<'row' | 'person' | 'purpose', string> &
  Columns<'times', number> &
  Columns<'is_off' | 'surely', 0 | 1>;

/** The last word of each person on each purpose. */
function rowsOf(keys: readonly PersonKey[], items: readonly PersonNews[]): readonly WordRow[] {
  const rows = new Map<string, WordRow>();
  const everything = new Map<string, number>();
  const said = items.flatMap(({ news, ...person }) =>
    news.map(({ center, words }) => ({ ...person, center, words })),
  );
  for (const { row, center, subject, words } of said)
    for (const [index, key] of keys.entries()) {
      const person = peopleOf(key, center)(subject);
      // Only grants are written under older keys: they end withdrawals that were written under these keys.
      const written = index === 0 ? words : words.filter(({ isOff }) => !isOff);
      for (const { purpose, isOff } of written.toSorted(everythingFirst)) {
        const before = everything.get(person) ?? 0;
        const times = isOff && purpose === '' ? before + 1 : before;
        everything.set(person, times);
        const name = `${person} ${purpose}`;
        const surely = isOff || times > 0 || rows.get(name)?.surely === 1 ? 1 : 0;
        rows.set(name, { row, person, purpose, is_off: isOff ? 1 : 0, times, surely });
      }
    }
  return [...rows.values()];
}

function everythingFirst(one: SpokenWord, other: SpokenWord): number {
  return Number(other.purpose === '') - Number(one.purpose === '');
}
