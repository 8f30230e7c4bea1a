import type { Problem } from '../../core/model/problem.ts';
import { writtenWait } from '../../core/model/utc-time.ts';
import type { Note } from '../../pages/layout.ts';
import { note } from './blocks.ts';
import { staffProblem } from './plain.ts';

/** Why a task was not written, above the form that still holds everything. */
export function faultNote(problem: Problem, what: 'create' | 'update'): Note {
  const told = staffProblem(problem.code, undefined) ?? { title: 'Something went wrong', lines: [] };
  if (problem.code === 'platform-busy' || problem.code === 'quota-used-up') {
    const wait = writtenWait(problem.retryAfter ?? 30);
    return note('warning', told.title, [
      `Nothing was sent on, and nothing that you typed is lost. Send it again in ${wait}: before that, no call is made.`,
    ]);
  }
  if (problem.code === 'platform-refused') {
    return note('problem', told.title, [
      'It called the request wrong, and did nothing. Every limit that its interface names was kept, so look at the ids: whether they exist, and whether this installation may use them.',
    ]);
  }
  if (!problem.answerLost) return note('problem', told.title, [...told.lines, 'Nothing was done.']);
  const lost = `${told.title}. The request may have arrived all the same: the answer to it was lost.`;
  return what === 'create'
    ? note('problem', 'It is not known whether the task was created', [
        lost,
        'Look in the platform whether the task is there before you create it again: a second one would stand beside it. We never repeat this by ourselves.',
      ])
    : note('problem', 'It is not known whether this was saved', [
        lost,
        'Open the task to see what the platform has now. Sending the same again does no harm.',
      ]);
}

/** The same form came twice, and what became of the first is not known. */
export const sentBefore = note('warning', 'This form was sent before', [
  'It is not known what came of it, so it was not sent again. Look in the platform whether the task is there. If it is not, send the form below, which is a new one.',
]);
