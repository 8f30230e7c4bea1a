export type DatabaseWatch = ReturnType<typeof watchDatabase>;

/** What is known of the database that nodes share. */
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
