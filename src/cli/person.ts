import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { erasedFileOf, eraseListed } from '../compose/erased-list.ts';
import { type Stores, withStores } from '../compose/stores.ts';
import type { Config } from '../config/environment.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { personMark } from '../core/model/staff/audit-entry.ts';
import { eraseMistake, onItsWay } from '../features/staff/erasure.ts';
import { whatStays } from '../store/what-stays.ts';
import { readIdentifier } from './links.ts';
import { type Values, WrongArgument } from './usage.ts';

/** Writes all data that is kept about a person as JSON, or erases it. Both are noted in the audit log. */
export async function person(config: Config, values: Values<'person'>): Promise<void> {
  const { identifier, export: file, erase, reason } = values;
  if (identifier === undefined) throw new WrongArgument('say whom: --identifier');
  if ((file === undefined) === !erase) throw new WrongArgument('say either --export or --erase');
  if (file !== undefined) {
    const does = 'exported all about a person';
    const text = await audited(config, { identifier, does }, async ({ personData }, subject) => ({
      outcome: 'done',
      text: `${JSON.stringify(await personData.exported(subject), undefined, 2)}\n`,
    }));
    if (file === '-') process.stdout.write(text);
    else writeFileSync(file, text, { mode: 0o600 });
    return;
  }
  if (reason === undefined || reason.trim() === '') throw new WrongArgument('say why: --reason');
  const request = { identifier, reason: reason.trim(), does: 'erased a person' };
  const report = await audited(config, request, async ({ personData }, subject) => {
    const mistake = eraseMistake(request.reason, subject);
    if (mistake !== undefined) throw new WrongArgument(`--reason: ${mistake}`);
    const list = erasedFileOf(config);
    const forgets = values['forget-withdrawals'];
    const { outcome, fault } = await eraseListed(personData, list, subject, { forgets });
    if (outcome.kind === 'on-its-way')
      return { outcome: 'refused', text: `Nothing was erased: ${onItsWay[outcome.what]} Try again later.` };
    const text = [
      `Erased: ${outcome.submissions} submissions, ${outcome.events} events, and what else was kept of them.`,
      'What stays, and why:',
      ...whatStays.map((line) => `  - ${line}`),
      `Keyed hashes of withdrawals that stay: ${outcome.words}.`,
      listedWords(list, fault),
      'The platform keeps its own record of the person: erase it there.',
    ];
    return { outcome: 'done', text: `${text.join('\n')}\n` };
  });
  process.stdout.write(report);
}

function listedWords(file: string | undefined, fault: unknown): string {
  if (file === undefined)
    return 'There is no list of erasures: set ERASED_FILE, or a restored backup brings this person back.';
  if (fault !== undefined)
    return `The list of erasures (${file}) could not be written; it is tried again while the product runs.`;
  return `${file} has it, so that a restored backup is erased again at the start: keep it apart from the backups.`;
}

function audited(
  config: Config,
  { identifier, reason, does }: { identifier: string; reason?: string; does: string },
  act: (stores: Stores, subject: SubjectId) => Promise<{ outcome: 'done' | 'refused'; text: string }>,
): Promise<string> {
  const subject = readIdentifier(config, identifier);
  return withStores(config, async (stores, { seal }) => {
    const { log } = stores.staff;
    const mark = personMark(seal.hash('staff audit', subject));
    const about = reason === undefined ? mark : `${mark} for: ${reason}`;
    const name = `npm run person (${userInfo().username})`;
    const at = stores.clock.now();
    const number = await log.begin({ at, staff: 'command', name, does, about: mark, outcome: 'begun' });
    try {
      const { outcome, text } = await act(stores, subject);
      await log.settle(number, { outcome, about });
      if (outcome === 'refused') throw new Error(text);
      return text;
    } catch (fault) {
      if (!(fault instanceof Error && fault.constructor === Error))
        await log.settle(number, { outcome: 'failed', about: mark });
      throw fault;
    }
  });
}
