/** The signed root over a center's submissions that ended on one day in UTC. */
export interface DayRoot {
  readonly '@type': 'sayso:DayRoot';
  readonly iss: string;
  readonly center: string;
  /** `yyyy-MM-dd`. */
  readonly day: string;
  readonly size: number;
  /** Root of the Merkle tree over these submissions, in base64url. */
  readonly root: string;
  /** SHA-256 of the payload of the center's previous root, in base64url; absent in the first one. */
  readonly previous?: string | undefined;
}

/** A step of the path to the root: the hash to join with, on its side. */
export type PathStep = { readonly left: string } | { readonly right: string };

/** Whether an entry of a signed copy is in the root of its day. */
export type RootStanding = 'in-root' | 'not-yet' | 'not-in-root';
