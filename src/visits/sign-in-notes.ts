import type { Request } from 'express';
import type { Visit } from '../core/model/person/visit.ts';
import type { Channel } from '../core/model/submission/submission.ts';
import { networkOf } from '../web/client-network.ts';

/** Logs sign-ins and refused sign-ins with the client's network. */
export interface SignInNotes {
  signedIn(request: Request, visit: Pick<Visit, 'center' | 'channel' | 'scope'>): void;
  refused(
    request: Request,
    tried: { readonly center: string; readonly channel: Channel; readonly why: RefusedSignIn },
  ): void;
}

export type RefusedSignIn = 'invalid' | 'over' | 'wrong-passcode' | 'passcodes-not-taken' | 'nobody-named';

export function createSignInNotes(log: (note: object, event: string) => void): SignInNotes {
  return {
    signedIn(request, { center, channel, scope }) {
      log({ center, channel, scope, from: networkOf(request) }, 'signed in');
    },
    refused(request, { center, channel, why }) {
      log({ center, channel, why, from: networkOf(request) }, 'sign-in refused');
    },
  };
}
