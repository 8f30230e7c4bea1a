import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Image } from './image.ts';

/**
 * Runs an image in namespaces of its own without an engine: its root read-only, its volume at /data, its user, no
 * capability, no new privileges. The network is the machine's. No seccomp profile: that is an engine's.
 */
const confined = `
root=$1 volume=$2 user=$3 folder=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
cd "$root"
exec chroot . setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all \
  --inh-caps=-all env --chdir="$folder" "$@"
`;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface Container {
  /** Of the product, on the machine. */
  readonly pid: number;
  output(): string;
  /** True when the image's own check says so. */
  isHealthy(): boolean;
  /** A command in the container, as root without the product's confinement: what even root cannot do there. */
  tryAsRoot(...command: readonly string[]): { readonly status: number | null; readonly stderr: string };
  /** Its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

export async function runContainer(
  { config, root }: Image,
  { volume, env }: { readonly volume: string; readonly env: Readonly<Record<string, string>> },
): Promise<Container> {
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))),
    ...env,
  };
  const around = [
    '--mount',
    '--pid',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    'sh',
    '-ec',
    confined,
    'sh',
  ];
  const inside = [root, volume, config.User, config.WorkingDir, ...config.Cmd];
  const outer = process.env['PATH'] ?? '';
  const child = spawn('unshare', [...around, ...inside], {
    env: { ...environment, PATH: `${environment['PATH']}:${outer}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child);
    return code ?? signal;
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const pid = await pidOf(child, () => printed);
  const enter = ['--target', String(pid), '--mount', '--pid', '--root'];
  return {
    pid,
    output: () => printed,
    isHealthy() {
      const [kind, ...command] = config.Healthcheck.Test;
      if (kind !== 'CMD') throw new Error(`a health check by ${kind}`);
      return spawnSync('nsenter', [...enter, ...command], { env: environment }).status === 0;
    },
    tryAsRoot(...command) {
      const { status, stderr } = spawnSync('nsenter', [...enter, ...command], { encoding: 'utf8' });
      return { status, stderr };
    },
    async end(signal) {
      process.kill(pid, signal);
      return exited;
    },
  };
}

/** Of what runs as number 1 in the namespace, once it is the product. */
async function pidOf(child: ChildProcess, printed: () => string): Promise<number> {
  for (const last = Date.now() + 30_000; Date.now() < last; await pause(20)) {
    if (child.exitCode !== null) break;
    try {
      const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
      if (pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('node\0')) return pid;
    } catch {
      // Not yet there.
    }
  }
  throw new Error(`the container did not start: ${printed()}`);
}
