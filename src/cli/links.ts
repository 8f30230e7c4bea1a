import { systemClock } from '../clock.ts';
import { linkMint } from '../compose/identity.ts';
import { registryOf } from '../compose/registry.ts';
import { readSecrets } from '../compose/secret.ts';
import type { Config } from '../config/environment.ts';
import { WrongArgument } from '../config/wrong-argument.ts';
import { type CenterConfig, isGuid } from '../core/model/center/center-config.ts';
import { createIdentifiers } from '../core/model/person/identifiers.ts';
import type { SubjectId } from '../core/model/person/subject.ts';
import { longestLinkDays } from '../features/identity/link-token.ts';
import { oneClickPath, sealOneClick } from '../features/unsubscribe/token.ts';
import { createSeal } from '../store/seal.ts';
import { linkHref } from '../web/href.ts';

interface Who {
  readonly center?: string | undefined;
  readonly identifier?: string | undefined;
}

/** Makes a link to a person's preferences: one URL. */
export function mintLink(
  config: Config,
  link: Who & { readonly scope: string; readonly days: string },
): string {
  const centerConfig = readCenter(config, link.center);
  const subject = readIdentifier(config, link.identifier);
  if (link.scope !== 'manage' && link.scope !== 'withdraw')
    throw new WrongArgument('--scope must be manage or withdraw');
  const token = linkMint(readSecrets(config)).mint({
    subject,
    scope: link.scope,
    center: centerConfig.center,
    lifetime: readDays(link.days) * 86_400,
  });
  return new URL(linkHref(centerConfig, token), config.publicUrl).href;
}

/** Makes a one-click address (RFC 8058). Without `purpose` it withdraws everything. */
export function mintOneClick(config: Config, link: Who & { readonly purpose?: string | undefined }): string {
  const centerConfig = readCenter(config, link.center);
  const subject = readIdentifier(config, link.identifier);
  if (link.purpose !== undefined && !isGuid(link.purpose))
    throw new WrongArgument('--purpose must be the id of a purpose');
  const token = sealOneClick(createSeal(readSecrets(config)), {
    center: centerConfig.center,
    subject,
    purpose: link.purpose?.toLowerCase(),
    madeAt: systemClock.now(),
  });
  return new URL(oneClickPath(token), config.publicUrl).href;
}

/** The two header lines that make a mailbox provider show its own button. */
export function oneClickHeaders(href: string): string {
  return `List-Unsubscribe: ${oneClickHeader(href)}\nList-Unsubscribe-Post: ${oneClickPost}`;
}

/** The value of List-Unsubscribe. */
export function oneClickHeader(href: string): string {
  return `<${href}>`;
}

/** The value of List-Unsubscribe-Post. */
export const oneClickPost = 'List-Unsubscribe=One-Click';

/** The person named by `--identifier`. */
export function readIdentifier(config: Config, text: string | undefined): SubjectId {
  const identifiers = createIdentifiers(config.identifierEncoding);
  const subject = identifiers.read(text);
  if (subject === undefined) throw new WrongArgument(`--identifier must be ${identifiers.rule}`);
  return subject;
}

/** The center named by `--center`. */
export function readCenter(config: Config, name: string | undefined): CenterConfig {
  const registry = registryOf(config);
  const centerConfig =
    name && (registry.find(name) ?? (isGuid(name) ? registry.findByCenter(name) : undefined));
  if (!centerConfig)
    throw new WrongArgument('--center must be the address or the id of a center that is served');
  return centerConfig;
}

export function readDays(text: string): number {
  const days = Number(text);
  if (!(days > 0 && days <= longestLinkDays))
    throw new WrongArgument(`--days must be a number from 1 to ${longestLinkDays}`);
  return days;
}
