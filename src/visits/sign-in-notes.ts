import type { Request } from 'express';
import type { Visit } from '../core/model/person/visit.ts';
import type { Channel } from '../core/model/submission/submission.ts';
import { networkOf } from '../web/client-network.ts';

export type SignInNotes = ReturnType<typeof createSignInNotes>;

export type RefusedSignIn = 'invalid' | 'over' | 'wrong-passcode' | 'passcodes-not-taken' | 'nobody-named';

interface Refused {
  readonly center: string;
  readonly channel: Channel;
  readonly why: RefusedSignIn;
}

/** Logs sign-ins and refused sign-ins with the client's network. */
export function createSignInNotes(log: (note: object, event: string) => void) {
  return {
    signedIn(
      request: Request,
      { center, channel, scope }: Pick<Visit, 'center' | 'channel' | 'scope'>,
    ): void {
      log({ center, channel, scope, from: networkOf(request) }, 'signed in');
    },
    refused(request: Request, { center, channel, why }: Refused): void {
      log({ center, channel, why, from: networkOf(request) }, 'sign-in refused');
    },
  };
}
