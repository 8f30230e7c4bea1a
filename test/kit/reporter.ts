import { writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/** A message of a test process to test/run.ts: a line of JSON in a pipe that nothing else writes to. */
export type Told =
  | { readonly kind: 'begun' | 'ended'; readonly name: string }
  | { readonly kind: 'failure'; readonly name: string; readonly place: string; readonly text: string }
  | ({ readonly kind: 'file'; readonly file: string; readonly milliseconds: number } & Result);

export interface Result {
  readonly success: boolean;
  readonly tests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly todo: number;
}

/** The file descriptor of that pipe in the test process. */
export const pipe = 3;

const noTests = { tests: 0, passed: 0, failed: 0, skipped: 0, todo: 0 };

/** Writes synchronously, so that a message before the process ends, or hangs, arrives. */
function tell(told: Told): void {
  writeSync(pipe, `${JSON.stringify(told)}\n`);
}

/** A reporter of node:test, which prints nothing. Each file is a suite (test/kit/together.ts). */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let counted = noTests;
  for await (const event of events) {
    if (event.type === 'test:dequeue') tell({ kind: 'begun', name: event.data.name });
    if (event.type === 'test:complete') tell({ kind: 'ended', name: event.data.name });
    if (event.type === 'test:fail') tellFailure(event.data);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const success = event.type === 'test:pass';
    const { name, nesting, details, skip, todo } = event.data;
    if (nesting > 0 && (details.type !== 'suite' || skip !== undefined)) {
      const outcome = todo ? 'todo' : skip ? 'skipped' : success ? 'passed' : 'failed';
      counted = { ...counted, tests: counted.tests + 1, [outcome]: counted[outcome] + 1 };
    } else if (nesting === 0) {
      tell({ kind: 'file', file: name, milliseconds: details.duration_ms, success, ...counted });
      counted = noTests;
    }
  }
  yield '';
}

function tellFailure({ name, file, line, details }: Extract<TestEvent, { type: 'test:fail' }>['data']): void {
  const { error } = details;
  if ('failureType' in error && error.failureType === 'subtestsFailed') return;
  tell({ kind: 'failure', name, place: `${file ?? ''}:${line ?? ''}`, text: describe(error.cause ?? error) });
}

/** `inspect` prints a cause, but not the two errors in a SuppressedError. */
function describe(fault: unknown): string {
  if (!(fault instanceof SuppressedError)) return inspect(fault);
  return `${describe(fault.suppressed)}\nand then, during disposal:\n${describe(fault.error)}`;
}
