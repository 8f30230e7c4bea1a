import { systemClock } from '../clock.ts';
import { registryOf } from '../compose/registry.ts';
import { linkMint, readSecrets } from '../compose/secret.ts';
import type { Config } from '../config/environment.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import { oneClickPath, sealOneClick } from '../features/unsubscribe/token.ts';
import { createSeal } from '../store/seal.ts';
import { linkHref } from '../web/href.ts';
import { WrongArgument } from './usage.ts';

/** Makes the addresses of people in the center named by `--center`. */
export function linksOf(config: Config, name: string | undefined) {
  const registry = registryOf(config);
  const centerConfig = name && (registry.find(name) ?? registry.findByCenter(name));
  if (!centerConfig)
    throw new WrongArgument('--center must be the address or the id of a center that is served');
  const { center } = centerConfig;
  const secrets = readSecrets(config);
  const links = linkMint(secrets);
  const seal = createSeal(secrets);
  const { origin } = config.publicUrl;
  return {
    /** The address of a person's preferences. */
    manage(subject: SubjectId, scope: 'manage' | 'withdraw', days: number): string {
      const token = links.mint({ subject, scope, center, lifetime: days * 86_400 });
      return origin + linkHref(centerConfig, token);
    },
    /** The address for one click (RFC 8058). Without `purpose` it withdraws everything. */
    oneClick(subject: SubjectId, purpose: string | undefined): string {
      const click = { center, subject, purpose: purpose?.toLowerCase(), madeAt: systemClock.now() };
      return origin + oneClickPath(sealOneClick(seal, click));
    },
  };
}

/** The value of List-Unsubscribe, which makes a mailbox provider show its own button. */
export function oneClickHeader(href: string): string {
  return `<${href}>`;
}

/** The value of List-Unsubscribe-Post. */
export const oneClickPost = 'List-Unsubscribe=One-Click';

/** The person named by `--identifier`. */
export function readIdentifier({ identifiers }: Config, text: string | undefined): SubjectId {
  const subject = identifiers.read(text);
  if (subject === undefined) throw new WrongArgument(`--identifier must be ${identifiers.rule}`);
  return subject;
}

export function readDays(text: string): number {
  const days = Number(text);
  if (!(days > 0 && days <= longestLinkDays))
    throw new WrongArgument(`--days must be a number from 1 to ${longestLinkDays}`);
  return days;
}
