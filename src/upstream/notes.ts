import type { Center, SafeHtml } from '../core/model/center.ts';

export interface PreparedHtml {
  readonly html: SafeHtml;
  /** What was taken out, in plain words. */
  readonly removed: readonly string[];
}

/** As its schemas say it, before what is found out of them as a whole. */
export type BuiltCenter = Omit<Center, 'revision' | 'told'>;

const most = 200;

/** What could not be read while a schema was read, in words an editor of the schema understands. */
export class Notes {
  readonly #words = new Set<string>();
  #dropped = 0;

  /** HTML that was made safe ahead of the reading, by how it is written. */
  readonly prepared: Map<string, PreparedHtml>;

  constructor({ prepared }: Partial<Pick<Notes, 'prepared'>> = {}) {
    this.prepared = prepared ?? new Map();
  }

  get words(): readonly string[] {
    return [...this.#words];
  }

  /** Items left out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Something an editor should know; nothing was left out of the page. */
  say(words: string): void {
    if (this.#words.size < most) this.#words.add(words);
  }

  drop(words: string): void {
    this.#dropped += 1;
    this.say(words);
  }
}
