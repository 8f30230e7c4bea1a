import process from 'node:process';
import { runCommandLine } from '../../src/cli/command-line.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process has one standard output: one command at a time. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the product, such as `link`, in this process, where it costs a tenth. `src/main.mjs` itself, its
 * standard input and what another process sees are for a process of its own.
 */
export function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const ended = before.then(() => captured(args, env));
  before = ended.catch(() => undefined);
  return ended;
}

async function captured(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const { stdout, stderr } = process;
  const [writeOut, writeError] = [stdout.write, stderr.write];
  const said = { stdout: '', stderr: '' };
  const into = (name: keyof typeof said): typeof stdout.write => {
    const write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
      said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const then = typeof encoding === 'function' ? encoding : done;
      if (typeof then === 'function') process.nextTick(then);
      return true;
    };
    return write;
  };
  stdout.write = into('stdout');
  stderr.write = into('stderr');
  try {
    const { code, text } = await runCommandLine(args, env);
    said[code === 0 ? 'stdout' : 'stderr'] += text;
    return { ...said, code: code === 0 ? Number(process.exitCode ?? 0) : code };
  } finally {
    stdout.write = writeOut;
    stderr.write = writeError;
    process.exitCode = undefined;
  }
}
