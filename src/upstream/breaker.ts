import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { Problem } from '../core/model/problem.ts';
import type { OperationName, PlatformMetrics } from './options.ts';

const failuresInARow = 5;

/** One operation's circuit: after five failures in a row calls fail at once, until one that tries succeeds. */
export interface Breaker {
  /** Throws platform-unreachable while open. */
  check(): void;
  run<T>(call: () => Promise<T>): Promise<T>;
}

export function createBreaker(
  operation: OperationName,
  { openFor, metrics }: { openFor: number; metrics: PlatformMetrics | undefined },
): Breaker {
  const policy = circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(failuresInARow),
    // cockatiel reads the wall clock, which may be set back: how long it stays open is kept by `check` alone.
    halfOpenAfter: Number.NEGATIVE_INFINITY,
  });
  let openedAt = 0;
  policy.onStateChange((state) => {
    if (state === CircuitState.Open) openedAt = performance.now();
    metrics?.breaker(operation, stateNames[state]);
  });
  const check = () => {
    const isTrying = policy.state === CircuitState.HalfOpen;
    const isOpen = policy.state === CircuitState.Open && performance.now() - openedAt < openFor;
    if (isTrying || isOpen) throw open();
  };
  return {
    check,
    async run(call) {
      check();
      try {
        return await policy.execute(call);
      } catch (fault) {
        if (fault instanceof Problem) throw fault;
        if (fault instanceof Error && 'isBrokenCircuitError' in fault) throw open();
        throw fault;
      }
    },
  };
}

/** A caller that went away says nothing about the platform; a refusal shows that it is there. */
function isFailure(fault: unknown): boolean {
  if (!(fault instanceof Problem)) return false;
  return (
    fault.code === 'platform-unreachable' ||
    fault.code === 'platform-unreadable' ||
    (fault.code === 'platform-slow' && !(fault.cause instanceof CallerLeft))
  );
}

export class CallerLeft extends Error {
  override readonly name = 'CallerLeft';
}

function open(): Problem {
  return new Problem('platform-unreachable', { cause: new BreakerOpen('the circuit is open') });
}

export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}

const stateNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
} as const;
