import * as z from 'zod';
import type { CenterConfig } from '../../core/model/center-config.ts';
import type { LinkAnswer } from '../../core/model/passcode.ts';
import type { SubjectId } from '../../core/model/subject.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { Seal } from '../../ports/seal.ts';
import { sealedToken } from '../../web/sealed-token.ts';
import { subjectId } from '../../web/tokens.ts';

/** Whom a link was sent to. It opens nothing: it says where a fresh one may be sent when this one is over. */
const mailedToToken = sealedToken({
  use: 'mailed to',
  schema: z.object({ center: z.string(), subject: subjectId }),
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
});

/** The `k` of a link by mail. */
interface MailedLink {
  /** As it stands in the address, without what was hung on it. */
  readonly text: string;
  /** What a row is found by, and what alone lets somebody in. */
  readonly secret: string;
  /** Of an earlier version's links there is none: their rows say whom they were for. */
  readonly mailedTo: string | undefined;
}

/** The secret, a dot, and whom it was sent to, sealed. */
export function mailedLinkOf(
  parts: { readonly seal: Seal; readonly clock: Clock },
  { secret, center, subject }: { secret: string; center: string; subject: SubjectId },
): string {
  return `${secret}.${mailedToToken.seal(parts, { center, subject })}`;
}

export function readMailedLink(value: unknown): MailedLink | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return undefined;
  const [text, secret, mailedTo] = /^([\w-]{20,64})(?:\.([\w-]{1,2048}))?/.exec(first.trim()) ?? [];
  return text === undefined || secret === undefined ? undefined : { text, secret, mailedTo };
}

/** What the row says, and once that is gone, the link itself: whose it was, never that it is still good. */
export async function answerOf(
  parts: { readonly passcodes: Pick<Passcodes, 'findLink' | 'takeLink'>; seal: Seal; clock: Clock },
  { secret, mailedTo }: MailedLink,
  { center, how }: Pick<CenterConfig, 'center'> & { readonly how: 'findLink' | 'takeLink' },
): Promise<LinkAnswer> {
  const answer = await parts.passcodes[how](secret, center);
  if (answer.kind !== 'unknown') return answer;
  const opened = mailedToToken.open(parts, mailedTo);
  return opened?.center === center ? { kind: 'over', subject: opened.subject } : answer;
}
