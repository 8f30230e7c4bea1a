/** Runs a script on nodes of the real delivery with one real store, whose answers take time. */

import type { PersonChange } from '../../src/core/consent/person.ts';
import type { SubmissionRequest } from '../../src/core/model/submission/submission-request.ts';
import { createDelivery, type RunningDelivery } from '../../src/delivery/delivery.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { Written } from '../../src/ports/people.ts';
import { type Carrier, type CarrierTools, lease } from '../core/consent/script-loop.ts';
import { strictLog } from './strict-log.ts';

/** The pause, in milliseconds, after which an idle node looks for work again. */
const lookEvery = 2_000;

interface Life {
  isOver: boolean;
  /** Unsubscribes the node from the news of the store. */
  deafen: () => void;
}

interface Node {
  readonly delivery: RunningDelivery;
  readonly journal: Journal;
  readonly life: Life;
}

export class Nodes implements Carrier {
  readonly #tools: CarrierTools;
  readonly #nodes: Node[];
  /** The node that holds the lease of the person. */
  #holder: Life | undefined;
  #dueAt: number | undefined;
  #turn = 0;
  #asked = 0;
  #made = 0;

  /** Starts one node for each journal; all journals share one store. */
  constructor(tools: CarrierTools, journals: readonly Journal[]) {
    this.#tools = tools;
    this.#nodes = journals.map((journal) => this.#start(journal));
  }

  async submit(request: SubmissionRequest): Promise<void> {
    await this.#next()?.delivery.submit(request);
  }

  async postAsShown(request: SubmissionRequest): Promise<void> {
    await this.#next()?.delivery.postAsShown(request);
  }

  #next(): Node | undefined {
    this.#turn += 1;
    return this.#nodes[this.#turn % this.#nodes.length];
  }

  kill(): boolean {
    const at = this.#nodes.findIndex(({ life }) => life === this.#holder);
    const dead = this.#nodes[at];
    if (dead === undefined) return false;
    end(dead.life);
    this.#holder = undefined;
    this.#nodes[at] = this.#start(dead.journal);
    return true;
  }

  close(): void {
    for (const { life } of this.#nodes) end(life);
  }

  #start(journal: Journal): Node {
    const { time, platform } = this.#tools;
    const life: Life = { isOver: false, deafen: () => undefined };
    const after = (milliseconds: number, run: () => void) =>
      time.after(milliseconds, () => (life.isOver ? undefined : run()));
    const sleep = (milliseconds: number) => new Promise<void>((resolve) => void after(milliseconds, resolve));
    const delivery = createDelivery({
      platform: platform.seenBy(sleep),
      people: this.#watched(journal, life, sleep),
      clock: time,
      timer: { after },
      random: { id: () => `id ${++this.#made}` },
      log: strictLog,
      jitter: () => 1,
      lease,
    });
    return { delivery, journal, life };
  }

  #watched(journal: Journal, life: Life, sleep: (milliseconds: number) => Promise<void>): Journal {
    const { time, stored, onRecorded, onKept } = this.#tools;
    const record: Journal['record'] = async (submission, write, offered) => {
      let written: Written | undefined;
      const made = await journal.record(submission, (person) => (written = write(person)), offered);
      if (written === undefined || made.kind === 'known' || made.kind === 'other') return made;
      if (made.claimed !== undefined) this.#holder = life;
      onRecorded(submission, written);
      this.#plan(written.change);
      return made;
    };
    const claim: Journal['claim'] = async (offered) => {
      const claimed = await journal.claim(offered);
      if (claimed !== undefined) this.#holder = life;
      return claimed;
    };
    const keep: Journal['keep'] = async (held, change, until) => {
      const kept = await journal.keep(held, change, until);
      if (until === 'released' && kept.kind !== 'changed') this.#holder = undefined;
      if (kept.kind !== 'kept') return kept;
      onKept(change);
      this.#plan(change);
      return kept;
    };
    const own: Partial<Journal> = { record, claim, keep };
    return new Proxy(journal, {
      get: (_, name: keyof Journal) => {
        if (name === 'onNews')
          return (listener: Parameters<Journal['onNews']>[0]) => {
            const deafen = journal.onNews(listener);
            life.deafen = deafen;
            return deafen;
          };
        const ask = (own[name] ?? journal[name]) as (...given: never[]) => Promise<unknown>;
        return async (...given: never[]) => {
          this.#asked += 1;
          const delay = stored[this.#asked % stored.length] ?? 0;
          // The store may also begin to record late.
          if (name === 'record' && delay > 0) await sleep(delay);
          if (life.isOver) return never;
          time.asked += 1;
          try {
            return await ask(...given);
          } finally {
            time.asked -= 1;
            if (delay > 0) await sleep(delay);
            if (life.isOver) await never;
          }
        };
      },
    });
  }

  #plan({ dueAt }: PersonChange): void {
    const { time } = this.#tools;
    this.#dueAt = dueAt;
    if (dueAt !== undefined) time.after(dueAt - time.now(), () => this.#look(dueAt));
  }

  #look(dueAt: number): void {
    if (this.#dueAt !== dueAt) return;
    for (const { delivery } of this.#nodes) void delivery.settle();
    this.#tools.time.after(lookEvery, () => this.#look(dueAt));
  }
}

const never = new Promise<never>(() => undefined);

function end(life: Life): void {
  life.isOver = true;
  life.deafen();
}
