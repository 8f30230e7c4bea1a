import type { Request, Response } from 'express';
import { isWithin } from '../../core/model/age.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { KeyedHash, Seal } from '../../ports/seal.ts';
import { ownCookie, readCookie } from '../../web/cookie.ts';
import { knownClientToken } from './tokens.ts';

export type KnownClients = ReturnType<typeof createKnownClients>;

/** Milliseconds that a browser stays known for a person. */
const life = 180 * 24 * 60 * 60 * 1000;
/** A shared browser remembers its last people. */
const mostPeople = 5;

const use = 'known client';

/** Browsers that signed in by a message before. A known browser gets larger limits and nothing else. */
export function createKnownClients(parts: {
  readonly seal: Seal & KeyedHash;
  readonly random: Random;
  readonly clock: Clock;
  readonly https: boolean;
}) {
  const { seal, random, clock, https } = parts;
  const { name, cookie } = ownCookie({ name: 'sayso-known', https, sameSite: 'lax' });

  function open(request: Request) {
    const opened = knownClientToken.open({ seal }, readCookie(request, name));
    if (opened === undefined) return undefined;
    const people = opened.people.filter(({ at }) => isWithin(life, { at, now: clock.now() }));
    return { id: opened.id, people };
  }

  return {
    remember(request: Request, response: Response, subject: SubjectId): void {
      const known = open(request) ?? { id: random.id(), people: [] };
      const hashes = seal.hashes(use, subject);
      const others = known.people.filter(({ who }) => !hashes.includes(who)).slice(0, mostPeople - 1);
      const people = [{ who: seal.hash(use, subject), at: clock.now() }, ...others];
      const sealed = knownClientToken.seal({ seal }, { id: known.id, people });
      response.cookie(name, sealed, { ...cookie, maxAge: life });
    },
    /** The id of the browser if it is known for this person. */
    find(request: Request, subject: SubjectId): string | undefined {
      const found = open(request);
      const hashes = seal.hashes(use, subject);
      return found?.people.some(({ who }) => hashes.includes(who)) === true ? found.id : undefined;
    },
  };
}
