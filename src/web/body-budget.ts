import type { Request } from 'express';
import { Problem } from '../core/model/problem.ts';
import { networksOf } from './client-network.ts';

/** `known`: the sender showed a right. `stranger`: the route takes bodies from anyone. */
export type Sender = 'stranger' | 'known';

/** Limits of the bodies that are held or arriving at once. Bytes count when they arrive. */
export interface BodyBounds {
  /** For all clients, strangers included. */
  readonly bytes: number;
  readonly bytesOfStrangers: number;
  /** For one client, which may be a company behind one address. */
  readonly bytesOfClient: number;
  readonly arrivingOfClient: number;
  /** How long a body waits for room. */
  readonly waitMs: number;
  /** How many bodies may wait; further ones are refused. */
  readonly waiting: number;
}

const mebibyte = 1_024 * 1_024;

const usual: BodyBounds = {
  bytes: 32 * mebibyte,
  bytesOfStrangers: 4 * mebibyte,
  bytesOfClient: 8 * mebibyte,
  arrivingOfClient: 64,
  waitMs: 2_000,
  waiting: 512,
};

export interface BodyRoom {
  /** Throws overloaded if there is no room for these bytes. */
  take(bytes: number): void;
  /** The body is complete: another one of this client may arrive. */
  arrived(): void;
  /** Releases the bytes. */
  free(): void;
}

export interface BodyBudget {
  /** Waits up to `waitMs` for room for `declared` bytes, without reserving them. Throws overloaded. */
  enter(request: Request, from: { readonly sender: Sender; readonly declared: number }): Promise<BodyRoom>;
  /** Bytes held now. */
  held(): number;
}

interface Client {
  bytes: number;
  arriving: number;
  /** Bodies that hold or wait for room. */
  rooms: number;
}

/** Seconds. */
const retryAfter = 2;

export function createBodyBudget(bounds: BodyBounds = usual): BodyBudget {
  const clients = new Map<string, Client>();
  const held = { known: 0, stranger: 0 };
  let waiting: (() => void)[] = [];

  function fits(sender: Sender, { bytes }: Client, more: number): boolean {
    if (bytes + more > bounds.bytesOfClient) return false;
    if (sender === 'stranger' && held.stranger + more > bounds.bytesOfStrangers) return false;
    return held.known + held.stranger + more <= bounds.bytes;
  }

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const look of woken) look();
  }

  /** Resolves to true if `isThere` becomes true in time. */
  function wait(isThere: () => boolean): Promise<boolean> {
    if (isThere()) return Promise.resolve(true);
    if (waiting.length >= bounds.waiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return void waiting.push(look);
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        waiting = waiting.filter((other) => other !== look);
        resolve(false);
      }, bounds.waitMs);
      waiting.push(look);
    });
  }

  return {
    held: () => held.known + held.stranger,
    async enter({ ip = '' }, { sender, declared }) {
      // Strangers and known senders of one network are counted apart: a stranger uses no room of a neighbour.
      const key = `${sender} ${networksOf(ip)[0]?.key}`;
      const client = clients.get(key) ?? { bytes: 0, arriving: 0, rooms: 0 };
      clients.set(key, client);
      client.rooms += 1;
      let bytes = 0;
      let stage: 'waiting' | 'arriving' | 'here' | 'over' = 'waiting';

      function leave(next: typeof stage): void {
        if (stage === 'arriving') client.arriving -= 1;
        stage = next;
        wake();
      }
      const room: BodyRoom = {
        take(more) {
          if (!fits(sender, client, more)) throw new Problem('overloaded', { retryAfter });
          bytes += more;
          client.bytes += more;
          held[sender] += more;
        },
        arrived: () => leave('here'),
        free() {
          if (stage === 'over') return;
          client.bytes -= bytes;
          held[sender] -= bytes;
          client.rooms -= 1;
          if (client.rooms === 0) clients.delete(key);
          leave('over');
        },
      };
      const mayArrive = () => {
        if (client.arriving >= bounds.arrivingOfClient || !fits(sender, client, declared)) return false;
        client.arriving += 1;
        stage = 'arriving';
        return true;
      };
      if (await wait(mayArrive)) return room;
      room.free();
      throw new Problem('overloaded', { retryAfter });
    },
  };
}
