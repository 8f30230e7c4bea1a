import hooks from 'node:async_hooks';

const { createHook } = hooks;
const ends: (() => void)[] = [];

/**
 * node:test follows every promise, to tell which test an error that nobody caught is of: a fifth of all that tests
 * take. Loaded before it, this lets it do so only until `followNoMorePromises`, when all tests are known; after that it
 * follows timers, sockets and files alone.
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
