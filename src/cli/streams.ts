import { createReadStream } from 'node:fs';
import { stderr, stdin, stdout } from 'node:process';
import type { Readable } from 'node:stream';

export type Print = (line: string) => void;

/** Prints one line of a command's output. */
export const print: Print = (line) => void stdout.write(`${line}\n`);

/** Prints one line of progress to stderr, because the output may go elsewhere. */
export const tell: Print = (line) => void stderr.write(`${line}\n`);

/** Opens a file, or standard input for `-`. */
export function readable(path: string): Readable {
  return path === '-' ? stdin : createReadStream(path);
}
