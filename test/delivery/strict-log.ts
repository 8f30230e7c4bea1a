import { internalErrorOf, type LoggedFault } from '../../src/core/model/logged-fault.ts';
import type { Log } from '../../src/delivery/log.ts';

function listen(fields: { readonly fault?: LoggedFault }, event: string): void {
  const error = internalErrorOf(fields.fault);
  if (error === undefined) return;
  // Whoever logs it goes on: the test that runs is to fail all the same.
  setImmediate(() => {
    throw new Error(`${event}: ${error}\n${JSON.stringify(fields.fault)}`);
  });
}

/** Says nothing; a fault of the product's own in it fails the test. */
export const strictLog: Log = { info: listen, warn: listen, error: listen };
