import process from 'node:process';
import { runCommandLine } from '../../src/cli/command-line.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The last command. Commands run one at a time, because a process has one standard output. */
let lastCommand: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the product, such as `link`, in this process, for a tenth of the cost of a new one. A
 * test of `src/main.mjs` itself, of standard input, or of what another process sees starts a process of its
 * own.
 */
export function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const ended = lastCommand.then(() => captured(args, env));
  lastCommand = ended.catch(() => undefined);
  return ended;
}

async function captured(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const { stdout, stderr } = process;
  const [writeOut, writeError] = [stdout.write, stderr.write];
  const texts = { stdout: '', stderr: '' };
  const into = (name: keyof typeof texts): typeof stdout.write => {
    const write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
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
    texts[code === 0 ? 'stdout' : 'stderr'] += text;
    return { ...texts, code: code === 0 ? Number(process.exitCode ?? 0) : code };
  } finally {
    stdout.write = writeOut;
    stderr.write = writeError;
    process.exitCode = undefined;
  }
}
