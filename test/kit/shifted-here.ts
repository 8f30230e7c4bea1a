/**
 * Milliseconds from the machine's wall clock to the one of this process, and of products in it. Both go on.
 */
let shift = 0;

const OwnDate = Date;

class ShiftedDate extends OwnDate {
  constructor(...parts: readonly unknown[]) {
    if (parts.length === 0) super(OwnDate.now() + shift);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return OwnDate.now() + shift;
  }
}

/** Sets the wall clock of this process so many milliseconds from the machine's; 0 restores it. */
export function setClockHere(milliseconds: number): void {
  shift = milliseconds;
  globalThis.Date = (milliseconds === 0 ? OwnDate : ShiftedDate) as DateConstructor;
}
