export type DatabaseWatch = ReturnType<typeof watchDatabase>;

/** Watches the database that the nodes share. */
export function watchDatabase() {
  let statements = 0;
  let isAway = false;
  return {
    statement(): void {
      statements += 1;
    },
    available(state: 'away' | 'back'): void {
      isAway = state === 'away';
    },
    isAway: () => isAway,
    statements: () => statements,
  };
}
