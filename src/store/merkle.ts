import { hash } from 'node:crypto';
import type { PathStep } from '../core/model/evidence/day-root.ts';

/** Leaves and nodes are hashed apart, as in RFC 6962: none can be passed off as the other. */
const [leafTag, nodeTag] = [Buffer.of(0), Buffer.of(1)];

const sha256 = (...parts: readonly Uint8Array[]) => hash('sha256', Buffer.concat(parts), 'buffer');
const bytesOf = (text: string) => Buffer.from(text, 'base64url');
const hashesOf = (parts: readonly Part[]) => parts.map(([, each]) => bytesOf(each));

/** The leaf of a submission: a hash of the digests of what was asked and of how it ended. */
export function leafHash(asked: Uint8Array, ended: Uint8Array): Buffer {
  return sha256(leafTag, asked, ended);
}

/** The number of hashes in the left subtree: the largest power of two below `size`. */
function leftOf(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

export function treeHash(hashes: readonly Buffer[]): Buffer {
  const [first = sha256()] = hashes;
  if (hashes.length < 2) return first;
  const left = leftOf(hashes.length);
  return sha256(nodeTag, treeHash(hashes.slice(0, left)), treeHash(hashes.slice(left)));
}

/** The path from the hash at `place` up to the root. */
export function pathOf(hashes: readonly Buffer[], place: number): readonly PathStep[] {
  if (hashes.length < 2) return [];
  const middle = leftOf(hashes.length);
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)];
  return place < middle
    ? [...pathOf(left, place), { right: treeHash(right).toString('base64url') }]
    : [...pathOf(right, place - middle), { left: treeHash(left).toString('base64url') }];
}

export function rootBy(leaf: Buffer, path: readonly PathStep[]): string {
  let at = leaf;
  for (const step of path)
    at = 'left' in step ? sha256(nodeTag, bytesOf(step.left), at) : sha256(nodeTag, at, bytesOf(step.right));
  return at.toString('base64url');
}

/**
 * Leaves in a part. The hash of each part is kept, so that a path needs the leaves of one part only. A power
 * of two.
 */
const partSize = 256;

/** The number of the first submission of a part, and the hash of the part. */
export type Part = readonly [first: number, hash: string];

export interface Tree {
  readonly size: number;
  readonly root: string;
  readonly parts: readonly Part[];
}

/** Takes leaves in the order of their submissions, and holds the leaves of one part in memory. */
export function treeBuilder() {
  const parts: Part[] = [];
  let [first, size] = [0, 0];
  let hashes: Buffer[] = [];
  function endPart(): void {
    if (hashes.length > 0) parts.push([first, treeHash(hashes).toString('base64url')]);
    hashes = [];
  }
  return {
    add(sequence: number, leaf: Buffer): void {
      if (hashes.length === 0) first = sequence;
      hashes.push(leaf);
      size += 1;
      if (hashes.length === partSize) endPart();
    },
    end(): Tree {
      endPart();
      return { size, parts, root: treeHash(hashesOf(parts)).toString('base64url') };
    },
  };
}

/** The part of a submission: its place, its first sequence, and the first sequence of the next part. */
export function partOf(parts: readonly Part[], sequence: number) {
  const place = parts.findLastIndex(([first]) => first <= sequence);
  const [first = 0] = parts[place] ?? [];
  return { place, first, before: parts[place + 1]?.[0] ?? Number.MAX_SAFE_INTEGER };
}

/**
 * The path of a leaf through its part, and from there to the root. `leaves`: those of the part at `place`.
 */
export function pathThrough(
  parts: readonly Part[],
  place: number,
  leaves: readonly Buffer[],
  inPart: number,
): readonly PathStep[] {
  return [...pathOf(leaves, inPart), ...pathOf(hashesOf(parts), place)];
}
