import type { Center, SafeHtml } from '../core/model/center/center.ts';

export interface PreparedHtml {
  readonly html: SafeHtml;
  /** Removed parts, in plain words. */
  readonly removed: readonly string[];
}

/** A center without the members that need all of its schemas. */
export type BuiltCenter = Omit<Center, 'revision' | 'told'>;

const most = 200;

/** Notes on unreadable parts of a schema, in words for an editor of the schema. */
export class Notes {
  readonly #words = new Set<string>();
  #dropped = 0;

  /** Raw HTML → safe HTML, prepared before the schema is read. */
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

  /** A hint for an editor; nothing was left out of the page. */
  say(words: string): void {
    if (this.#words.size < most) this.#words.add(words);
  }

  drop(words: string): void {
    this.#dropped += 1;
    this.say(words);
  }
}
