import * as z from 'zod';
import { brandFaults } from '../core/model/center/brand.ts';
import { type CenterConfig, isGuid, type SingleSignOn } from '../core/model/center/center-config.ts';
import { isPlainHost, isSafeAddress } from '../core/model/web-address.ts';
import { apiKeysShape, eventsShape, readEvents } from './centers-events.ts';
import type { Reading } from './reading.ts';
import { isRandomSecret, secretRule } from './setting.ts';

const text = z.string().trim().min(1);
const optionalText = text.optional();

/** A text, or texts by language: the first serves any other language. */
const brandLabel = z.union([
  text.transform((only): Record<string, string> => ({ '': only })),
  z.record(z.string(), text).refine((texts) => Object.keys(texts).length > 0, 'a text at least'),
]);
const brandLinks = z
  .array(z.strictObject({ label: brandLabel, href: z.string() }))
  .max(8)
  .optional();

const brandShape = z.strictObject({
  name: text,
  logoUrl: optionalText,
  accent: optionalText,
  accentDark: optionalText,
  radius: z.number().optional(),
  font: optionalText,
  scheme: z.enum(['auto', 'light', 'dark']).default('auto'),
  stylesheetUrl: optionalText,
  background: optionalText,
  backgroundDark: optionalText,
  fonts: z
    .array(
      z.strictObject({
        family: text,
        fontFile: z.string().regex(/\.woff2$/i, 'a .woff2 file'),
        weight: z.union([z.number().transform(String), z.string()]).optional(),
        style: z.enum(['normal', 'italic']).optional(),
      }),
    )
    .max(12)
    .optional(),
  iconFile: z
    .string()
    .regex(/\.(svg|png|ico)$/i, 'a .svg, .png or .ico file')
    .optional(),
  showName: z.boolean().optional(),
  headerLinks: brandLinks,
  footerLinks: brandLinks,
});

const linkKeyShape = z.union([
  z.strictObject({ issuer: z.string().min(1), keyId: optionalText, secret: z.string() }),
  z.strictObject({ issuer: z.string().min(1), keyId: optionalText, secretFile: z.string().min(1) }),
  z.strictObject({ issuer: z.string().min(1), jwksUrl: z.url() }),
  z.strictObject({ issuer: z.string().min(1), jwksFile: z.string().min(1) }),
]);

const signInShape = z.strictObject({
  mail: z.boolean().optional(),
  singleSignOn: z
    .strictObject({
      issuer: z.url(),
      clientId: z.string().min(1),
      clientSecret: optionalText,
      clientSecretFile: optionalText,
      claim: z.string().min(1).optional(),
      trustMissingEmailVerified: z.boolean().optional(),
      label: optionalText,
    })
    .optional(),
});

const centerShape = z.strictObject({
  address: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/i, 'letters, digits and hyphens, at most 63'),
  center: z.string().toLowerCase().refine(isGuid, 'a GUID'),
  brand: brandShape.optional(),
  embedOrigins: z.array(z.url()).optional(),
  imageHosts: z
    .array(z.string().toLowerCase().refine(isPlainHost, 'a host, without a scheme, port or wildcard'))
    .optional(),
  controller: optionalText,
  rightsContact: optionalText,
  noticeId: z.string().toLowerCase().refine(isGuid, 'a GUID').optional(),
  linkKeys: z.array(linkKeyShape).optional(),
  signIn: signInShape.optional(),
  events: eventsShape.optional(),
  apiKeys: apiKeysShape.default([]),
  notify: z.boolean().optional(),
});

type CenterEntry = z.infer<typeof centerShape>;

/** undefined: every center of the platform. The file is a JSON array of `centerShape`. */
export function readCentersFile(reading: Reading, isSandbox: boolean): readonly CenterConfig[] | undefined {
  const { read, has, readFile, faults } = reading;
  const path = read('CENTERS_FILE');
  if (path === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(readFile(path));
  } catch (fault) {
    const isRead = fault instanceof SyntaxError;
    faults.push(`CENTERS_FILE ${isRead ? 'is not JSON' : 'names a file that cannot be read'}`);
    return [];
  }
  const parsed = z.array(centerShape).min(1).safeParse(json);
  if (!parsed.success) {
    for (const issue of parsed.error.issues)
      faults.push(`CENTERS_FILE: ${issue.path.join('.') || 'the list'}: ${issue.message}`);
    return [];
  }
  const parts = { ...reading, isSandbox, canMail: isSandbox || has('SMTP_URL') };
  const centers = parsed.data.map((entry, index) => readCenter(entry, `CENTERS_FILE: ${index}`, parts));
  const keys = centers.flatMap(({ apiKeys = [] }) => apiKeys.map(({ sha256 }) => sha256));
  for (const [what, values] of [
    ['apiKeys have the same sha256', keys],
    ['entries have the same address', centers.map(({ name }) => name)],
    ['entries have the same center', centers.map(({ center }) => center)],
  ] as const)
    if (new Set(values).size < values.length) faults.push(`CENTERS_FILE: two ${what}`);
  return centers;
}

function readCenter(
  { address, embedOrigins = [], linkKeys = [], signIn = {}, events = [], ...entry }: CenterEntry,
  where: string,
  { readFile, faults, isSandbox, canMail }: Reading & { isSandbox: boolean; canMail: boolean },
): CenterConfig {
  const refuse = (what: string) => faults.push(`${where}.${what}`);
  const contentOf = (file: string, what: string): string => {
    try {
      const text = readFile(file).trim();
      if (text === '') refuse(`${what} names a file that is empty`);
      return text;
    } catch {
      refuse(`${what} names a file that cannot be read`);
      return '';
    }
  };
  const refuseUnsafe = (text: string, what: string) => {
    if (!isSafeAddress(new URL(text))) refuse(`${what} must be https, or http on loopback`);
  };
  const { brand, notify } = entry;
  if (notify === true && !canMail) refuse('notify needs SMTP_URL');
  for (const [index, { fontFile }] of (brand?.fonts ?? []).entries())
    contentOf(fontFile, `brand.fonts.${index}.fontFile`);
  if (brand?.iconFile !== undefined) contentOf(brand.iconFile, 'brand.iconFile');
  if (brand !== undefined) for (const fault of brandFaults(brand)) refuse(`brand: ${fault}`);
  const { mail = true, singleSignOn: sso } = signIn;
  if (sso !== undefined) refuseUnsafe(sso.issuer, 'signIn.singleSignOn.issuer');
  return {
    ...entry,
    brand,
    name: address.toLowerCase(),
    embedOrigins: embedOrigins.map((text, index) => {
      const { origin, hostname } = new URL(text);
      // An origin goes into a header and is compared with the frame's own: a wildcard would work in the
      // header alone.
      if (!isSafeAddress(new URL(text)) || !isPlainHost(hostname))
        refuse(`embedOrigins.${index} must be https, or http on loopback, without a wildcard`);
      return origin;
    }),
    linkKeys: linkKeys.map((key, index) => {
      const named = `linkKeys.${index}`;
      if ('jwksUrl' in key) {
        refuseUnsafe(key.jwksUrl, `${named}.jwksUrl`);
        return { kind: 'jwks', issuer: key.issuer, url: key.jwksUrl };
      }
      if ('jwksFile' in key) {
        const keys = contentOf(key.jwksFile, `${named}.jwksFile`);
        if (keys !== '' && !isKeySet(keys)) refuse(`${named}.jwksFile is no JSON Web Key Set`);
        return { kind: 'jwks-file', issuer: key.issuer, keys };
      }
      const secret = 'secret' in key ? key.secret : contentOf(key.secretFile, `${named}.secretFile`);
      if (secret !== '' && !isRandomSecret(secret)) refuse(`${named}.secret ${secretRule}`);
      return { kind: 'secret', issuer: key.issuer, keyId: key.keyId, secret };
    }),
    signIn: { mail: mail && canMail, singleSignOn: sso && clientOf(sso, contentOf) },
    events: readEvents(events, { refuse, contentOf, isSandbox }),
  };
}

function clientOf(
  { issuer, clientId, label, ...sso }: NonNullable<z.infer<typeof signInShape>['singleSignOn']>,
  contentOf: (file: string, what: string) => string,
): SingleSignOn {
  const { clientSecretFile: file, claim = 'email' } = sso;
  const secret =
    file === undefined ? sso.clientSecret : contentOf(file, 'signIn.singleSignOn.clientSecretFile');
  const missingEmailVerified = sso.trustMissingEmailVerified === true ? 'trusted' : 'refused';
  return { issuer, clientId, clientSecret: secret, claim, missingEmailVerified, label };
}

function isKeySet(text: string): boolean {
  try {
    return keySet.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const keySet = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });
