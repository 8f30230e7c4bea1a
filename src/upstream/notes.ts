import type { Center, UnreadPart } from '../core/model/center/center.ts';
import type { safeHtml } from './safe-html.ts';

type PreparedHtml = ReturnType<typeof safeHtml>;

/** A center without the members that need all of its schemas. */
export type BuiltCenter = Omit<Center, 'revision' | 'told'>;

const most = 200;

/** The notes of a reading, and the name of the part that is read. */
export interface About {
  readonly notes: Notes;
  readonly what: string;
}

/** Notes on unreadable parts of a schema, for an editor of the schema. */
export class Notes {
  readonly #parts = new Map<string, UnreadPart['code']>();
  /** Number of items that were left out. */
  dropped = 0;

  /** Safe HTML by raw HTML, prepared before the schema is read. */
  readonly prepared: Map<string, PreparedHtml>;

  constructor(prepared = new Map<string, PreparedHtml>()) {
    this.prepared = prepared;
  }

  get unread(): readonly UnreadPart[] {
    return [...this.#parts].map(([words, code]) => ({ code, words }));
  }

  /** Notes a hint for an editor of the schema, and does not count an item as left out. */
  say(words: string, code: UnreadPart['code'] = 'left-out'): void {
    if (this.#parts.size < most) this.#parts.set(words, code);
  }

  drop(words: string): void {
    this.dropped += 1;
    this.say(words);
  }
}
