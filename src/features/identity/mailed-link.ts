import type { CenterConfig } from '../../core/model/center/center-config.ts';
import type { LinkAnswer } from '../../core/model/person/passcode.ts';
import type { SubjectId } from '../../core/model/person/subject.ts';
import type { Passcodes } from '../../ports/passcodes.ts';
import type { TokenParts } from '../../web/sealed-token.ts';
import { here, mailedToToken } from './tokens.ts';

type MailedLink = NonNullable<ReturnType<typeof readMailedLink>>;

/** The secret, a dot, and the sealed receiver. */
export function mailedLinkOf(
  parts: TokenParts,
  { secret, center, subject }: { secret: string; center: string; subject: SubjectId },
): string {
  return `${secret}.${mailedToToken.seal(parts, { center, subject })}`;
}

/**
 * The `k` of a link in a mail. `text`: as it was made, without appended text; `secret` finds the row, and alone lets a
 * person in; `mailedTo` is absent in a shortened address.
 */
export function readMailedLink(value: unknown) {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'string') return undefined;
  const [text, secret, mailedTo] = /^([\w-]{20,64})(?:\.([\w-]{1,2048}))?/.exec(first.trim()) ?? [];
  return text === undefined || secret === undefined ? undefined : { text, secret, mailedTo };
}

/** Answers from the row. When the row is gone, the link itself still names its receiver, but is over. */
export async function answerOf(
  parts: TokenParts & { readonly passcodes: Pick<Passcodes, 'findLink' | 'takeLink'> },
  { secret, mailedTo }: MailedLink,
  { center, how }: Pick<CenterConfig, 'center'> & { readonly how: 'findLink' | 'takeLink' },
): Promise<LinkAnswer> {
  const answer = await parts.passcodes[how](secret, center);
  if (answer.kind !== 'unknown') return answer;
  const opened = here({ center }, mailedToToken.open(parts, mailedTo));
  return opened === undefined ? answer : { kind: 'over', subject: opened.subject };
}
