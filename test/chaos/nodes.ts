import { type ProductProcess, startProcess } from '../kit/product.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Platform, startPlatform } from './rig.ts';

/** Nodes on one PostgreSQL behind a balancer, with a platform in a process of its own. */
export interface Nodes {
  readonly nodes: readonly ProductProcess[];
  readonly balancer: Balancer;
  readonly sandbox: SandboxClient;
  /** What people see: a product that happens to be many. */
  readonly front: Pick<ProductProcess, 'url' | 'env'>;
  portOf(node: ProductProcess): number;
  /** One more, behind the same balancer. */
  add(database: string): Promise<ProductProcess>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startNodes({
  databases,
  env = {},
  envOf = () => ({}),
  platformEnv = {},
}: {
  /** One node for each: where it finds the database. */
  readonly databases: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly envOf?: (index: number) => Readonly<Record<string, string>>;
  readonly platformEnv?: Readonly<Record<string, string>>;
}): Promise<Nodes> {
  const platform: Platform = await startPlatform(platformEnv);
  const nodes: ProductProcess[] = [];
  const portOf = (node: ProductProcess) => Number(node.env['PORT']);
  const balancer = await startBalancer(() => nodes.map(portOf));
  const url = `http://localhost:${balancer.port}`;
  const end = async () => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    await balancer.close();
    await platform[Symbol.asyncDispose]();
  };
  const add = async (database: string) => {
    const node = await startProcess({
      store: 'files',
      env: {
        PLATFORM_URL: `http://127.0.0.1:${platform.port}`,
        PLATFORM_CLIENT_ID: 'sandbox',
        PLATFORM_CLIENT_SECRET: 'sandbox-secret',
        PUBLIC_URL: url,
        DATABASE_URL: database,
        DATABASE_POOL: '5',
        DATA_DIR: '{home}/none',
        ...env,
        ...envOf(nodes.length),
      },
    });
    nodes.push(node);
    return node;
  };
  try {
    for (const database of databases) await add(database);
  } catch (fault) {
    await end();
    throw fault;
  }
  return {
    nodes,
    balancer,
    sandbox: platform.sandbox,
    // Of secrets and addresses, which all have the same.
    get front() {
      return { url, env: nodes[0]?.env ?? {} };
    },
    portOf,
    add,
    [Symbol.asyncDispose]: end,
  };
}
