const most = 200;

/** What could not be read while a schema was read, in words an editor of the schema understands. */
export class Notes {
  readonly #words = new Set<string>();
  #dropped = 0;

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
