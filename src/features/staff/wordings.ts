import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Platform } from '../../ports/platform.ts';
import type { Wordings } from '../../ports/wordings.ts';
import { streamCsv, streamLines } from '../../web/download.ts';
import type { Call, GuardedRouter } from './guarded-router.ts';
import { wordsAskedBy } from './pages/entry-lines.ts';
import type { CenterNames } from './pages/names.ts';
import {
  answerColumns,
  answerRow,
  answersOf,
  buildWordingsPage,
  type CountedWordings,
  countAnswer,
} from './pages/wordings.ts';
import { type Query, queries, wholeDays } from './queries.ts';

export interface WordingParts {
  readonly platform: Pick<Platform, 'findCenter'>;
  readonly journal: Pick<Journal, 'parts'>;
  readonly wordings: Pick<Wordings, 'read'>;
  readonly centerNames: () => Promise<CenterNames>;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Each is opened: the page stands still meanwhile. */
const mostCounted = 20_000;
/** In one day, of which only the numbers are held at once. */
const mostOnDay = 1_000_000;

/** What purposes said, how many agreed to that, and the same as evidence for a regulator. */
export function addWordings(guarded: GuardedRouter, parts: WordingParts): void {
  const { platform, journal, wordings, centerNames, clock } = parts;

  async function* answers(
    { center, purpose }: Query<'wordings'>,
    { from, to }: { readonly from: number; readonly to: number },
    limit: number,
  ) {
    for await (const entries of journal.parts({ center: center || undefined, from, to, limit })) {
      const words = await wordings.read(wordsAskedBy(entries));
      yield { read: entries.length, answers: [...answersOf(entries, words, purpose)] };
    }
  }

  guarded.get('/wordings', 'viewer', 'read what purposes said', async (call) => {
    const centers = await centerNames();
    const filter = call.asked(queries.wordings);
    const span = wholeDays(filter, clock.now());
    const counts: CountedWordings = new Map();
    let read = 0;
    for await (const part of answers(filter, span, mostCounted)) {
      read += part.read;
      for (const answer of part.answers) countAnswer(counts, answer);
    }
    const center =
      filter.center === '' ? undefined : await platform.findCenter(filter.center).catch(() => undefined);
    const given = { filter, span, centers, center, counts, isCut: read >= mostCounted, most: mostCounted };
    await call.show(buildWordingsPage(call.pageContext, given));
  });

  async function* rows(call: Call) {
    const filter = call.asked(queries.wordings);
    const span = wholeDays(filter, clock.now());
    for (let { from } = span; from < span.to; from += dayMs) {
      const day = { from, to: Math.min(from + dayMs, span.to) };
      for await (const part of answers(filter, day, mostOnDay)) yield part.answers.map(answerRow);
    }
  }

  guarded.get('/wordings.csv', 'viewer', 'exported evidence', (call) =>
    streamCsv(call.response, 'evidence', { columns: answerColumns, parts: rows(call) }),
  );

  guarded.get('/wordings.jsonl', 'viewer', 'exported evidence', (call) =>
    streamLines(call.response, 'evidence', { columns: answerColumns, parts: rows(call) }),
  );
}
