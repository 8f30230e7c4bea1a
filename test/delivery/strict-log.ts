import { internalErrorOf, type LoggedFault } from '../../src/core/model/logged-fault.ts';
import type { Log } from '../../src/delivery/log.ts';

function listen(fields: { readonly fault?: LoggedFault }, event: string): void {
  const error = internalErrorOf(fields.fault);
  if (error === undefined) return;
  // The code that logs carries on, so the error is thrown outside of it to fail the test.
  setImmediate(() => {
    throw new Error(`${event}: ${error}\n${JSON.stringify(fields.fault)}`);
  });
}

/** A silent log that fails the test when an internal error is logged. */
export const strictLog: Log = { info: listen, warn: listen, error: listen };
