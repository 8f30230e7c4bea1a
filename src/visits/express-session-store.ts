import session, { type SessionData } from 'express-session';
import type { Clock } from '../ports/clock.ts';
import type { SessionStore } from '../ports/session-store.ts';

/** The longest pause between two touches of a session in the store. */
const longestPauseMs = 15_000;
/** The most sessions whose touches are remembered. */
const mostRemembered = 10_000;

type Done = (fault?: unknown) => void;

/** Adapts our session store to express-session. */
export class ExpressSessionStore extends session.Store {
  readonly #store: SessionStore;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #pauseMs: number;
  /** Time at which this process last touched a session, by session id. */
  readonly #touchedAt = new Map<string, number>();

  constructor(store: SessionStore, { clock, idleMs }: { clock: Pick<Clock, 'now'>; idleMs: number }) {
    super();
    this.#store = store;
    this.#clock = clock;
    this.#pauseMs = Math.min(idleMs / 10, longestPauseMs);
  }

  override get(id: string, done: (fault: unknown, session?: SessionData | null) => void): void {
    this.#store.find(id).then((found) => done(undefined, (found ?? null) as SessionData | null), done);
  }

  override set(id: string, data: SessionData, done: Done = ignore): void {
    this.#store.save(id, { ...data }).then(() => done(), done);
  }

  override touch(id: string, _data: SessionData, done: Done = ignore): void {
    const now = this.#clock.now();
    const last = this.#touchedAt.get(id);
    // The callback runs at once: otherwise express-session holds back the last byte of the answer.
    if (last !== undefined && now - last < this.#pauseMs) {
      done();
      return;
    }
    if (this.#touchedAt.size >= mostRemembered) this.#touchedAt.clear();
    this.#touchedAt.set(id, now);
    this.#store.touch(id).then(
      () => done(),
      (fault) => {
        this.#touchedAt.delete(id);
        done(fault);
      },
    );
  }

  override destroy(id: string, done: Done = ignore): void {
    this.#store.end(id).then(() => done(), done);
  }
}

function ignore(): void {}
