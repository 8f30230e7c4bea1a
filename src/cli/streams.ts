import { createReadStream } from 'node:fs';
import { stderr, stdin, stdout } from 'node:process';
import type { Readable } from 'node:stream';

export type Print = (line: string) => void;

/** One line of what a command says. */
export const print: Print = (line) => void stdout.write(`${line}\n`);

/** How far a command is, where its output goes elsewhere. */
export const tell: Print = (line) => void stderr.write(`${line}\n`);

/** A file, or standard input for `-`. */
export function readable(path: string): Readable {
  return path === '-' ? stdin : createReadStream(path);
}
