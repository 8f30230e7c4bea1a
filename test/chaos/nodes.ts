import {
  type Product,
  type ProductOptions,
  type ProductProcess,
  startProcess,
  startProduct,
} from '../kit/product.ts';
import type { SandboxClient } from '../kit/sandbox-client.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Platform, settingsFor, startPlatform } from './rig.ts';

/** Nodes on one PostgreSQL behind a balancer, with a platform. */
export interface Nodes<P extends Product = ProductProcess> {
  readonly nodes: readonly P[];
  readonly balancer: Balancer;
  readonly sandbox: SandboxClient;
  /** The address and settings of all nodes, as of one product. */
  readonly front: Pick<Product, 'url' | 'env'>;
  portOf(node: Product): number;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Given {
  /** The address of the database for each node. */
  readonly databases: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly envOf?: (index: number) => Readonly<Record<string, string>>;
  readonly platformEnv?: Readonly<Record<string, string>>;
}

/** Starts each node in its own process. */
export function startNodes(given: Given): Promise<Nodes> {
  return nodesOf(given, startProcess);
}

/** Starts all nodes in this process, for tests that kill and hang none of them. */
export function startNodesHere(given: Given): Promise<Nodes<Product>> {
  return nodesOf(given, startProduct);
}

async function nodesOf<P extends Product>(
  { databases, env = {}, envOf = () => ({}), platformEnv = {} }: Given,
  start: (options: ProductOptions) => Promise<P>,
): Promise<Nodes<P>> {
  const platform: Platform = await startPlatform(platformEnv);
  const nodes: P[] = [];
  const portOf = (node: Product) => Number(node.env['PORT']);
  const balancer = await startBalancer(() => nodes.map(portOf));
  const url = `http://localhost:${balancer.port}`;
  const end = async () => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
    await balancer.close();
    await platform[Symbol.asyncDispose]();
  };
  try {
    for (const [index, database] of databases.entries()) {
      const settings = {
        ...settingsFor(platform.port),
        PUBLIC_URL: url,
        DATABASE_URL: database,
        DATABASE_POOL: '5',
        DATA_DIR: '{home}/none',
        ...env,
        ...envOf(index),
      };
      nodes.push(await start({ store: 'files', env: settings }));
    }
  } catch (fault) {
    await end();
    throw fault;
  }
  return {
    nodes,
    balancer,
    sandbox: platform.sandbox,
    // All nodes have the same secrets and addresses, so that the settings of one do.
    get front() {
      return { url, env: nodes[0]?.env ?? {} };
    },
    portOf,
    [Symbol.asyncDispose]: end,
  };
}
