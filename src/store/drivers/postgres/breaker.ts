import { awayFault, DatabaseFault } from './fault.ts';

export interface Breaker {
  /** Throws at once while the database is away. */
  pass(): void;
  isOpen(): boolean;
  /** Nothing is asked any more until `probe` resolves. */
  open(fault: DatabaseFault): void;
  /** Something was lost: whether all is, no request finds out. */
  suspect(): void;
  close(): void;
}

/** Milliseconds between two probes. */
const probeEveryMs = 250;

/**
 * A circuit breaker: who finds that the database is away spares all others the finding out. It is probed until it
 * answers again; no request is used for that.
 */
export function createBreaker({
  probe,
  onChange,
}: {
  readonly probe: () => Promise<void>;
  readonly onChange: (state: 'away' | 'back', fault: DatabaseFault) => void;
}): Breaker {
  let away: DatabaseFault | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isSuspected = false;

  function probeLater(): void {
    waiting = setTimeout(() => {
      probe().then(back, probeLater);
    }, probeEveryMs);
    waiting.unref();
  }

  function back(): void {
    const fault = away;
    away = undefined;
    if (fault !== undefined && !isClosed) onChange('back', fault);
  }

  function open(fault: DatabaseFault): void {
    if (away !== undefined || isClosed) return;
    away = fault;
    onChange('away', fault);
    probeLater();
  }

  return {
    open,
    suspect() {
      if (isSuspected || away !== undefined || isClosed) return;
      isSuspected = true;
      probe()
        .catch((thrown: unknown) => open(awayFault(thrown)))
        .finally(() => {
          isSuspected = false;
        });
    },
    pass() {
      if (away !== undefined) throw new DatabaseFault(away.message, { code: away.code, kind: 'away' });
    },
    isOpen: () => away !== undefined,
    close() {
      isClosed = true;
      clearTimeout(waiting);
    },
  };
}
