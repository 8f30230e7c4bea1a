import session, { type SessionData } from 'express-session';
import type { SessionStore } from '../ports/session-store.ts';

type Done = (fault?: unknown) => void;

/** A session store as express-session calls it. */
export class ExpressSessionStore extends session.Store {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    super();
    this.#store = store;
  }

  override get(id: string, done: (fault: unknown, session?: SessionData | null) => void): void {
    this.#store.find(id).then((found) => done(undefined, (found ?? null) as SessionData | null), done);
  }

  override set(id: string, data: SessionData, done: Done = ignore): void {
    this.#store.save(id, { ...data }).then(() => done(), done);
  }

  override touch(id: string, _data: SessionData, done: Done = ignore): void {
    this.#store.touch(id).then(() => done(), done);
  }

  override destroy(id: string, done: Done = ignore): void {
    this.#store.end(id).then(() => done(), done);
  }
}

function ignore(): void {}
