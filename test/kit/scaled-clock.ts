/**
 * Loaded into a process with `--import`: its time runs SCALED_CLOCK times as fast as the machine's, from the moment
 * SCALED_CLOCK_ORIGIN (milliseconds since 1970) on, the same in all processes that are told the same. Clocks and
 * timers alike, so that a minute of the rules passes in a few seconds; the network and the disk do not go faster, and
 * with SCALED_DEADLINES=off they are given as long as ever.
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

/** What a timer is told, in the machine's milliseconds; a longer one than a timer takes is as long as it takes. */
const real = (milliseconds: unknown) =>
  typeof milliseconds === 'number' ? Math.min(milliseconds / factor, 2 ** 31 - 1) : milliseconds;

/** Timers are objects with `refresh` and hidden members of functions, so each is wrapped with what it carries. */
function scaled<T extends object>(timer: T): T {
  return new Proxy(timer, {
    apply: (target, that, args: unknown[]) =>
      Reflect.apply(target as (...all: unknown[]) => unknown, that, [
        args[0],
        real(args[1]),
        ...args.slice(2),
      ]),
  });
}

/** Of `node:timers/promises`, whose time comes first. */
function scaledPromise<T extends object>(timer: T): T {
  return new Proxy(timer, {
    apply: (target, that, args: unknown[]) =>
      Reflect.apply(target as (...all: unknown[]) => unknown, that, [real(args[0]), ...args.slice(1)]),
  });
}

globalThis.setTimeout = scaled(globalThis.setTimeout);
globalThis.setInterval = scaled(globalThis.setInterval);
timers.setTimeout = globalThis.setTimeout;
timers.setInterval = globalThis.setInterval;
promises.setTimeout = scaledPromise(promises.setTimeout);
promises.setInterval = scaledPromise(promises.setInterval);
if (process.env['SCALED_DEADLINES'] !== 'off') {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => timeout(Math.ceil(milliseconds / factor));
}
syncBuiltinESMExports();
