/** What is known of the database that nodes share. */
export interface DatabaseWatch {
  statement(): void;
  available(state: 'away' | 'back'): void;
  isAway(): boolean;
  statements(): number;
}

export function watchDatabase(): DatabaseWatch {
  let statements = 0;
  let isAway = false;
  return {
    statement() {
      statements += 1;
    },
    available(state) {
      isAway = state === 'away';
    },
    isAway: () => isAway,
    statements: () => statements,
  };
}
