/** PgBouncer in front of a PostgreSQL, in its own process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { owner } from './postgres.ts';
import { freePorts } from './product.ts';

const program = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

export const skipPgBouncer = whyNot();

function whyNot(): string | false {
  if (existsSync(program)) return false;
  const why = `no PgBouncer at ${program}: install it (Debian: pgbouncer), or set PGBOUNCER to its path`;
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`\n*** NOT TESTED: ${why} ***\n\n`);
  return why;
}

export interface PgBouncer {
  /** The address of a database through PgBouncer. */
  by(address: string): string;
  close(): Promise<void>;
}

/** `server`: an address of the PostgreSQL behind it; `settings`: lines of pgbouncer.ini. */
export async function startPgBouncer(server: string, settings: readonly string[]): Promise<PgBouncer> {
  const { hostname, port: behind } = new URL(server);
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'sayso-pgbouncer-'));
  const as = owner();
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    if (as !== undefined) chownSync(join(folder, name), as.uid, as.gid);
    return join(folder, name);
  };
  if (as !== undefined) chownSync(folder, as.uid, as.gid);
  const users = write('users.txt', '"postgres" ""\n');
  const file = write(
    'pgbouncer.ini',
    [
      '[databases]',
      `* = host=${hostname} port=${behind || 5432}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${users}`,
      ...settings,
      '',
    ].join('\n'),
  );
  const child = spawn(program, ['-q', file], { stdio: 'ignore', ...as });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start');
    await pause(20);
  }
  return {
    by(address) {
      const url = new URL(address);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    async close() {
      process.off('exit', end);
      const exited = once(child, 'exit');
      end();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
