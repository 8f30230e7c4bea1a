import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { settingsFor, startPlatform } from '../chaos/rig.ts';
import { freePorts, manyCalls, type ProductProcess, startProcess } from '../kit/product.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import type { Visitor } from '../kit/visitor.ts';
import { type Center, filesOf } from './material.ts';
import { startOrganization } from './staff.ts';

/**
 * A platform that can be made to fail, and two processes of the product on one data folder, with one fast
 * clock.
 */
export interface World {
  readonly sandbox: SandboxClient;
  /** Makes the platform misbehave. */
  misbehave(fault: Readonly<Record<string, unknown>>): Promise<ActiveFault>;
  /** The public address; behind it either process answers. */
  readonly publicUrl: string;
  readonly secret: string;
  readonly nodes: readonly ProductProcess[];
  /** Signs in an editor of the staff in a new browser; `address` gives the process for each step. */
  signInStaff(address: () => string): Promise<Visitor | undefined>;
  /** The address of one process. */
  addressOf(node: ProductProcess): string;
  /** Milliseconds since 1970 by the fast clock. */
  now(): number;
  /** Waits so many milliseconds of the fast clock. */
  wait(milliseconds: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ActiveFault {
  /** Whether it may still strike; false also after `end`. */
  isStillToStrike(): Promise<boolean>;
  end(): Promise<void>;
}

export async function startWorld(centers: readonly Center[], factor: number): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'sayso-acts-'));
  for (const center of centers) {
    for (const [file, content] of filesOf(center, new Map())) {
      const path = join(home, 'centers', 'centers', center.id, `${file}.json`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(content));
    }
  }
  const origin = Date.now();
  const now = () => origin + (Date.now() - origin) * factor;
  const organization = await startOrganization(now);
  const clock = {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, '../kit/scaled-clock.ts')).href}`,
    SCALED_CLOCK: String(factor),
    SCALED_CLOCK_ORIGIN: String(origin),
  };
  const [publicPort = 0] = await freePorts(1);
  const platform = await startPlatform({ SANDBOX_DATA: join(home, 'centers'), ...clock });
  const { sandbox } = platform;
  const faults = `http://127.0.0.1:${platform.port}/_sandbox/faults`;
  const nodes: ProductProcess[] = [];
  const end = async () => {
    await Promise.allSettled(nodes.map((node) => node.kill9()));
    await Promise.allSettled(nodes.map((node) => node[Symbol.asyncDispose]()));
    await platform[Symbol.asyncDispose]();
    organization.close();
    rmSync(home, { recursive: true, force: true });
  };
  const publicUrl = `http://localhost:${publicPort}`;
  try {
    const env = {
      ...clock,
      ...settingsFor(platform.port),
      ...manyCalls,
      ...organization.env,
      DATA_DIR: join(home, 'data'),
      PUBLIC_URL: publicUrl,
      LOG_LEVEL: 'warn',
    };
    for (let count = 0; count < 2; count += 1) nodes.push(await startProcess({ env }));
  } catch (fault) {
    await end();
    throw fault;
  }
  return {
    sandbox,
    async misbehave(given) {
      // After a 429 that tells a small quota the product makes a tenth of those calls for an hour: it tells a
      // large one.
      const allowed = Number(manyCalls.PLATFORM_REQUESTS_PER_MINUTE);
      const fault = given['kind'] === '429' ? { allowed, ...given } : given;
      const answer = await fetch(faults, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      if (!answer.ok) throw new Error(`a fault was refused: ${await answer.text()}`);
      const [{ id }] = (await answer.json()) as [{ id: number }];
      return {
        async isStillToStrike() {
          const list = await fetch(faults);
          return ((await list.json()) as { id: number }[]).some((each) => each.id === id);
        },
        end: async () => void (await fetch(`${faults}/${id}`, { method: 'DELETE' })),
      };
    },
    publicUrl,
    secret: nodes[0]?.env['SECRET'] ?? '',
    nodes,
    addressOf: ({ env }) => `http://localhost:${env['PORT']}`,
    now,
    signInStaff: (address) => organization.signIn({ publicUrl, address }),
    wait: (milliseconds) => pause(milliseconds / factor),
    [Symbol.asyncDispose]: end,
  };
}
