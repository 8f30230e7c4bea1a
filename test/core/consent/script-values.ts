/** Judges typed values: the last one of the person stands, and a field that was not typed never changes. */

import { type LineOutcome, usualLimits } from '../../../src/core/consent/desired-state.ts';
import type { Values } from './script.ts';

interface Typed {
  readonly field: string;
  readonly value: string;
  readonly at: number;
  /** The submission; undefined if the value was typed elsewhere. */
  readonly by: string | undefined;
}

/** The values of a call, and the time at which it took effect. */
export interface SentValues {
  readonly values: Values;
  landedAt: number;
}

const { lag, grantLife } = usualLimits;

/** The typed values of one record; the language of the person is one of its fields. */
export class TypedValues {
  readonly #now: () => number;
  readonly #fault: (kind: string, text: string) => void;
  readonly #typed: Typed[] = [];
  /** The number of typed values that the last stored call knows. */
  #known = 0;
  readonly #sent: SentValues[] = [];
  readonly #states: { readonly at: number; readonly values: Values }[] = [];

  constructor(now: () => number, fault: (kind: string, text: string) => void) {
    this.#now = now;
    this.#fault = fault;
  }

  at(time = this.#now()): Values {
    return (this.#states.findLast(({ at }) => at <= time) ?? this.#states[0])?.values ?? {};
  }

  become(values: Values): void {
    this.#states.push({ at: this.#now(), values });
  }

  /** Notes a typed value; `undoes` is the submission that an undo reverses. */
  type(field: string, value: string, by?: string, undoes?: string): void {
    const done = this.#typed.find((word) => word.field === field && word.by === undoes);
    this.#typed.push({ field, value, at: this.#now(), by });
    if (undoes === undefined || done === undefined) return;
    const since = this.#states.filter(({ at }) => at > done.at - lag);
    const were = [this.at(done.at - lag), ...since.map(({ values }) => values)];
    if (!were.some((each) => isSame(field, each[field], value)))
      this.#fault('an undo types what never was', `${field} ${value}`);
  }

  /** Notes that a call is stored; values that are typed later do not change it. */
  plans(): void {
    this.#known = this.#typed.length;
  }

  send(sent: SentValues): void {
    this.#sent.push(sent);
    for (const [field, value] of Object.entries(sent.values)) this.#judgeSent(field, value);
  }

  #judgeSent(field: string, value: string): void {
    const known = this.#typed.slice(0, this.#known);
    const own = known.findLast((word) => word.field === field && word.by !== undefined);
    // The loop may be reading when the minute ends.
    const isLate = own !== undefined && this.#now() >= own.at + grantLife + 1_000;
    const sent = `${field} ${value}`;
    if (own === undefined) this.#fault('sent though nobody typed it', sent);
    else if (!isSame(field, own.value, value)) this.#fault('sent though older', sent);
    else if (isLate) this.#fault('sent late', sent);
  }

  /** The time at which the person last typed into a field here; undefined if never. */
  typedAt(field: string): number | undefined {
    return this.#typed.findLast((word) => word.field === field && word.by !== undefined)?.at;
  }

  /**
   * Judges the final values. `isCalm`: the platform did all that it was asked for. `others`: the records of
   * other centers, for the product cannot know that they are not the same record.
   */
  end(
    outcomeOf: (by: string, field: string) => LineOutcome | undefined,
    { isCalm, others }: { readonly isCalm: boolean; readonly others: readonly TypedValues[] },
  ): void {
    const [first] = this.#states;
    const fields = new Set([...this.#typed.map(({ field }) => field), ...Object.keys(this.at())]);
    for (const field of fields) {
      const words = this.#typed.filter((word) => word.field === field);
      const last = words.at(-1);
      const value = this.at()[field] ?? '';
      const stands = `${field} is ${value}`;
      const all = [first?.values[field] ?? '', ...words.map((word) => word.value)];
      if (all.every((each) => !isSame(field, each, value)))
        this.#fault('on record though nobody typed it', stands);
      if (last === undefined) continue;
      const isKept = isSame(field, last.value, value);
      if (last.by === undefined) {
        if (!isKept && !this.#isHidden(last)) this.#fault('lost though typed elsewhere', stands);
        continue;
      }
      if (others.some((each) => (each.typedAt(field) ?? -1) >= last.at)) continue;
      const outcome = outcomeOf(last.by, field);
      const isSaid = outcome === 'saved' || outcome === 'unchanged';
      const by = `${outcome} by ${last.by}`;
      if (isSaid && !isKept) this.#fault('told as saved though lost', `${stands}, ${by}`);
      if (isCalm && !isKept) this.#fault('lost though typed last', `${stands}, ${by}`);
      const isNews = words.length === 1 && !isSame(field, first?.values[field], last.value);
      if (isNews && isKept && !isSaid && outcome !== 'in-doubt')
        this.#fault('told as lost though saved', `${stands}, ${by}`);
    }
  }

  /** Whether a call with this field landed after the value was typed elsewhere, and may have replaced it. */
  #isHidden({ field, at }: Typed): boolean {
    return this.#sent.some(({ values, landedAt }) => landedAt >= at && values[field] !== undefined);
  }
}

function isSame(field: string, one = '', other = ''): boolean {
  const folded = (text: string) => (field === 'language' ? text.toLowerCase().replace('_', '-') : text);
  return folded(one) === folded(other);
}
