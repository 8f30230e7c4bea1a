/** Runs a script on the loop of delivery alone, with one person in memory. */

import type { OpenSubmission, Person, PersonChange } from '../../../src/core/consent/person.ts';
import { Problem } from '../../../src/core/model/problem.ts';
import type { SubmissionRequest } from '../../../src/core/model/submission/submission-request.ts';
import { type LoopTools, workFor } from '../../../src/delivery/person-loop.ts';
import { recorded, recordedAsShown } from '../../../src/delivery/recording.ts';
import type { NewSubmission, Written } from '../../../src/ports/people.ts';
import type { FakeTime } from '../../delivery/fake-time.ts';
import type { ScriptPlatform } from './script-platform.ts';

export const lease = 20_000;

export interface Carrier {
  submit(request: SubmissionRequest): Promise<unknown>;
  postAsShown(request: SubmissionRequest): Promise<unknown>;
  /** Kills the working process; another one goes on when the lease ends. False if none works. */
  kill(): boolean;
  close(): void;
}

/** The tools of a carrier, and its callbacks for each durable change. */
export interface CarrierTools {
  readonly time: FakeTime;
  readonly platform: ScriptPlatform;
  readonly stored: readonly number[];
  readonly submissions: ReadonlyMap<string, OpenSubmission>;
  readonly onRecorded: (submission: NewSubmission, written: Written) => void;
  readonly onKept: (change: PersonChange) => void;
  readonly onCrash: (fault: unknown) => void;
}

export class Loop implements Carrier {
  readonly #tools: CarrierTools;
  readonly #loopTools: LoopTools;
  #person: Person | undefined;
  #version = 0;
  #isWorking = false;
  /** The number of processes that died, which is also the number of the living one. */
  #process = 0;
  readonly #nonces = new Set<string>();

  constructor(tools: CarrierTools) {
    this.#tools = tools;
    const sleep = (milliseconds: number) =>
      new Promise<void>((resolve) => void this.#after(milliseconds, resolve));
    this.#loopTools = {
      clock: tools.time,
      timer: { after: (milliseconds, run) => this.#after(milliseconds, run) },
      wait: sleep,
      jitter: () => 1,
      lease,
      isOften: () => false,
      tell: () => undefined,
      noteMissing: () => undefined,
      people: {
        keep: async ({ version }, change) => {
          const isSame = version === this.#version;
          if (isSame) {
            tools.onKept(change);
            this.#keep(change);
          }
          return { kind: isSame ? 'kept' : 'changed', version: this.#version, person: this.#person };
        },
        postpone: async () => undefined,
        submissionsOf: async (references) => references.flatMap((each) => tools.submissions.get(each) ?? []),
      },
      platform: tools.platform.seenBy(sleep),
    };
  }

  async submit(request: SubmissionRequest): Promise<void> {
    const { time, platform, onRecorded } = this.#tools;
    if (this.#nonces.has(request.nonce)) return;
    this.#nonces.add(request.nonce);
    const submission = { request, reference: `r${this.#nonces.size}`, now: time.now() };
    const written = recorded(this.#person, submission, { schema: platform.center(request.center) });
    onRecorded(submission, written);
    this.#keep(written.change);
  }

  async postAsShown(request: SubmissionRequest): Promise<void> {
    if (this.#nonces.has(request.nonce)) throw new Problem('nonce-reused');
    const submission = { request, reference: '', now: this.#tools.time.now() };
    const written = recordedAsShown(this.#person, submission);
    this.#tools.onRecorded(submission, written);
    this.#keep(written.change);
  }

  kill(): boolean {
    if (!this.#isWorking) return false;
    this.#process += 1;
    this.#isWorking = false;
    this.#tools.time.after(lease, () => void (this.#isWorking ? undefined : this.#work()));
    return true;
  }

  close(): void {
    this.#process += 1;
  }

  #keep({ person, dueAt }: PersonChange): void {
    const { time } = this.#tools;
    this.#version += 1;
    this.#person = JSON.parse(JSON.stringify(person)) as Person;
    const version = this.#version;
    const work = () => (this.#isWorking || version !== this.#version ? undefined : this.#work());
    if (dueAt !== undefined) time.after(dueAt - time.now(), () => void work());
  }

  async #work(): Promise<void> {
    const held = { id: 'anna', owner: 'loop', version: this.#version, person: this.#person };
    const process = this.#process;
    this.#isWorking = true;
    await workFor(held, this.#loopTools).catch(this.#tools.onCrash);
    if (process === this.#process) this.#isWorking = false;
  }

  /** Starts a timer of the current process; it does not fire after that process died. */
  #after(milliseconds: number, run: () => void): () => void {
    const process = this.#process;
    return this.#tools.time.after(milliseconds, () => (process === this.#process ? run() : undefined));
  }
}
