import hooks from 'node:async_hooks';

const { createHook } = hooks;
const ends: (() => void)[] = [];

/**
 * node:test follows every promise, to find the test of an uncaught error; that costs a fifth of the time of
 * all tests. This module, loaded before it, lets it do so until `followNoMorePromises`, when all tests are
 * known. After that node:test follows timers, sockets and files alone.
 */
hooks.createHook = (callbacks) => {
  const [all, few] = [createHook(callbacks), createHook({ ...callbacks, trackPromises: false })];
  ends.push(() => {
    all.disable();
    few.enable();
  });
  return {
    enable() {
      all.enable();
      return this;
    },
    disable() {
      all.disable();
      few.disable();
      return this;
    },
  };
};

export function followNoMorePromises(): void {
  hooks.createHook = createHook;
  for (const end of ends.splice(0)) end();
}
