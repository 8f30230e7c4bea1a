/** The wall clock of this process, for products that run in it: it goes on, so many milliseconds from the machine's. */
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

/** 0: as the machine's again. */
export function setClockHere(milliseconds: number): void {
  shift = milliseconds;
  globalThis.Date = (milliseconds === 0 ? OwnDate : ShiftedDate) as DateConstructor;
}
