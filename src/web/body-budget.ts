import type { Request } from 'express';
import { Problem } from '../core/model/problem.ts';
import { networksOf } from './client-network.ts';

/** `known`: the sender showed a right. `stranger`: the route takes bodies from anyone. */
export type Sender = 'stranger' | 'known';

const mebibyte = 1_024 * 1_024;

/** Limits of the bodies that are held or arriving at once. Bytes count when they arrive. */
const usual = {
  /** Bytes of all clients, strangers included. */
  bytes: 32 * mebibyte,
  bytesOfStrangers: 4 * mebibyte,
  /** Bytes of one client, which may be a company behind one address. */
  bytesOfClient: 8 * mebibyte,
  arrivingOfClient: 64,
  /** Milliseconds for which a body waits for room. */
  waitMs: 2_000,
  /** The most bodies that wait; further ones are refused. */
  waiting: 512,
};

export type BodyBounds = Readonly<typeof usual>;
export type BodyBudget = ReturnType<typeof createBodyBudget>;

/** The bytes that a client holds, and its bodies that are arriving. */
interface Share {
  readonly bytes: number;
  readonly arriving: number;
}

/** Seconds after which a refused client may try again. */
const retryAfter = 2;

export function createBodyBudget(bounds: BodyBounds = usual) {
  const shares = new Map<string, Share>();
  const held = { known: 0, stranger: 0 };
  const waiting = new Set<() => void>();

  /**
   * Resolves to true as soon as `begin` returns true; to false if that takes too long, or if too many wait.
   */
  function wait(begin: () => boolean): Promise<boolean> {
    if (begin()) return Promise.resolve(true);
    if (waiting.size >= bounds.waiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (hasBegun: boolean) => {
        waiting.delete(look);
        clearTimeout(late);
        resolve(hasBegun);
      };
      const look = () => {
        if (begin()) settle(true);
      };
      const late = setTimeout(settle, bounds.waitMs, false);
      waiting.add(look);
    });
  }

  return {
    /** Bytes held now. */
    held: () => held.known + held.stranger,
    /** Waits up to `waitMs` for room for `declared` bytes, without reserving them. Throws overloaded. */
    async enter({ ip = '' }: Request, { sender, declared }: { sender: Sender; declared: number }) {
      // Strangers and known senders of one network are counted apart: a stranger uses no room of a neighbour.
      const key = `${sender} ${networksOf(ip)[0]?.key}`;
      const share = () => shares.get(key) ?? { bytes: 0, arriving: 0 };
      const add = (change: Share) => {
        const bytes = share().bytes + change.bytes;
        const arriving = share().arriving + change.arriving;
        if (bytes === 0 && arriving === 0) shares.delete(key);
        else shares.set(key, { bytes, arriving });
        held[sender] += change.bytes;
      };
      const fits = (more: number) => {
        if (share().bytes + more > bounds.bytesOfClient) return false;
        if (sender === 'stranger' && held.stranger + more > bounds.bytesOfStrangers) return false;
        return held.known + held.stranger + more <= bounds.bytes;
      };
      const begin = () => {
        if (share().arriving >= bounds.arrivingOfClient || !fits(declared)) return false;
        add({ bytes: 0, arriving: 1 });
        return true;
      };
      if (!(await wait(begin))) throw new Problem('overloaded', { retryAfter });
      const mine = { bytes: 0, arriving: 1 };
      const giveBack = (bytes: number) => {
        add({ bytes: -bytes, arriving: -mine.arriving });
        mine.arriving = 0;
        mine.bytes -= bytes;
        for (const look of waiting) look();
      };
      return {
        /** Throws overloaded if there is no room for these bytes. */
        take(bytes: number): void {
          if (mine.arriving === 0 || !fits(bytes)) throw new Problem('overloaded', { retryAfter });
          mine.bytes += bytes;
          add({ bytes, arriving: 0 });
        },
        /** The body is complete: another one of this client may arrive. */
        arrived: () => giveBack(0),
        /** Releases the bytes. */
        free: () => giveBack(mine.bytes),
      };
    },
  };
}
