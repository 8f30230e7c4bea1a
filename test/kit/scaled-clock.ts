/**
 * Loaded into a process with `--import`. From SCALED_CLOCK_ORIGIN (milliseconds since 1970) on, its clocks
 * and timers run SCALED_CLOCK times as fast as the machine's, so that a minute passes in a few seconds.
 * Processes with the same settings have the same time. The network and the disk are no faster; with
 * SCALED_DEADLINES=off the deadlines of calls (`AbortSignal.timeout`) stay as long as ever.
 */
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import timers from 'node:timers';
import promises from 'node:timers/promises';

const factor = Number(process.env['SCALED_CLOCK'] ?? '1');
const origin = Number(process.env['SCALED_CLOCK_ORIGIN'] ?? Date.now());
const realNow = Date.now.bind(Date);
const scaledNow = () => origin + Math.round((realNow() - origin) * factor);

globalThis.Date = class extends Date {
  constructor(...parts: readonly unknown[]) {
    if (parts.length === 0) super(scaledNow());
    else super(...(parts as [number]));
  }

  static override now(): number {
    return scaledNow();
  }
} as DateConstructor;

const realTicks = performance.now.bind(performance);
performance.now = () => realTicks() * factor;

/** A timer's delay in the machine's milliseconds, at most the longest that a timer takes. */
const real = (milliseconds: unknown) =>
  typeof milliseconds === 'number' ? Math.min(milliseconds / factor, 2 ** 31 - 1) : milliseconds;

/**
 * A timer function whose delay, the argument at `place`, is scaled. The Proxy keeps the function's hidden
 * members.
 */
function scaled<T extends object>(timer: T, place: number): T {
  return new Proxy(timer, {
    apply(target, that, args: unknown[]) {
      const scaledArgs = args.map((value, index) => (index === place ? real(value) : value));
      return Reflect.apply(target as (...all: unknown[]) => unknown, that, scaledArgs);
    },
  });
}

globalThis.setTimeout = scaled(globalThis.setTimeout, 1);
globalThis.setInterval = scaled(globalThis.setInterval, 1);
timers.setTimeout = globalThis.setTimeout;
timers.setInterval = globalThis.setInterval;
promises.setTimeout = scaled(promises.setTimeout, 0);
promises.setInterval = scaled(promises.setInterval, 0);
if (process.env['SCALED_DEADLINES'] !== 'off') {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(Math.ceil(milliseconds / factor));
}
syncBuiltinESMExports();
