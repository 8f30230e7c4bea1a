import type { Request } from 'express';
import { Problem } from '../core/model/problem.ts';
import { networksOf } from './client-network.ts';

/** Who sends a body: `stranger` where anyone may, `known` where a right was shown. */
export type Sender = 'stranger' | 'known';

/** What may be held and be on its way at once. Bytes count when they have arrived. */
export interface BodyBounds {
  /** Of all clients, strangers included. */
  readonly bytes: number;
  readonly bytesOfStrangers: number;
  /** Of one client, which may be a company behind one address. */
  readonly bytesOfClient: number;
  readonly arrivingOfClient: number;
  /** A body that finds no room waits for so long. */
  readonly waitMs: number;
  /** More do not wait. */
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

/** Room for one body. */
export interface BodyRoom {
  /** Throws overloaded where there is no room for so many bytes more. */
  take(bytes: number): void;
  /** All of it is here: another body of the client may be on its way. */
  arrived(): void;
  /** Gives everything back. */
  free(): void;
}

export interface BodyBudget {
  /** Waits a little for room for `declared` bytes, which are not counted yet. Throws overloaded. */
  enter(request: Request, from: { readonly sender: Sender; readonly declared: number }): Promise<BodyRoom>;
  /** Bytes that are held now. */
  held(): number;
}

interface Client {
  bytes: number;
  arriving: number;
  /** Bodies that hold room. */
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

  /** True where `isThere` became so in time. */
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
      // A stranger takes nothing from a neighbour who has a right.
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
