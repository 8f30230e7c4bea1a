import session, { type SessionData } from 'express-session';
import type { Clock } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';

/** A session is touched in the store at most this often. */
const longestRarelyMs = 15_000;
/** The times of this many sessions are remembered. */
const mostRemembered = 10_000;

type Done = (fault?: unknown) => void;

/** Adapts our session store to express-session. */
export class ExpressSessionStore extends session.Store {
  readonly #store: SessionStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #rarelyMs: number;
  /** Session id → when this process last touched it. */
  readonly #signs = new Map<string, number>();

  constructor(store: SessionStore, { clock, idleMs }: { clock: Pick<Clock, 'now'>; idleMs: number }) {
    super();
    this.#store = store;
    this.#clock = clock;
    this.#rarelyMs = Math.min(idleMs / 10, longestRarelyMs);
  }

  override get(id: string, done: (fault: unknown, session?: SessionData | null) => void): void {
    this.#store.find(id).then((found) => done(undefined, (found ?? null) as SessionData | null), done);
  }

  override set(id: string, data: SessionData, done: Done = ignore): void {
    this.#store.save(id, { ...data }).then(() => done(), done);
  }

  override touch(id: string, _data: SessionData, done: Done = ignore): void {
    const now = this.#clock.now();
    const last = this.#signs.get(id);
    // Call back at once: otherwise express-session holds back the last byte of the answer.
    if (last !== undefined && now - last < this.#rarelyMs) {
      done();
      return;
    }
    if (this.#signs.size >= mostRemembered) this.#signs.clear();
    this.#signs.set(id, now);
    this.#store.touch(id).then(
      () => done(),
      (fault) => {
        this.#signs.delete(id);
        done(fault);
      },
    );
  }

  override destroy(id: string, done: Done = ignore): void {
    this.#store.end(id).then(() => done(), done);
  }
}

function ignore(): void {}
